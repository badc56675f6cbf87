import { createAskAgain } from './askAgain.ts';
import { createAuditLog } from './auditLog.ts';
import { createBoundLinks } from './boundLinks.ts';
import { createBulkActions } from './bulkActions.ts';
import { createClaim } from './claim/claim.ts';
import { createSpentNonces } from './claim/nonces.ts';
import { createCreations, createWithdrawal } from './create/begin.ts';
import { createPushCreator } from './create/create.ts';
import { createIdempotency } from './create/idempotency.ts';
import { createDamageRecords } from './damage.ts';
import type { PushDependencies } from './dependencies.ts';
import { createExpiration } from './expire.ts';
import { createExtension } from './extend.ts';
import { createPushFinder } from './find.ts';
import { createPushList } from './list.ts';
import { createMailRecipients } from './mailRecipients.ts';
import { createRecipientCodes } from './recipientCodes.ts';
import { createRecipientMails } from './recipientMails.ts';
import { createRecipientReminders } from './recipientReminders.ts';
import { createPushRecipients } from './recipients.ts';
import { createRenaming } from './rename.ts';
import { createViewReservation } from './reserveViews.ts';
import { createReveal } from './reveal.ts';
import { createSharing } from './sharing.ts';
import { createStatus } from './status.ts';

export type Pushes = ReturnType<typeof createPushes>;

/** The use cases of pushes, one file each. */
export function createPushes(
  dependencies: Omit<PushDependencies, 'finder' | 'pushRecipients' | 'recipientCodes'>,
) {
  const { database, settings } = dependencies;
  const finder = createPushFinder(dependencies);
  const pushRecipients = createPushRecipients(dependencies);
  const recipientCodes = createRecipientCodes(dependencies);
  const shared = { ...dependencies, finder, pushRecipients, recipientCodes };
  const spentNonces = createSpentNonces(dependencies);
  const damage = createDamageRecords(dependencies);
  const idempotency = createIdempotency(dependencies);
  const { sendAgain, withdrawRecipient, ...mailRecipients } = createMailRecipients(shared);
  const reserveViews = createViewReservation(dependencies);
  const sharing = createSharing({ ...shared, reserveViews });
  const { createPush, schema, ...creations } = createPushCreator({
    ...shared,
    invite: sharing.invite,
    mailRecipients,
  });
  const { claimView, ...claims } = createClaim({ ...dependencies, spentNonces, damage });
  const { listByIds, ...lists } = createPushList(shared);
  const { expire, expireRow } = createExpiration({ ...shared, spentNonces });
  const extension = createExtension(shared);
  return {
    ...createCreations({ ...shared, createPush, idempotency }),
    schema,
    /** How many requests of each kind wait for others like them, to run together. */
    waiting: () => ({ create: creations.waiting(), claim: claims.waiting() }),
    ...createReveal({ ...shared, claimView, spentNonces }),
    expire,
    ...createStatus({ ...shared, expireRow }),
    ...extension,
    rename: createRenaming(shared),
    ...createBulkActions({ listByIds, expire, extend: extension.extend }),
    ...createAskAgain(shared),
    ...sharing,
    recipientsOf: pushRecipients.ofPushes,
    openersOf: pushRecipients.openersOf,
    maybeMailed: createRecipientMails(dependencies),
    maybeCode: recipientCodes.maybeCode,
    sendCode: recipientCodes.sendCode,
    enterCode: recipientCodes.enterCode,
    codeStep: recipientCodes.codeStep,
    sendAgain,
    withdrawRecipient,
    admitMails: mailRecipients.admit,
    toInvitations: mailRecipients.toInvitations,
    purgeCodes: recipientCodes.purge,
    openBound: createBoundLinks({ ...dependencies, reserveViews }),
    ...createRecipientReminders(dependencies),
    withdraw: createWithdrawal(database),
    requireUrlToken: finder.requireUrlToken,
    resolveName: finder.resolveName,
    ...lists,
    ...createAuditLog(shared),
    listDamaged: damage.listDamaged,
    purgeNonces: spentNonces.purge,
    purgeIdempotencyKeys: idempotency.purge,
    eraseViews: spentNonces.eraseViews,
    settings,
  };
}
