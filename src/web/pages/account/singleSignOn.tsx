import type { ConnectedProvider } from '../../../domain/index.ts';
import { cardPage } from '../../components/cardPage.tsx';
import { ActionButton, ButtonLink, Form, SubmitButton } from '../../components/form.tsx';
import { List } from '../../components/list.tsx';
import { ProviderButtons } from '../../components/providerButtons.tsx';
import { LabelledTime } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { pathWithNext } from './signIn.tsx';

/** An identity that is not connected yet, by its provider and the address there. */
type JoinPage = { provider: string; email: string | undefined; joinPath: string };

/** Asks the owner of an account with the same address to sign in to it once, before anything is joined. */
export function existsPage(page: PageContext, { provider, email, joinPath }: JoinPage): string {
  const { existsTitle, exists, toSignIn } = page.messages.singleSignOn;
  return cardPage(page, {
    title: existsTitle,
    class: 'narrow',
    current: 'signIn',
    children: (
      <>
        <p>{exists(email ?? '', provider)}</p>
        <ButtonLink href={pathWithNext(page, '/sign-in', joinPath)} text={toSignIn} />
      </>
    ),
  });
}

/** Says what joining gives away, and asks. */
export function confirmJoinPage(
  page: PageContext,
  { provider, email, account, joinPath }: JoinPage & { account: string },
): string {
  const { confirmTitle, confirm, confirmWarning, confirmSubmit, noAddress } = page.messages.singleSignOn;
  return cardPage(page, {
    title: confirmTitle(provider),
    class: 'narrow',
    current: 'account',
    children: (
      <>
        <p>{confirm(email ?? noAddress, provider, account)}</p>
        <p class="warning">{confirmWarning}</p>
        <Form page={page} action={joinPath}>
          <SubmitButton text={confirmSubmit} />
        </Form>
      </>
    ),
  });
}

/** After signing out of a session that a provider began. */
export function signedOutPage(page: PageContext, elsewhere: { url: string; provider: string }): string {
  const { url, provider } = elsewhere;
  const { signedOutTitle, signedOut, signOutThere } = page.messages.singleSignOn;
  return cardPage(page, {
    title: signedOutTitle,
    class: 'narrow',
    current: 'signIn',
    children: (
      <>
        <p>{signedOut(page.look.name, provider)}</p>
        <p class="row">
          <ButtonLink class="secondary" href={url} text={signOutThere(provider)} />
          <ButtonLink class="secondary" href={page.path('/sign-in')} text={page.messages.signIn.title} />
        </p>
      </>
    ),
  });
}

type ConnectedProvidersProps = { page: PageContext; providers: ConnectedProvider[] };

/** The accounts elsewhere that sign in to this one. */
export function ConnectedProviders({ page, providers }: ConnectedProvidersProps) {
  const { messages } = page;
  const texts = messages.singleSignOn;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.lead}</p>
      <List
        emptyText={texts.none}
        items={providers.flatMap(({ label, identities }) =>
          identities.map(({ id, email, createdAt, lastUsedAt }) => {
            const title = `${label}: ${email ?? texts.noAddress}`;
            const action = { page, id, action: '/account/providers/disconnect' };
            return {
              title,
              details: [
                <LabelledTime messages={messages} label={texts.since} at={createdAt} />,
                <LabelledTime messages={messages} label={texts.lastUsed} at={lastUsedAt} />,
              ],
              actions: <ActionButton {...action} text={texts.disconnect} label={texts.disconnectOf(title)} />,
            };
          }),
        )}
      />
      <ProviderButtons page={page} providers={providers} query={{ connect: 'yes' }} textOf={texts.connect} />
    </section>
  );
}
