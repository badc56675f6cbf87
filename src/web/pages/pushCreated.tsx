import type { ComponentChildren } from 'preact';
import type { Push } from '../../domain/index.ts';
import { assetPath } from '../assets.ts';
import { cardPage } from '../components/cardPage.tsx';
import { CopyButton, CopyStatus, LinkField, WholeText } from '../components/copy.tsx';
import { TextField } from '../components/fields.tsx';
import { ButtonLink, Form, SubmitButton } from '../components/form.tsx';
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

const scripts = ['copy.js', 'created.js'];

/** The link of a new push, with what it takes to pass it on. created.js adds what this service does not know. */
export function pushCreatedPage(page: PageContext, created: PushCreatedPage): string {
  const { push, link, statusPath, lead, note } = created;
  const { pushCreated, secret, date } = page.messages;
  const until = date(push.expiresAt);
  const opens = pushCreated.opens(push.viewsMax);
  const text = pushCreated.messageText(opens, until);
  const message = `${text}\n${link}`;
  return cardPage(page, {
    title: pushCreated.title,
    lead: lead ?? pushCreated.lead,
    class: 'created',
    current: 'newPush',
    scripts,
    children: (
      <>
        <UntilKey page={page} push={push} advice={pushCreated.encrypted.advice}>
          <LinkField page={page} label={pushCreated.link} link={link}>
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
          </LinkField>
          <p>
            {pushCreated.opensUntil(opens)} <Time messages={page.messages} at={push.expiresAt} format="end" />
          </p>
          {note !== undefined && <p class="warning">{note}</p>}
          <Passphrase page={page} push={push} />
          <div class="pass-on">
            <details class="fold">
              <summary>{pushCreated.message}</summary>
              <h2>{pushCreated.message}</h2>
              <textarea id="message" rows={4} readOnly aria-label={pushCreated.message}>
                {`\n${message}`}
              </textarea>
              <div class="row">
                <CopyButton
                  page={page}
                  from="message"
                  text={pushCreated.copyMessage}
                  class="secondary js-only"
                />
                <MessageLinks page={page} message={message} />
              </div>
            </details>
            <details class="fold qr">
              <summary>{pushCreated.qr}</summary>
              <h2>{pushCreated.qr}</h2>
              <QrCode text={link} title={pushCreated.qr} tooLong={secret.qrTooLong} />
              <p class="hint">{pushCreated.qrHint}</p>
              <button type="button" class="secondary js-only" data-print>
                {pushCreated.print}
              </button>
            </details>
          </div>
        </UntilKey>
        {page.signedIn && statusPath !== undefined && <NameForm page={page} push={push} />}
        <p class="row next-steps">
          <ButtonLink class="secondary" href={page.path('/')} text={pushCreated.another} />
          {statusPath !== undefined && <a href={page.path(statusPath)}>{pushCreated.toPush}</a>}
        </p>
      </>
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

type PushProps = { page: PageContext; push: Push };

/** The passphrase once more: only the tab that has created the push knows it. */
function Passphrase({ page, push }: PushProps) {
  const { newPush, pushCreated } = page.messages;
  if (!push.hasPassphrase) return null;
  return (
    <div class="field">
      <p class="warning">{pushCreated.passphrase}</p>
      <div id="passphrase-again" hidden>
        <label for="passphrase">{newPush.passphrase}</label>
        <div class="copy-field">
          <WholeText id="passphrase" value="" />
          <CopyButton page={page} from="passphrase" text={pushCreated.copyPassphrase} class="secondary" />
        </div>
      </div>
    </div>
  );
}

/** A name for the creator's list, which nobody wants to think of before there is a link. */
function NameForm({ page, push }: PushProps) {
  const { newPush, pushCreated } = page.messages;
  return (
    <Form page={page} action={`/pushes/${push.urlToken}/name`} fields={{ from: 'created' }} class="name-form">
      <TextField
        name="name"
        label={newPush.name}
        hint={newPush.nameHint}
        value={push.name ?? ''}
        maxLength={255}
      >
        <SubmitButton class="secondary" text={pushCreated.saveName} />
      </TextField>
    </Form>
  );
}

type SentPage = Pick<PushCreatedPage, 'push' | 'statusPath'> & { isByMail: boolean };

/** What is left to pass on of a push whose recipients have their links already: the key and the passphrase. */
export function sentPage(page: PageContext, { push, isByMail, statusPath }: SentPage): string {
  const { compose, pushCreated } = page.messages;
  const { title, another, encrypted, toPush, mailed } = pushCreated;
  return cardPage(page, {
    title,
    lead: isByMail ? mailed : compose.sent,
    class: 'created',
    current: 'newPush',
    scripts,
    children: (
      <>
        {push.encrypted ? (
          <UntilKey page={page} push={push} advice={encrypted.passKey}>
            <LinkField page={page} label={encrypted.key} link="" copyText={encrypted.copyKey} />
          </UntilKey>
        ) : (
          <CopyStatus />
        )}
        <Passphrase page={page} push={push} />
        <p class="row next-steps">
          <ButtonLink class="secondary" href={page.path('/')} text={another} />
          {statusPath !== undefined && <a href={page.path(statusPath)}>{toPush}</a>}
        </p>
      </>
    ),
  });
}

type UntilKeyProps = PushProps & {
  /** What to do with the key, which only this tab has. */
  advice: string;
  children: ComponentChildren;
};

/**
 * What is of no use without the key of an encrypted push. Hidden until created.js has added the key, which this service does
 * not know; if the key is not in the tab any more, the page says so.
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
