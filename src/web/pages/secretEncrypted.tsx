import { type Push, pushKinds } from '../../domain/index.ts';
import { assetPath } from '../assets.ts';
import { KeyInput } from '../components/keyInput.tsx';
import type { PageContext } from '../pageContext.ts';
import { SecretFiles } from './secretFiles.tsx';
import { Payload } from './secretPayload.tsx';

type EncryptedSecretProps = { page: PageContext; push: Push; payload: string };

/** Stands for what only the browser can read. */
const placeholder = 'about:blank';

/**
 * A secret that only its key opens: decrypt.js shows it in the template of its kind. The ciphertext stays on the page, so
 * that a wrong key loses nothing.
 */
export function EncryptedSecret({ page, push, payload }: EncryptedSecretProps) {
  const { key, encryption } = page.messages.secret;
  return (
    <div
      id="encrypted"
      data-missing={encryption.missing}
      data-wrong={encryption.wrong}
      data-damaged={encryption.damaged}
      data-insecure={encryption.needsHttps}
      data-decrypting={encryption.decrypting('{name}', '{percent}')}
      data-file-failed={encryption.fileFailed('{name}')}
      data-encoder={page.path(assetPath('qr.js'))}
    >
      <noscript>
        <p class="error">{encryption.needsScripts}</p>
      </noscript>
      <p id="decryption" role="status" />
      <form id="key-form" class="field" hidden>
        <div class="field">
          <label for="key">{key}</label>
          <KeyInput describedBy="decryption" />
        </div>
        <button type="submit">{encryption.submit}</button>
      </form>
      <div id="sealed" hidden>
        {payload}
      </div>
      <div id="decrypted" hidden>
        <SecretFiles page={page} push={push} />
        {pushKinds.map((kind) => (
          <template id={`of-${kind}`}>
            <Payload page={page} kind={kind} payload={placeholder} />
          </template>
        ))}
      </div>
    </div>
  );
}
