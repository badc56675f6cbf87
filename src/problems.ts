/** What is wrong with one input, as data. `src/locales` holds the words. */
export type Problem =
  | { code: 'invalid' }
  | { code: 'required' }
  | { code: 'text' }
  | { code: 'wellFormed' }
  | { code: 'boolean' }
  | { code: 'object' }
  | { code: 'incorrect' }
  | { code: 'self' }
  | { code: 'oneOf'; values: readonly string[] }
  | { code: 'between'; min: number; max: number }
  | { code: 'minLength'; min: number }
  | { code: 'guessable' }
  | { code: 'maxLength'; max: number; unit: 'characters' | 'bytes' }
  | { code: 'email' }
  | { code: 'mailDomain'; values: readonly string[] }
  | { code: 'mailedTooOften'; address: string }
  | { code: 'notMailable'; address: string; domains: readonly string[] }
  | { code: 'accountEmail' }
  | { code: 'accountName' }
  | { code: 'url'; max: number }
  | { code: 'notEncrypted' }
  | { code: 'webhookUrl' }
  | { code: 'chatAddress' }
  | { code: 'severalChats' }
  | { code: 'urlCredentials' }
  | { code: 'urlFragment' }
  | { code: 'privateUrl' }
  | { code: 'issuer' }
  | { code: 'privateIssuer' }
  | { code: 'claims' }
  | { code: 'issuerAlone' }
  | { code: 'sharedIssuer'; values: readonly string[] }
  | { code: 'widePrefix'; claim: string }
  | { code: 'secondDuration' }
  | { code: 'maxCount'; max: number }
  | { code: 'fileRequired' }
  | { code: 'uploadRequired' }
  | { code: 'notUploaded' }
  | { code: 'fileField'; field: string }
  | { code: 'fileKind' }
  | { code: 'notAccepted' }
  | { code: 'filenameRequired' }
  | { code: 'filenameWellFormed' }
  | { code: 'filenameMaxLength'; max: number }
  | { code: 'requiredByWorkspace' }
  | { code: 'membersOnly' }
  | { code: 'workspaceMax'; max: number }
  | { code: 'moreThanViews'; views: number }
  | { code: 'unequalViews'; views: number };

/** What is wrong with each input, under its camel-case name. */
export type Problems = Record<string, Problem[]>;

/** What is wrong with a token that a program exchanges, or with its issuer. */
export type IdentityTokenCode =
  | 'identityUnreadable'
  | 'identityIssuer'
  | 'identityAudience'
  | 'identityAlgorithm'
  | 'identityKeyUnknown'
  | 'identitySignature'
  | 'identityExpired'
  | 'identityEarly'
  | 'identityLongLived'
  | 'identityUsed'
  | 'issuerUnusable'
  | 'issuerUnreachable';

/** Why an identity provider signs nobody in; each names the provider. */
export type NamedProviderCode =
  | 'providerDeclined'
  | 'providerAnswerRejected'
  | 'providerWithoutEmail'
  | 'providerEmailUnproved'
  | 'providerDomain'
  | 'providerWithoutGroups'
  | 'providerGroup'
  | 'providerGroupsOverage';

/** What else can be wrong with identity providers. */
export type ProviderCode =
  | 'providerNotFound'
  | 'providerUnreachable'
  | 'providerIdentityTaken'
  | 'identityNotConnected'
  | 'lastWayToSignIn'
  | 'logoutTokenInvalid';

/** What can be wrong with files and their store. */
export type FileCode =
  | 'filesDisabled'
  | 'filesNeedAccount'
  | 'filesNeedSubscription'
  | 'uploadTooSlow'
  | 'downloadNotFound'
  | 'fileDamaged'
  | 'fileMissing'
  | 'noFileStore'
  | 'fileStoreFull'
  | 'fileStoreUnreachable'
  | 'fileStoreInconsistent';

/** What is wrong with what somebody signs in with: a password, a second factor, a passkey. */
export type FactorCode =
  | 'wrongCredentials'
  | 'wrongPassword'
  | 'secondFactorRequired'
  | 'secondFactorMissing'
  | 'stepUpRequired'
  | 'wrongCode'
  | 'factorNotFound'
  | 'noSecondFactor'
  | 'passkeyUnknown'
  | 'passkeyOfOther'
  | 'passkeyTooLate'
  | 'passkeyRejected'
  | 'passkeyUnverified'
  | 'passkeyExists'
  | 'passkeysUnavailable';

/** Why a push does not open for whoever has its link. */
export type OpeningCode =
  | 'wrongPassphrase'
  | 'needsMailedCode'
  | 'mailedCodeWrong'
  | 'mailedCodeOver'
  | 'viewAlreadyClaimed';
