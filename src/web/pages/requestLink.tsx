import type { MailedAddress, RequestAnswer, RequestLink } from '../../domain/index.ts';
import { cardPage } from '../components/cardPage.tsx';
import { CopyButton, LinkField, WholeText } from '../components/copy.tsx';
import { ActionButton, ButtonLink } from '../components/form.tsx';
import { typedExactly } from '../components/linkKey.tsx';
import { List } from '../components/list.tsx';
import { untranslated } from '../components/longText.ts';
import { MailStateText } from '../components/recipients.tsx';
import { LabelledTime } from '../components/time.tsx';
import type { PageContext } from '../pageContext.ts';

type OpeningPasskey = { name: string | undefined; options: object };

type RequestLinkPage = {
  link: RequestLink;
  mailed: MailedAddress[];
  answers: RequestAnswer[];
  /** The link itself; null where it cannot be decrypted. */
  address: string | null;
  /** What opens the answers, if a passkey does; without a name, if it was removed from the account. */
  passkey: OpeningPasskey | undefined;
  success?: string | undefined;
  problem?: string | undefined;
};

/** A request link for its owner, with its answers. */
export function requestLinkPage(
  page: PageContext,
  { link, mailed, answers, address, passkey, success, problem }: RequestLinkPage,
): string {
  const { requestLinks: texts } = page.messages;
  const isSealed = link.publicKeys !== null;
  return cardPage(page, {
    title: link.title ?? texts.unreadable,
    heading: <bdi>{link.title ?? texts.unreadable}</bdi>,
    current: 'pushes',
    back: { path: '/requests', text: texts.back },
    scripts: isSealed ? ['copy.js', 'openAnswers.js'] : ['copy.js'],
    success,
    problem,
    children: (
      <>
        {link.note !== null && (
          <p class="preserve-lines" dir="auto">
            {link.note}
          </p>
        )}
        <div class="field">
          {linkDetails(page, link).map((line) => line !== null && <p class="hint">{line}</p>)}
        </div>
        {isSealed && <Unlock page={page} link={link} passkey={passkey} />}
        {address !== null && link.state === 'open' && (
          <div id="whole-link" hidden={isSealed}>
            <LinkField
              page={page}
              label={texts.link}
              link={address}
              hint={texts.linkHint}
              copyText={texts.copy}
            />
          </div>
        )}
        {isSealed && <OwnLink page={page} />}
        {mailed.length > 0 && <Mailed page={page} link={link} mailed={mailed} />}
        {link.state === 'open' && (
          <div class="field">
            <ActionButton
              page={page}
              action="/requests/links/close"
              id={link.id}
              text={texts.close}
              label={texts.close}
              danger
              confirmation={{ hint: texts.closeHint, text: texts.closeConfirm }}
            />
          </div>
        )}
        <section>
          <h2>{texts.answers}</h2>
          {answers.length > 0 && <p class="muted">{texts.receiptHint}</p>}
          <List
            emptyText={texts.noAnswers}
            items={answers.map((answer) => answerItem(page, answer, isSealed))}
          />
        </section>
      </>
    ),
  });
}

