import { createAccounts } from './accounts/accounts.ts';
import { createApiTokens } from './accounts/apiTokens.ts';
import { defineAccountModels } from './accounts/models.ts';
import { createAudit } from './audit/audit.ts';
import type { Database } from './database.ts';
import type { Keyring } from './keyring.ts';
import { createLimits } from './limits.ts';
import { createPasswords } from './passwords.ts';
import { createClaim } from './pushes/claim.ts';
import { createPushes } from './pushes/pushes.ts';
import type { DomainSettings } from './settings.ts';

export type { Owner } from './accounts/accounts.ts';
export type { AuditRow, Visit } from './audit/audit.ts';
export { asRefusal } from './database.ts';
export { DomainError, type ErrorCode, unavailable } from './errors.ts';
export type { NewPushSchema } from './pushes/newPush.ts';
export { daysRemaining, expireAfterDays, isExpired, type Push, type PushKind } from './pushes/push.ts';
export type { Revealed } from './pushes/pushes.ts';

export type Domain = ReturnType<typeof createDomain>;

/** Everything that hushpush does, over one database and one set of keys. Adapters call this and nothing deeper. */
export function createDomain(database: Database, keyring: Keyring, settings: DomainSettings) {
  const models = defineAccountModels(database.sequelize);
  const passwords = createPasswords(keyring);
  const limits = createLimits(database, settings.limits);
  const audit = createAudit(database);
  const claimView = createClaim(database, keyring, audit);
  return {
    accounts: createAccounts(database, models, passwords),
    apiTokens: createApiTokens(database, models),
    pushes: createPushes({
      database,
      keyring,
      passwords,
      limits,
      audit,
      claimView,
      settings: settings.pushes,
    }),
    limits,
    /** The database's clock, epoch milliseconds; refuses with `unavailable` when the database is out of reach. */
    clock: database.clock,
  };
}
