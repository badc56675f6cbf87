import { EncryptionField } from '../../components/encryptionField.tsx';
import type { PageContext } from '../../pageContext.ts';
import { KeyField } from '../confirmFields.tsx';

/** What scripts show of a push that browsers encrypt and decrypt, in each state, from the sender to the recipient. */
export function EncryptionSamples({ page }: { page: PageContext }) {
  const { newPush, pushCreated, confirm, secret } = page.messages;
  const { missing, found, needsScripts, needsHttps } = confirm.key;
  const { encryption } = secret;
  return (
    <>
      <h3>Offered to the sender</h3>
      <EncryptionField page={page} isOffered />
      <p>{newPush.encryption.encrypting}</p>
      <Errors texts={[newPush.encryption.unreadable, newPush.encryption.address]} />

      <h3>The link, in the tab that has its key, and in another</h3>
      <p class="warning">{pushCreated.encrypted.advice}</p>
      <Errors texts={[pushCreated.encrypted.gone]} />

      <h3>A link without its key, then with it</h3>
      <KeyField page={page} hint={missing} />
      <div class="field">
        <p class="hint">{found}</p>
      </div>
      <Errors texts={[needsScripts, needsHttps]} />

      <h3>The secret, while it does not open</h3>
      <p>{encryption.missing}</p>
      <Errors texts={[encryption.wrong, encryption.needsScripts, encryption.needsHttps]} />

      <h3>Its files</h3>
      <p>{encryption.decrypting('id_ed25519', '42 %')}</p>
      <Errors texts={[encryption.fileFailed('id_ed25519'), encryption.damaged]} />
    </>
  );
}

function Errors({ texts }: { texts: string[] }) {
  return (
    <>
      {texts.map((text) => (
        <p class="error">{text}</p>
      ))}
    </>
  );
}
