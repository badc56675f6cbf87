import type { LimitSettings } from '../base/index.ts';

/** What a use counts against. A network is what one person may change addresses in; see `subjects.ts`. */
export type Subject =
  | 'client'
  | 'network'
  | 'account'
  | 'token'
  | 'chatUser'
  | 'push'
  | 'link'
  | 'email'
  | 'browser';

/**
 * Every limit: at each door, the settings that limit it, and what each of them counts per. A use must pass all of its
 * counters. A pair such as `['push', 'network']` counts per push and network.
 */
export const rules = {
  // Every use counts.
  anonymousRequest: { requests: ['client'] },
  request: { authenticatedRequests: ['client'], accountRequests: ['account'], tokenRequests: ['token'] },
  anonymousCreate: { anonymousCreate: ['client'] },
  accountCreate: { accountCreate: ['account'] },
  command: { commands: ['chatUser'] },
  signUp: { signUp: ['client'] },
  askAgain: { askAgain: ['client'] },
  // Mails to an address: those that anybody can ask for; those of an account; with links, and with codes for whoever has a link.
  askedMail: { askedMail: ['client'], mailByAddress: ['email'] },
  accountMail: { mailByAccount: ['account'] },
  linkMail: { mailByAddress: ['email'] },
  codeMail: { mailByAddress: ['email'] },
  // The bytes of a refused answer were read, too, so every attempt counts. Strangers use up none of the account's own limits.
  answer: { answers: ['client'], answersByLink: ['link'], answersByAccount: ['account'] },
  unknownToken: { unknownTokens: ['client'] },
  // Only failures count. The try is counted before it is verified, and taken back if it was right.
  passphrase: { passphraseByClient: ['push', 'network'], passphraseByPush: ['push'] },
  signIn: { failedSignIns: ['client'], signInByClient: ['email', 'client'], signInByAccount: ['email'] },
  secondFactor: {
    failedSignIns: ['client'],
    signInByClient: ['account', 'client'],
    signInByAccount: ['account'],
  },
  // Strangers can lock neither of these: a browser that has signed in to the account before, and a signed-in one.
  knownBrowserSignIn: { signInByClient: ['email', 'browser'] },
  knownBrowserFactor: { signInByClient: ['account', 'browser'] },
  deviceCode: { failedSignIns: ['client'], signInByClient: ['account'] },
  ownPassword: { signInByClient: ['account'] },
} as const satisfies Record<string, Partial<Record<keyof LimitSettings, readonly Subject[]>>>;

export type RuleName = keyof typeof rules;

/** How long further unknown tokens of a client are refused. Known ones still work. */
export const unknownTokenBlockSeconds = 10 * 60;

/** How long a network's guesses at a push are refused. */
export const networkBlockSeconds = 30 * 60;

/** How long everybody's guesses at a push are refused; it doubles each time. */
export const pushLockSeconds = { first: 30 * 60, max: 24 * 3600, forgottenAfter: 7 * 24 * 3600 };

/**
 * bcrypt in each process: the cost of a guess against a stolen database and its pepper, how many hashes run at once,
 * how many wait, and for how long. The kinds never wait for each other. Together they leave one of libuv's four threads free, for
 * files and DNS. Each client has one hash of a kind running at most.
 */
export const hashing = {
  account: { cost: 12, running: 1, waiting: 32, waitingPerClient: 1, waitingMs: 10_000 },
  passphrase: { cost: 10, running: 2, waiting: 128, waitingPerClient: 7, waitingMs: 10_000 },
} as const;
