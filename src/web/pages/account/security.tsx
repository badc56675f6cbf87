import {
  type ConnectedProvider,
  maybeChatUserOf,
  type SessionSummary,
  type SignedIn,
} from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { ButtonLink } from '../../components/form.tsx';
import type { PageContext } from '../../pageContext.ts';
import { factorsPath } from '../../secondFactor.ts';
import { ChatAccount, Password } from './password.tsx';
import { securityLogPath } from './securityLog.tsx';
import { OpenSessions } from './sessions.tsx';
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
