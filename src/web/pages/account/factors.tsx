import type { Factors, NewAuthenticator, PasskeyObstacle } from '../../../domain/index.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { cardPage } from '../../components/cardPage.tsx';
import { CopyButton, CopyStatus, WholeText } from '../../components/copy.tsx';
import { ActionButton, ButtonLink, Form, SubmitButton } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { untranslated } from '../../components/longText.ts';
import { QrCode } from '../../components/qrCode.tsx';
import { LabelledTime, LastUsed } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { factorsPath } from '../../secondFactor.ts';
import { PasskeyList } from './passkeys.tsx';
import { CodeField } from './secondFactor.tsx';

type FactorsPage = {
  factors: Factors;
  /** Why passkeys do not work here, if so. */
  obstacle: PasskeyObstacle | undefined;
  /** The credential ids of passkeys that open the answers to request links. */
  opening: ReadonlySet<string | undefined>;
  /** Whether nothing else works before there is one. */
  isRequired: boolean;
  success?: string | undefined;
};

/** The second factors of the account. */
export function factorsPage(
  page: PageContext,
  { factors, obstacle, opening, isRequired, success }: FactorsPage,
): string {
  return accountPage(page, {
    section: 'security',
    title: page.messages.factors.title,
    back: { path: '/account/security', text: page.messages.account.security },
    lead: page.messages.factors.lead,
    success,
    children: (
      <>
        {isRequired ? <p class="warning">{page.messages.factors.required}</p> : null}
        <PasskeyList page={page} passkeys={factors.passkeys} obstacle={obstacle} opening={opening} />
        <App page={page} factors={factors} />
        <RecoveryCodes page={page} factors={factors} />
        {isRequired ? (
          <Form page={page} action="/sign-out">
            <SubmitButton class="secondary" text={page.messages.layout.signOut} />
          </Form>
        ) : null}
      </>
    ),
  });
}

function App({ page, factors: { app } }: { page: PageContext; factors: Factors }) {
  const { messages } = page;
  const { factors } = messages;
  return (
    <section>
      <h2>{factors.app}</h2>
      <p>{factors.appHint}</p>
      {app === undefined ? null : (
        <List
          emptyText=""
          items={[
            {
              title: factors.app,
              details: [
                <LabelledTime messages={messages} label={factors.since} at={app.createdAt} />,
                <LastUsed messages={messages} at={app.lastUsedAt} />,
              ],
              actions: (
                <ActionButton
                  page={page}
                  action={`${factorsPath}/app/remove`}
                  id=""
                  text={factors.remove}
                  label={factors.removeApp}
                  danger
                  confirmation={{ hint: factors.removeAppHint, text: factors.removeApp }}
                />
              ),
            },
          ]}
        />
      )}
      <Form page={page} action={`${factorsPath}/app`}>
        <SubmitButton class="secondary" text={app === undefined ? factors.addApp : factors.replaceApp} />
      </Form>
    </section>
  );
}

function RecoveryCodes({
  page,
  factors: { app, passkeys, recoveryCodes },
}: {
  page: PageContext;
  factors: Factors;
}) {
  const { factors } = page.messages;
  if (app === undefined && passkeys.length === 0) return null;
  return (
    <section>
      <h2>{factors.recovery}</h2>
      <p>{factors.recoveryLeft(String(recoveryCodes))}</p>
      <ActionButton
        page={page}
        action={`${factorsPath}/recovery-codes`}
        id=""
        text={factors.renew}
        label={factors.renew}
        danger
        confirmation={{ hint: factors.renewHint, text: factors.renew }}
      />
    </section>
  );
}

type NewAppPage = { app: NewAuthenticator; problem?: string | undefined };

/** A new key for an authenticator app, which asks for the first code. */
export function newAppPage(page: PageContext, { app, problem }: NewAppPage): string {
  const { factors } = page.messages;
  return cardPage(page, {
    title: factors.enrolTitle,
    lead: factors.enrolLead,
    class: 'narrow',
    current: 'account',
    back: { path: factorsPath, text: factors.title },
    scripts: ['copy.js'],
    children: (
      <>
        <QrCode text={app.uri} title={factors.qr} tooLong="" />
        <div class="field">
          <label for="key">{factors.key}</label>
          <div class="copy-field">
            <WholeText id="key" value={app.secret.match(/.{1,4}/g)?.join(' ') ?? ''} />
            <CopyButton page={page} from="key" text={factors.copyKey} class="secondary js-only" />
          </div>
          <CopyStatus />
        </div>
        <Form page={page} action={`${factorsPath}/app/confirm`} fields={{ enrolment: app.enrolment }}>
          <CodeField page={page} problem={problem} />
          <SubmitButton text={factors.confirm} />
        </Form>
      </>
    ),
  });
}

/** New recovery codes, the only time that they are shown. */
export function recoveryCodesPage(page: PageContext, codes: string[], success?: string): string {
  const { factors } = page.messages;
  return cardPage(page, {
    title: factors.codesTitle,
    lead: factors.codesLead,
    success,
    class: 'narrow',
    current: 'account',
    scripts: ['copy.js'],
    children: (
      <>
        <pre id="codes" {...untranslated}>
          {codes.join('\n')}
        </pre>
        <p class="row">
          <CopyButton page={page} from="codes" text={factors.copyCodes} class="js-only" />
          <ButtonLink class="secondary" href={page.path(factorsPath)} text={factors.done} />
        </p>
        <CopyStatus />
      </>
    ),
  });
}
