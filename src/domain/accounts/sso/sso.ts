import { UniqueConstraintError } from 'sequelize';
import { digestOf, newSecret } from '../../../crypto/tokens.ts';
import { DomainError } from '../../../errors.ts';
import type { Observer } from '../../base/index.ts';
import type { ClientInfo } from '../../people/index.ts';
import { SecondFactorRequired } from '../factors/secondStep.ts';
import type { SignInMethod } from '../security/signInMethod.ts';
import type { SignInDependencies } from '../signIn.ts';
import { providerIdentitiesTable } from '../tables.ts';
import { createSsoAdmission, type Known } from './admit.ts';
import { offerChat, type ProvedChatUser, slackUserIn } from './chatOffer.ts';
import { hasSecondFactor, readClaims } from './claims.ts';
import { createProviderIdentities, type PendingJoin } from './identities.ts';
import { type Identified, type IdentityProvider, requireProvider, type SignInFlow } from './provider.ts';
import { createProviderSessions } from './sessions.ts';
import { createSignInWays } from './signInWays.ts';

/** What a sign-in remembers while its browser is at the provider. `browser` is the digest of the secret in its cookie. */
type PendingSignIn = Omit<SignInFlow, 'state'> & BeginOptions & { provider: string };

/** `toJoin` if the identity is to sign in to an account that its owner has signed in to in another way. */
type BeginOptions = {
  browser: string;
  next?: string | undefined;
  toJoin?: boolean;
  /** Whether the provider shall ask who is there, although it knows. */
  isFresh?: boolean;
};

/**
 * A new session's token and its account's address; or the token of a join, which the owner of the account must confirm. `chat` is a token
 * by which that owner may link who they are in a chat, where the provider is that of the chat and did not sign them in before.
 */
type Finished = { next: string | undefined } & (Started | { join: string } | { chat: string });
type Started = { session: string; email: string; chat: string | undefined };

