import type { ComponentChildren } from 'preact';
import type { Push } from '../../domain/index.ts';
import { assetPath } from '../assets.ts';
import { CopyButton, LinkField } from '../components/copy.tsx';
import { ButtonLink } from '../components/form.tsx';
import { renderPage } from '../components/layout.tsx';
import { QrCode } from '../components/qrCode.tsx';
import { Time } from '../components/time.tsx';
import type { PageContext } from '../pageContext.ts';

type PushCreatedPage = {
  push: Push;
  link: string;
  /** Where the creator sees what happens to it. */
  statusPath: string | undefined;
  lead?: string;
  note?: string;
};

/** The link of a new push, with what it takes to pass it on. */
export function pushCreatedPage(
  page: PageContext,
  { push, link, statusPath, lead, note }: PushCreatedPage,
): string {
  const { pushCreated, secret, date } = page.messages;
  const until = date(push.expiresAt);
  const text = pushCreated.messageText(pushCreated.opens(push.viewsMax), until);
  const message = `${text}\n${link}`;
  return renderPage(page, {
    title: pushCreated.title,
    current: 'newPush',
    scripts: [...(push.encrypted ? ['encryptedCreated.js'] : []), 'copy.js', 'share.js'],
    children: (
      <div class="card">
        <h1>{pushCreated.title}</h1>
        <p class="muted">{lead ?? pushCreated.lead}</p>
        <UntilKey page={page} push={push} advice={pushCreated.encrypted.advice}>
          <LinkField page={page} label={pushCreated.link} link={link} />
          <div class="created">
            <div>
              <Summary page={page} push={push} />
              {note === undefined ? null : <p class="warning">{note}</p>}
              {push.hasPassphrase ? <p class="warning">{pushCreated.passphrase}</p> : null}
            </div>
            <figure class="qr">
              <QrCode text={link} title={pushCreated.qr} tooLong={secret.qrTooLong} />
            </figure>
          </div>
          <div class="field">
            <label for="message">{pushCreated.message}</label>
            <textarea id="message" rows={4} readOnly>{`\n${message}`}</textarea>
          </div>
          <div class="row field">
            <button
              type="button"
              hidden
              data-share={text}
              data-title={pushCreated.subject}
              data-until={new Date(push.expiresAt).toISOString()}
              data-until-text={until}
            >
              {pushCreated.share}
            </button>
            <CopyButton page={page} from="message" text={pushCreated.copyMessage} class="secondary js-only" />
            <MessageLinks page={page} message={message} />
          </div>
        </UntilKey>
        <p class="row next-steps">
          <ButtonLink class="secondary" href={page.path('/')} text={pushCreated.another} />
          {statusPath === undefined ? null : <a href={page.path(statusPath)}>{pushCreated.toPush}</a>}
        </p>
      </div>
    ),
  });
}

/** Links that open the reader's own programs with the message. Text messages are for phones. */
function MessageLinks({ page: { messages }, message }: { page: PageContext; message: string }) {
  const { mail, textMessage, subject } = messages.pushCreated;
  const [title, body] = [encodeURIComponent(subject), encodeURIComponent(message)];
  return (
    <>
      <ButtonLink class="secondary" href={`mailto:?subject=${title}&body=${body}`} text={mail} />
      {/* “?&”: iOS reads what follows an ampersand alone */}
      <ButtonLink class="secondary on-phones" href={`sms:?&body=${body}`} text={textMessage} />
    </>
  );
}

/** The limits of the push, in one glance. */
function Summary({ page: { messages }, push }: { page: PageContext; push: Push }) {
  const { pushCreated } = messages;
  return (
    <dl class="summary-list">
      <dt>{pushCreated.opensLabel}</dt>
      <dd>{pushCreated.opens(push.viewsMax)}</dd>
      <dt>{pushCreated.untilLabel}</dt>
      <dd>
        <Time messages={messages} at={push.expiresAt} />
      </dd>
    </dl>
  );
}

/** The key of a new push, when recipients already have their links without it. */
export function keyCreatedPage(page: PageContext, { push, lead }: { push: Push; lead: string }): string {
  const { title, encrypted } = page.messages.pushCreated;
  return renderPage(page, {
    title,
    current: 'newPush',
    scripts: ['copy.js', 'encryptedCreated.js'],
    children: (
      <div class="card">
        <h1>{title}</h1>
        <p class="muted">{lead}</p>
        <UntilKey page={page} push={push} advice={encrypted.passKey}>
          <LinkField page={page} label={encrypted.key} link="" copyText={encrypted.copyKey} />
        </UntilKey>
      </div>
    ),
  });
}

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
function UntilKey({ page, push, advice, children }: UntilKeyProps) {
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
