/** How often something is allowed: `points` times in `seconds`. */
export type Rate = { points: number; seconds: number };

/** All processes share the counts through the database. */
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

/** The operator's settings for pushes. */
export type PushSettings = {
  allowAnonymous: boolean;
  defaults: {
    expireAfterDays: number;
    expireAfterViews: number;
    deletableByViewer: boolean;
    retrievalStep: boolean;
  };
  bounds: { expireAfterDays: Bounds; expireAfterViews: Bounds };
  /** How long the rows of owned pushes stay after their end. */
  retentionMs: number;
};

/** Whether people may create accounts of their own. */
export type SignInSettings = { allowSignUp: boolean };

/** The operator's settings for files. */
export type FileSettings = {
  /** Who may attach them: everyone who may create a push, subscribed accounts, or nobody. */
  enabledFor: 'everyone' | 'subscribed' | 'off';
  /** For each push. */
  countMax: number;
  fileBytesMax: number;
  totalBytesMax: number;
  /** How long a request with files may take. */
  uploadMs: number;
};

/** Whether webhooks may lead to this machine and to private networks. */
export type WebhookSettings = { allowPrivate: boolean };

export type Bounds = { min: number; max: number };

export type DomainSettings = {
  limits: LimitSettings | 'off';
  pushes: PushSettings;
  webhooks: WebhookSettings;
  signIn: SignInSettings;
  files: FileSettings;
};