/** Sign-in by identity providers (OpenID Connect). People are known by issuer and subject, never by an address. */
export function createSingleSignOn(
  dependencies: SignInDependencies & { providers: IdentityProvider[]; observer: Observer },
) {
  const { database, keyring, providers, links, secondStep, settings, observer } = dependencies;
  const canSignIn = createSignInWays(providers, settings);
  const admission = createSsoAdmission({ ...dependencies, canSignIn });
  const providerSessions = createProviderSessions({ database, keyring, providers });
  const identities = { ...dependencies, admission, providerSessions, canSignIn };

  /** Reports what a provider did wrong to the operator: the reader of the page cannot mend it. */
  async function asked<Answer>({ name }: IdentityProvider, ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      observer.signInFailed(name, error);
      throw error;
    }
  }

  /**
   * Begins a sign-in, and returns where to send the browser. `browser` is a secret of its own, which it must still have when it
   * comes back within ten minutes (RFC 9700, section 4.7.1).
   */
  async function begin(name: string, { browser, ...options }: BeginOptions): Promise<string> {
    const provider = requireProvider(providers, name);
    const [nonce, codeVerifier] = [newSecret(), newSecret()];
    const flow = { provider: name, nonce, codeVerifier, browser: textOf(browser) };
    const { token: state, save } = links.prepare('signIn', { ...options, ...flow } satisfies PendingSignIn);
    const url = await asked(provider, () =>
      provider.authorizationUrl({ state, nonce, codeVerifier }, { isFresh: options.isFresh }),
    );
    await save();
    return url;
  }

  /**
   * Ends a sign-in with the answer of a provider. Works once for each `begin`, in the same browser, at the address of the same
   * provider (RFC 9700, section 4.4.2.2); throws `not_found` otherwise. Throws like `readClaims`, like the
   * provider, and `SecondFactorRequired`.
   */
  async function finish(
    name: string,
    answer: URLSearchParams,
    browser: string | undefined,
    client: ClientInfo,
  ): Promise<Finished> {
    const provider = requireProvider(providers, name);
    const state = answer.get('state') ?? '';
    const pending = await links.redeem<PendingSignIn>('signIn', state);
    if (pending.provider !== name) throw new DomainError('not_found', 'linkUsed');
    if (textOf(browser ?? '') !== pending.browser) throw new DomainError('not_found', 'linkUsed');
    const identified = await asked(provider, () => provider.identify(answer, { ...pending, state }));
    const { issuer, subject, claims } = identified;
    const hasFactor = hasSecondFactor(provider.rules, claims);
    const known = { issuer, subject, hasFactor, ...readClaims(provider, issuer, claims) };
    const { next, toJoin = false, isFresh = false } = pending;
    const method = methodOf(provider, identified, isFresh);
    const chat = slackUserIn(provider.rules, claims);
    if (toJoin) return { next, ...(await beginJoin(name, known, chat)) };
    const begin = () => startSession(provider, identified, { known, chat }, { client, method });
    // Somebody signed in for the first time in two windows at once: the other one made the account.
    const session = await begin().catch((error) => {
      if (error instanceof UniqueConstraintError) return begin();
      throw error;
    });
    if (session === undefined) return { next, ...(await createJoin({ provider: name, known, chat })) };
    if ('step' in session) throw new SecondFactorRequired(session.step, next);
    return { next, ...session };
  }

  /** Nobody is signed in to another account by connecting an identity to this one. */
  async function beginJoin(provider: string, known: Known, chat: ProvedChatUser | undefined) {
    const { issuer, subject } = known;
    const found = await database.model(providerIdentitiesTable).findOne({ where: { issuer, subject } });
    if (found === null) return createJoin({ provider, known, chat });
    if (chat === undefined) throw new DomainError('conflict', 'providerIdentityTaken');
    return { chat: await offerChat(links, { id: found.accountId }, chat) };
  }

  const createJoin = async (pending: PendingJoin) => ({ join: await links.create('joinSignIn', pending) });

  async function startSession(
    provider: IdentityProvider,
    identified: Identified,
    { known, chat }: Pick<PendingJoin, 'known' | 'chat'>,
    { client, method }: { client: ClientInfo; method: SignInMethod },
  ): Promise<Started | { step: string } | undefined> {
    const now = await database.clock();
    return database.transaction(async (tx) => {
      const admitted = await admission.admit(provider, known, { now, client }, tx);
      if (admitted === undefined) return undefined;
      const { account, isNew } = admitted;
      await admission.follow(known, account, tx);
      const { issuer, subject, providerSession, idToken } = identified;
      const atProvider = { issuer, subject, providerSession, idToken };
      const opened = await secondStep.open(account, client, method, { now, tx, atProvider });
      if ('step' in opened) return opened;
      const offered = isNew && chat ? await offerChat(links, account, chat, tx) : undefined;
      return { session: opened.token, email: account.email, chat: offered };
    });
  }

  const { maybeEndSession, logOut, purge } = providerSessions;
  return {
    /** The names and labels of all providers, and whether each says whom somebody is in Slack. */
    providers: providers.map(({ name, label, rules: { linksSlack } }) => ({ name, label, linksSlack })),
    begin,
    finish,
    ...createProviderIdentities(identities),
    maybeEndSession,
    logOut,
    purge,
  };
}

/**
 * A sign-in there may be of long ago. Where the provider does not say when it was, it was now if it was told to ask who is there, and
 * else nobody knows.
 */
const methodOf = (
  { label, rules }: IdentityProvider,
  { authenticatedAt, claims }: Identified,
  isFresh: boolean,
): SignInMethod => ({
  way: 'provider',
  name: label,
  factors: hasSecondFactor(rules, claims) ? ['provider', 'mfa'] : ['provider'],
  authenticatedAt: authenticatedAt ?? (isFresh ? undefined : 0),
});

const textOf = (secret: string): string => digestOf(secret).toString('base64url');
