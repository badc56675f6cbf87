/** How often something may be done: so many times in so many seconds. */
export type Rate = { points: number; seconds: number };

/** Every limit is settable, and shared by all processes through the database. */
export type LimitSettings = {
  requests: Rate[];
  tokenRequests: Rate[];
  anonymousCreate: Rate[];
  tokenCreate: Rate[];
  commands: Rate[];
  signUp: Rate[];
  askAgain: Rate[];
  unknownTokens: Rate;
  passphraseByClient: Rate;
  passphraseByPush: Rate;
  signInByClient: Rate;
  signInByAccount: Rate;
};

/** What the operator may decide about pushes. */
export type PushSettings = {
  allowAnonymous: boolean;
  defaults: {
    expireAfterDays: number;
    expireAfterViews: number;
    deletableByViewer: boolean;
    retrievalStep: boolean;
  };
  bounds: { expireAfterDays: Bounds; expireAfterViews: Bounds };
  /** How long the rows of owned pushes are kept after their end. */
  retentionMs: number;
};

/** Whether people may make accounts of their own. */
export type SignInSettings = { allowSignUp: boolean };

/** What the operator may decide about files. */
export type FileSettings = {
  /** Who may attach them: whoever may make a push, subscribed accounts, or nobody. */
  enabledFor: 'everyone' | 'subscribed' | 'off';
  /** How many a push may have. */
  countMax: number;
  fileBytesMax: number;
  totalBytesMax: number;
  /** How long a request that brings files may take. */
  uploadMs: number;
};

/** What the operator may decide about webhooks: whether they may lead to this machine and to private networks. */
export type WebhookSettings = { allowPrivate: boolean };

export type Bounds = { min: number; max: number };

export type DomainSettings = {
  limits: LimitSettings | 'off';
  pushes: PushSettings;
  webhooks: WebhookSettings;
  signIn: SignInSettings;
  files: FileSettings;
};
