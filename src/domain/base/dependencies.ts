import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';

/* What the domain is created with, besides a store of files. */

/** Where records are, and the keys that encrypt them. */
export type DatabaseWithKeys = { database: Database; keyring: Keyring };

/** A rate: `points` uses in `seconds`. */
export type Rate = { points: number; seconds: number };

/** All processes share the counts through the database. */
export type LimitSettings = {
  requests: Rate[];
  authenticatedRequests: Rate[];
  accountRequests: Rate[];
  tokenRequests: Rate[];
  anonymousCreate: Rate[];
  accountCreate: Rate[];
  commands: Rate[];
  signUp: Rate[];
  askAgain: Rate[];
  askedMail: Rate[];
  mailByAddress: Rate[];
  mailByAccount: Rate[];
  answers: Rate[];
  answersByLink: Rate[];
  answersByAccount: Rate[];
  unknownTokens: Rate;
  passphraseByClient: Rate;
  passphraseByPush: Rate;
  failedSignIns: Rate;
  signInByClient: Rate;
  signInByAccount: Rate;
};

/** The operator's settings for pushes. */
export type PushSettings = {
  allowAnonymous: boolean;
  /** Whether creators may encrypt pushes themselves, so that this service cannot read them. */
  allowEncrypted: boolean;
  /** Whether secrets may be typed after a slash command, where the chat's vendor can read them. */
  allowSlashText: boolean;
  defaults: {
    expireAfterDays: number;
    expireAfterViews: number;
    deletableByViewer: boolean;
    retrievalStep: boolean;
  };
  /** What the form on the web suggests instead; `encrypted` is for people without an account. */
  formDefaults: { expireAfterViews: number; encrypted: boolean };
  bounds: { expireAfterDays: Bounds; expireAfterViews: Bounds };
  /** How long rows of owned pushes are retained after they end. */
  retentionMs: number;
  /** Whether activity shows roughly where addresses are. */
  showsPlaces: boolean;
  /** Domains that links may be mailed to, all if there are none; null where there is no mail server. */
  mailDomains: string[] | null;
};

/** Whether people may create their own accounts, and whether passwords sign anybody in. `url` is the address of the pages. */
export type SignInSettings = {
  allowSignUp: boolean;
  allowPasswords: boolean;
  /** Whether whoever signs up gets an account at once, or by a link in a mail. */
  signUp: 'open' | 'verified';
  /** Of whom a second factor is required. */
  secondFactor: 'optional' | 'admins' | 'everyone';
  url: string;
};

/** The operator's settings for files. */
export type FileSettings = {
  /** Who may attach files: everybody who may create a push, subscribed accounts, or nobody. */
  enabledFor: 'everyone' | 'subscribed' | 'off';
  /** Per push. */
  countMax: number;
  fileBytesMax: number;
  totalBytesMax: number;
  /** The time limit of a request with files. */
  uploadMs: number;
};

/** Whether webhooks may point to this machine and to private networks. */
export type WebhookSettings = { allowPrivate: boolean };

/** Whether there is a mail server. Without one, nothing is offered that needs it. */
export type MailSwitch = { isOn: boolean };

/** Issuers on private networks that operators vouch for, such as that of a cluster. */
export type TrustSettings = { privateIssuers: string[] };

export type Bounds = { min: number; max: number };

export type DomainSettings = {
  /** Lowers the cost of password hashes, for tests. */
  hashCostMax?: number | undefined;
  limits: LimitSettings | 'off';
  pushes: PushSettings;
  webhooks: WebhookSettings;
  signIn: SignInSettings;
  trust: TrustSettings;
  mail: MailSwitch;
  files: FileSettings;
};

/** Receives events for metrics. Outcomes become labels; nothing depends on them. */
export type Observer = {
  /** The result of each attempt to claim a view. */
  claimed(outcome: string): void;
  /** A batch of simultaneous requests starts. The oldest of them has waited this long. */
  batched(work: 'create' | 'claim', size: number, waitedMs: number): void;
  /** How late a push was erased after its end, in milliseconds. */
  erased(lateMs: number): void;
  /** The result of each attempt to deliver a notice. */
  delivered(result: string): void;
  /** What the mail server made of a mail: `handed_over`, `refused`, `refused_by_policy`, `later` or `unavailable`. */
  mailed(result: string): void;
  /** Somebody did something to the account of somebody else. */
  acted(entry: { act: string; accountId: string; by: string }): void;
  /** An identity provider was out of reach, or its answer was refused. */
  signInFailed(provider: string, error: unknown): void;
  /** An internal error during a delivery. The notice is sent again later. */
  deliveryFailed(error: unknown): void;
};

export const noopObserver: Observer = {
  claimed() {},
  batched() {},
  erased() {},
  delivered() {},
  mailed() {},
  acted() {},
  signInFailed() {},
  deliveryFailed() {},
};

/** The names of something, by language: `{ en: 'Munich', de: 'München' }`. Any may be missing. */
type Names = Partial<Record<string, string>>;

/** Roughly where an address is. `countryCode` is that of ISO 3166-1. */
export type Place = { city: Names; country: Names; countryCode: string | null };

/** Null for an address whose place is unknown. */
export type PlaceOf = (ip: string) => Place | null;

/** Opens what knows the places of addresses, for one page of rows. Adapters implement it; it does not fail. */
export type OpenPlaces = () => Promise<PlaceOf>;

/** For a service that knows no places. */
export const noPlaces: OpenPlaces = async () => () => null;
