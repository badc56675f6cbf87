import {
  type ConnectedProvider,
  maybeChatUserOf,
  type SessionSummary,
  type SignedIn,
} from '../../../domain/index.ts';
import { deviceLabel } from '../../../locales/devices.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { ApproximatePlaces, TechnicalDetails } from '../../components/clients.tsx';
import { ActionButton, ButtonLink, Form, SubmitButton } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { LabelledTime } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { factorsPath } from '../../secondFactor.ts';
import { ChatAccount, Password } from './password.tsx';
import { securityLogPath } from './securityLog.tsx';
import { ConnectedProviders } from './singleSignOn.tsx';

type SecurityPage = {
  signedIn: SignedIn;
  accountName: string;
  hasPassword: boolean;
  allowsPasswords: boolean;
  providers: ConnectedProvider[];
  sessions: SessionSummary[];
  /** How many API tokens the account has. */
  tokens: number;
  hasRules: boolean;
  success?: string | undefined;
  problems?: Record<string, string>;
};

/** How people sign in to the account, and where they are signed in. */
export function securityPage(page: PageContext, security: SecurityPage): string {
  const { signedIn, providers, sessions, success } = security;
  return accountPage(page, {
    section: 'security',
    success,
    scripts: ['showTyped.js'],
    children: (
      <>
        <PasswordSection {...security} page={page} />
        <SecondFactor page={page} />
        {providers.length > 0 && <ConnectedProviders page={page} providers={providers} />}
        <OpenSessions page={page} sessions={sessions} currentId={signedIn.sessionId.toString('hex')} />
        <SecurityLogLink page={page} />
      </>
    ),
  });
}

function SecondFactor({ page }: { page: PageContext }) {
  const { title, lead, manage } = page.messages.factors;
  return (
    <section>
      <h2>{title}</h2>
      <p>{lead}</p>
      <ButtonLink class="secondary" href={page.path(factorsPath)} text={manage} />
    </section>
  );
}

function SecurityLogLink({ page }: { page: PageContext }) {
  const { title, lead, show } = page.messages.securityLog;
  return (
    <section>
      <h2>{title}</h2>
      <p>{lead}</p>
      <ButtonLink class="secondary" href={page.path(securityLogPath)} text={show} />
    </section>
  );
}

function PasswordSection({ problems = {}, ...section }: SecurityPage & { page: PageContext }) {
  const chatUser = maybeChatUserOf(section.signedIn.email);
  if (chatUser !== undefined) return <ChatAccount {...section} platform={chatUser.platform} />;
  return section.allowsPasswords ? <Password {...section} problems={problems} /> : null;
}

type SessionsProps = { page: PageContext; sessions: SessionSummary[]; currentId: string };

/** The browsers that are signed in to the account. */
function OpenSessions({ page, sessions, currentId }: SessionsProps) {
  const texts = page.messages.sessions;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.lead}</p>
      <List
        emptyText={texts.none}
        items={sessions.map((session) => {
          const browser = deviceLabel(page.messages, session.userAgent);
          const isCurrent = session.id === currentId;
          return {
            title: isCurrent ? `${browser} (${texts.current})` : browser,
            details: detailsOf(page, session),
            actions: isCurrent ? null : (
              <ActionButton
                page={page}
                action="/account/sessions/revoke"
                id={session.id}
                text={texts.revoke}
                label={texts.revokeOf(browser)}
              />
            ),
          };
        })}
      />
      <ApproximatePlaces page={page} rows={sessions} />
      {sessions.length > 1 ? (
        <Form page={page} action="/account/sessions/revoke-others">
          <SubmitButton class="danger" text={texts.revokeOthers} />
        </Form>
      ) : null}
    </section>
  );
}

function detailsOf({ messages }: PageContext, session: SessionSummary) {
  const { sessions: texts } = messages;
  const { way, wayName, ip, place, createdAt, seenAt, userAgent } = session;
  return [
    `${texts.address}: ${messages.address(ip, place)}`,
    way === null ? null : texts.ways[way](wayName ?? ''),
    <LabelledTime messages={messages} label={texts.since} at={createdAt} />,
    <LabelledTime messages={messages} label={texts.lastSeen} at={seenAt} />,
    <TechnicalDetails summary={texts.technical} lines={[userAgent]} />,
  ];
}
