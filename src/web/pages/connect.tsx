import type { BrowserLinkRequest, ChatUser, LinkPreview, ProvedChatUser } from '../../domain/index.ts';
import { connectCommandOf, platforms } from '../../platforms.ts';
import { cardPage } from '../components/cardPage.tsx';
import { ButtonLink, Form, SubmitButton } from '../components/form.tsx';
import type { PageContext } from '../pageContext.ts';
import { pathWithNext } from './account/signIn.tsx';
import { accountLabel, chatUserLabel } from './chatLabels.ts';

/** The effects of linking, and the names of both accounts. */
export type Linked = { preview: LinkPreview; to: string; from: string };

type ConnectPage = {
  token: string;
  name: string;
  chatUser: ChatUser;
  /** The workspace of the user, by its name if that is known; empty in Discord. */
  workspaceLabel: string;
  /** Undefined where nobody is signed in. */
  link?: Linked | undefined;
  /** Whether a browser may sign in as the chat user: not where they share somebody else's account. */
  maySignIn: boolean;
  allowsSignUp: boolean;
};

/** Signs the browser in as a chat user, or links them to the account that is signed in. */
export function connectPage(page: PageContext, connect: ConnectPage): string {
  const { messages } = page;
  const { chatUser, name, workspaceLabel } = connect;
  const label = chatUserLabel(messages, chatUser, name);
  return cardPage(page, {
    title: messages.connect.title,
    lead: messages.connect.identified(label, workspaceLabel, chatUser.address),
    children:
      connect.link === undefined ? (
        <SignInSection page={page} connect={connect} label={label} />
      ) : (
        <LinkSection
          page={page}
          action={`/connect/${connect.token}`}
          link={connect.link}
          label={label}
          keeps={messages.connect.keeps(label)}
          warning={messages.connect.warning}
        />
      ),
  });
}

type SectionProps = { page: PageContext; connect: ConnectPage; label: string };

function SignInSection({ page, connect, label }: SectionProps) {
  const { connect: texts, refusals } = page.messages;
  const next = `/connect/${connect.token}`;
  const pathTo = (target: string) => pathWithNext(page, target, next);
  return (
    <>
      {connect.maySignIn ? (
        <>
          <p>{texts.signInLead(label)}</p>
          <p class="warning">{texts.warning}</p>
          <Form page={page} action={next}>
            <SubmitButton text={texts.signIn(label)} />
          </Form>
        </>
      ) : (
        <p>{refusals.signInElsewhere}</p>
      )}
      <section>
        <h2>{texts.otherTitle}</h2>
        <p>{texts.otherLead(label)}</p>
        <p class="row">
          <ButtonLink class="secondary" href={pathTo('/sign-in')} text={texts.toSignIn} />
          {connect.allowsSignUp && (
            <ButtonLink class="secondary" href={pathTo('/sign-up')} text={texts.toSignUp} />
          )}
        </p>
      </section>
    </>
  );
}

type LinkProps = {
  page: PageContext;
  /** Where the form goes. */
  action: string;
  link: Linked;
  label: string;
  keeps: string;
  warning: string;
};

/** What linking gives away, and the form that does it. */
function LinkSection({ page, action, link: { preview, to, from }, label, keeps, warning }: LinkProps) {
  const { connect } = page.messages;
  if (preview.effect === 'nothing')
    return (
      <>
        <p>{connect.alreadyLinked(label, to)}</p>
        <p>
          <a href={page.path('/account/chats')}>{connect.toChats}</a>
        </p>
      </>
    );
  return (
    <>
      <p>{connect.linkLead(label, to)}</p>
      <ul>
        {connect.gives.map((line) => (
          <li>{line}</li>
        ))}
      </ul>
      <p>{keeps}</p>
      {preview.effect === 'move' ? (
        <p>{connect.moves(label, from)}</p>
      ) : (
        <p>
          {connect.pushesMoved(preview.pushes)} {preview.tokens > 0 && connect.tokensRevoked(preview.tokens)}{' '}
          {preview.endsSignIn && connect.signInEnds}
        </p>
      )}
      <p class="warning">{warning}</p>
      <Form page={page} action={action}>
        <SubmitButton text={connect.link(label)} />
      </Form>
    </>
  );
}

type ProvedPage = { proved: ProvedChatUser; link: Linked; action: string; next: string };

/** Asks the owner of an account whether to link who they are in a chat, as the chat's own provider says. */
export function provedLinkPage(page: PageContext, { proved, link, action, next }: ProvedPage): string {
  const { messages } = page;
  const { chatUser, name, workspace } = proved;
  const label = chatUserLabel(messages, chatUser, name);
  const { proved: texts, identified } = messages.connect;
  return cardPage(page, {
    title: texts.title(platforms[chatUser.platform].name),
    lead: identified(label, workspace, chatUser.address),
    current: 'account',
    children: (
      <>
        <LinkSection
          page={page}
          action={action}
          link={link}
          label={label}
          keeps={texts.keeps(label)}
          warning={texts.warning}
        />
        <p class="row">
          <ButtonLink class="secondary" href={page.path(next)} text={texts.skip} />
        </p>
      </>
    ),
  });
}

/** Shows the code that the chat user types into the chat. Loads itself again until they have. */
export function connectWaitingPage(page: PageContext, request: BrowserLinkRequest): string {
  const { messages } = page;
  const { connect: texts } = messages;
  const { chatUser, name, account, code } = request;
  const label = chatUserLabel(messages, chatUser, name);
  const chat = platforms[chatUser.platform].name;
  const waiting =
    account === null ? texts.waitingSignIn(label) : texts.waitingLink(label, accountLabel(messages, account));
  return cardPage(page, {
    title: texts.waitingTitle(chat),
    children: (
      <>
        <p>{waiting}</p>
        <p>{texts.waitingHow(chat)}</p>
        <p class="code">
          <code>{code}</code>
        </p>
        <p class="muted">{texts.waitingFallback(connectCommandOf(chatUser.platform))}</p>
        <p>
          <a href={page.path('/connect')}>{texts.waitingCheck}</a>
        </p>
      </>
    ),
  });
}