/** The addresses that the link went to, and what became of the mails. */
function Mailed({ page, link, mailed }: Pick<RequestLinkPage, 'link' | 'mailed'> & { page: PageContext }) {
  const { sendAgain, sendAgainTo } = page.messages.pushes.byMail;
  return (
    <section>
      <h2>{page.messages.requestLinks.mailed}</h2>
      <ul class="recipients">
        {mailed.map(({ address, state }) => (
          <li>
            <p>
              <strong>
                <bdi>{address}</bdi>
              </strong>
            </p>
            <p class="small">
              <MailStateText messages={page.messages} state={state} />
            </p>
            {link.state === 'open' && (
              <ActionButton
                page={page}
                action="/requests/links/send"
                id={link.id}
                fields={{ to: address }}
                text={sendAgain}
                label={sendAgainTo(address)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Asks for what opens the answers: openAnswers.js takes it, and shows the whole link. What is entered has no name, so that no form
 * sends it.
 */
function Unlock({ page: { messages }, link: { publicKeys, wrappedKey, urlToken }, passkey }: UnlockProps) {
  const { byLink, byPassphrase, byPasskey, submit, ...texts } = messages.requestLinks.unlock;
  const { label, hint, missing } = wrappedKey === null ? byLink : byPassphrase;
  return (
    <section
      id="sealing"
      data-keys={publicKeys}
      data-wrapped={wrappedKey ?? ''}
      data-token={urlToken ?? ''}
      data-missing={passkey ? byPasskey.missing : missing}
      data-passkey-options={JSON.stringify(passkey?.options)}
      data-cancelled={messages.passkeys.cancelled}
      data-unable={byPasskey.unable}
      data-wrong={texts.wrong}
      data-insecure={texts.insecure}
      data-tampered={texts.tampered}
    >
      <p>{passkey ? byPasskey.lead(passkey.name) : texts.lead}</p>
      <noscript>
        <p class="error">{texts.needsScripts}</p>
      </noscript>
      <p id="sealing-report" role="status" />
      <form id="unlock" class="field" hidden>
        {passkey === undefined && (
          <div class="field">
            <label for="opening">{label}</label>
            <input
              id="opening"
              type={wrappedKey === null ? 'text' : 'password'}
              dir="ltr"
              {...typedExactly}
              autocomplete={wrappedKey === null ? 'off' : 'current-password'}
              aria-describedby="opening-hint"
            />
            <p id="opening-hint" class="hint">
              {hint}
            </p>
          </div>
        )}
        <button type="submit" class="secondary">
          {passkey ? byPasskey.submit : submit}
        </button>
      </form>
    </section>
  );
}

type UnlockProps = { page: PageContext; link: RequestLink; passkey: OpeningPasskey | undefined };

/** What opens the answers, for the tab that has it. */
function OwnLink({ page }: { page: PageContext }) {
  const { label, hint, copy } = page.messages.requestLinks.ownLink;
  return (
    <div id="own-link" class="field" hidden>
      <p class="warning">{hint}</p>
      <label for="own">{label}</label>
      <div class="copy-field">
        <WholeText id="own" value="" />
        <CopyButton page={page} from="own" text={copy} class="secondary" />
      </div>
    </div>
  );
}

function answerItem(page: PageContext, answer: RequestAnswer, isSealedLink: boolean) {
  const { receipt, name, urlToken, sealed, isWaiting, createdAt } = answer;
  const { messages } = page;
  const texts = messages.requestLinks;
  const key = sealed && { 'data-sealed-key': sealed.key, 'data-answer-id': sealed.answerId };
  return {
    title: (
      <>
        {texts.receipt}{' '}
        <span {...untranslated} {...key}>
          {receipt ?? '–'}
        </span>
      </>
    ),
    details: [
      name && (
        <>
          {texts.from}: <bdi>{name}</bdi>
        </>
      ),
      <LabelledTime messages={messages} label={texts.came} at={createdAt} />,
      isWaiting ? texts.waiting : texts.over,
      isSealedLink && sealed === null ? texts.notSealed : null,
    ],
    actions: urlToken !== null && isWaiting && (
      <ButtonLink
        class="secondary"
        href={page.path(sealed === null ? `/pushes/${urlToken}` : `/p/${urlToken}`)}
        text={texts.open}
        aria-label={texts.openAnswer(receipt ?? '')}
        hidden={sealed !== null /* until openAnswers.js adds the key */}
      />
    ),
  };
}

/** The state of a link, in lines. */
export function linkDetails({ messages }: PageContext, link: RequestLink) {
  const { states, answersOf, until } = messages.requestLinks;
  const { state, answersUsed, answersMax, expiresAt } = link;
  return [
    `${states[state]} · ${answersOf(answersUsed, answersMax)}`,
    state === 'open' ? <LabelledTime messages={messages} label={until} at={expiresAt} /> : null,
  ];
}
