import { isExpired, type MailState, type Push, type PushRecipient } from '../../domain/index.ts';
import type { Messages } from '../../locales/locales.ts';
import type { PageContext } from '../pageContext.ts';
import { chatUserLabel } from '../pages/chatLabels.ts';
import { CopyButton, CopyStatus, WholeText } from './copy.tsx';
import { ActionButton } from './form.tsx';
import { Time } from './time.tsx';

type RecipientsProps = { page: PageContext; push: Push; linkTo: (link: { urlToken: string }) => string };

/** Who has views of their own, who of them has opened the push, and the links that are left. */
export function Recipients({ page, push, linkTo }: RecipientsProps) {
  if (push.recipients.length === 0) return null;
  const { messages } = page;
  const opened = push.recipients.filter(({ openedAt }) => openedAt !== null).length;
  return (
    <section>
      <div class="list-head">
        <h2>{messages.pushes.recipients}</h2>
        <p class="muted small">{messages.pushes.recipientsOpened(opened, push.recipients.length)}</p>
      </div>
      <ul class="recipients">
        {push.recipients.map((recipient) => (
          <li>
            <p>
              <strong>{recipientLabel(messages, recipient)}</strong>{' '}
              <span class="muted">
                <OpenedAt messages={messages} recipient={recipient} />
              </span>
            </p>
            {isExpired(push) || recipient.viewsUsed >= recipient.viewsMax ? null : (
              <>
                <RecipientMail page={page} push={push} recipient={recipient} />
                <RecipientLink page={page} recipient={recipient} linkTo={linkTo} />
              </>
            )}
          </li>
        ))}
      </ul>
      {push.isReserved ? <CopyStatus /> : null /* or else beside the push's own link */}
    </section>
  );
}

function OpenedAt({ messages, recipient }: { messages: Messages; recipient: PushRecipient }) {
  const { notOpened, openedOn, views } = messages.pushes;
  const { openedAt, viewsUsed, viewsMax } = recipient;
  if (openedAt === null) return <>{notOpened}</>;
  return (
    <>
      {openedOn} <Time messages={messages} at={openedAt} />
      {viewsMax > 1 ? ` · ${views(viewsUsed, viewsMax)}` : null}
    </>
  );
}

type RecipientMailProps = { page: PageContext; push: Push; recipient: PushRecipient };

/** What became of the mail with the link, and what can be done about it. */
function RecipientMail({ page, push, recipient }: RecipientMailProps) {
  const { mail, id } = recipient;
  if (mail === undefined) return null;
  const { byMail } = page.messages.pushes;
  const { sendAgain, sendAgainTo, withdraw, withdrawFrom } = byMail;
  const name = recipientLabel(page.messages, recipient);
  const path = `/pushes/${push.urlToken}/recipients`;
  return (
    <>
      <p class="small">
        <MailStateText messages={page.messages} state={mail.state} /> {mail.needsCode && byMail.code}
      </p>
      <div class="row">
        <ActionButton {...{ page, id }} action={`${path}/send`} text={sendAgain} label={sendAgainTo(name)} />
        <ActionButton
          {...{ page, id }}
          action={`${path}/withdraw`}
          text={withdraw}
          label={withdrawFrom(name)}
        />
      </div>
    </>
  );
}

/** What became of a mail with a link. */
export const MailStateText = ({ messages, state }: { messages: Messages; state: MailState }) =>
  state && (
    <>
      {messages.pushes.byMail[state.is]} {state.reason && <bdi>{state.reason}</bdi>}
    </>
  );

type RecipientLinkProps = Pick<RecipientsProps, 'page' | 'linkTo'> & { recipient: PushRecipient };

/** Bound recipients have no lasting link. */
function RecipientLink({ page, recipient, linkTo }: RecipientLinkProps) {
  const { id, urlToken } = recipient;
  if (urlToken === null) return null;
  const { linkOf, copyLinkOf } = page.messages.pushes;
  const name = recipientLabel(page.messages, recipient);
  return (
    <div class="copy-field">
      <WholeText id={`link-${id}`} value={linkTo({ urlToken })} aria-label={linkOf(name)} />
      <CopyButton
        page={page}
        from={`link-${id}`}
        text={page.messages.pushCreated.copyLink}
        label={copyLinkOf(name)}
        class="secondary js-only"
      />
    </div>
  );
}

/** A recipient by name, or by address in a chat that did not tell it. */
export function recipientLabel(messages: Messages, { platform, address, name }: PushRecipient): string {
  if (platform !== null && address !== null) return chatUserLabel(messages, { platform, address }, name);
  return name ?? messages.pushes.unreadable;
}
