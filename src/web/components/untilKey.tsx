import type { ComponentChildren } from 'preact';
import type { Push } from '../../domain/index.ts';
import { assetPath } from '../assets.ts';
import type { PageContext } from '../pageContext.ts';

type UntilKeyProps = {
  page: PageContext;
  push: Push;
  /** What to do with the key, which only this tab has. */
  advice: string;
  children: ComponentChildren;
};

/**
 * What is of no use without the key of an encrypted push. Hidden until encryptedCreated.js has added the key, which this
 * service does not know; if the key is not in the tab any more, the page says so.
 */
export function UntilKey({ page, push, advice, children }: UntilKeyProps) {
  if (!push.encrypted) return <>{children}</>;
  return (
    <>
      <p id="key-gone" class="error">
        {page.messages.pushCreated.encrypted.gone}
      </p>
      <div id="with-key" hidden data-encoder={page.path(assetPath('qr.js'))}>
        <p class="warning">{advice}</p>
        {children}
      </div>
    </>
  );
}
