export { type AccountSummary, accountColumns, toAccount } from './account.ts';
export { createAccounts } from './accounts.ts';
export { type AccountAct, type AccountActs, type Actor, actKinds, createAccountActs } from './acts.ts';
export { type ApiTokenSummary, createApiTokens } from './apiTokens.ts';
export { createDeviceSignIn, type DeviceRequest } from './deviceSignIn.ts';
export { createAccountErasure, createMergeAccounts, type MergeAccounts } from './erase.ts';
export type { NewAuthenticator } from './factors/authenticators.ts';
export { createConfirmation, type Proof, type ProofWays } from './factors/confirmation.ts';
export type { Factors } from './factors/factors.ts';
export type { Passkey } from './factors/passkeys/passkeys.ts';
export type { PasskeyObstacle } from './factors/passkeys/webauthn.ts';
export { lacksFactorColumn, type MayLackFactor, requireFactor } from './factors/required.ts';
export { createSecondFactors } from './factors/secondFactors.ts';
export { SecondFactorRequired } from './factors/secondStep.ts';
export { createStepUp, type Holder, type StepUp } from './factors/stepUp.ts';
export { authenticatorsTable, passkeysTable, recoveryCodesTable } from './factors/tables.ts';
export { createKnownBrowsers } from './knownBrowsers.ts';
export { createAccountLinks, type ReadAccountMail } from './mail/accountLinks.ts';
export type { LinkMail } from './mail/reading.ts';
export type { PasswordLinkPurpose } from './passwordLinks.ts';
export { type NewBrowser, type SecurityEvent, securityKinds } from './security/events.ts';
export { createSecurityLog, type MailedSecurityEvent, type SecurityLog } from './security/log.ts';
export type { SignInMethod } from './security/signInMethod.ts';
export { serializeAccount } from './serialize.ts';
export { createSessions, type SessionSummary, type SignedIn } from './sessions.ts';
export { createSignIn } from './signIn.ts';
export type { ChatOffer, ProvedChatUser } from './sso/chatOffer.ts';
export { lacksClaims } from './sso/claims.ts';
export type { ConnectedProvider, ProviderIdentity } from './sso/identities.ts';
export type { Identified, IdentityProvider, LogoutToken, ProviderRules, SignInFlow } from './sso/provider.ts';
export { createSingleSignOn } from './sso/sso.ts';
export {
  accountActsTable,
  accountsTable,
  apiTokensTable,
  deviceCodesTable,
  providerIdentitiesTable,
  providerSessionsTable,
  securityEventsTable,
  sessionsTable,
  spentTokensTable,
  trustRulesTable,
} from './tables.ts';
export { writeClaims } from './trust/claims.ts';
export {
  createTrust,
  type IdentityTokens,
  noIssuers,
} from './trust/exchange.ts';
export type { TrustRule, TrustRuleSchema } from './trust/rules.ts';
