import { setImmediate as nextTurn } from 'node:timers/promises';
import { damaged, openFilesKey, openPayload } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { urlTokenDigest } from '../../crypto/pepper.ts';
import { createBatches } from '../../database/batches.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Downloads } from '../files/downloads.ts';
import type { Observer } from '../observer.ts';
import {
  type Attempt,
  type Claim,
  type Decision,
  isLate,
  isView,
  keyOf,
  refusalOf,
  toClaim,
  type Undecided,
  type ViewRequest,
} from './claimDecision.ts';
import type { DamageRecords } from './damage.ts';
import { openPushLabel } from './label.ts';
import { createPushLock, type LockedLink, type WhenLocked } from './lockPushes.ts';
import type { RecordViews } from './recordViews.ts';
import { countView } from './remainingViews.ts';
import type { SpentNonces } from './spentNonces.ts';

type Dependencies = {
  database: Database;
  keyring: Keyring;
  requireStored: Downloads['requireStored'];
  spentNonces: Pick<SpentNonces, 'find'>;
  damage: Pick<DamageRecords, 'record'>;
  recordViews: RecordViews;
  observer: Observer;
};

export type ClaimView = ReturnType<typeof createClaim>['claimView'];

/** Payloads from this size on are decrypted in a turn of the event loop each. */
const largeBytes = 65_536;

/**
 * The only way to a payload. One transaction, which simultaneous claims share, locks the rows, decides by the database's
 * clock, decrypts, and records the views. A payload is returned only after COMMIT. Any failure before the end of COMMIT
 * rolls back or refuses, so at most `viewsMax` callers ever get a payload, and at most as many through a recipient's link
 * as that recipient has views.
 */
export function createClaim(dependencies: Dependencies) {
  const { database, keyring, requireStored, spentNonces, damage, recordViews, observer } = dependencies;
  const { transaction, dialect } = database;
  const lockPushes = createPushLock(database);
  const onStart = (size: number, waitedMs: number) => observer.batched('claim', size, waitedMs);
  const batches = createBatches({ run: claimTogether, keyOf, onStart }, { running: dialect.parallelBatches });

  /**
   * Claims one view. A nonce claims only once: the second time, the outcome is `repeated`. Throws `unavailable` while
   * files of the push are unavailable, and when the push is damaged, which is recorded.
   */
  async function claimView(request: ViewRequest): Promise<Claim> {
    const claim = await claimWhole(request).catch((error) => damage.record(request.urlToken, error));
    observer.claimed(claim.outcome);
    return claim;
  }

  async function claimWhole(request: ViewRequest): Promise<Claim> {
    const digest = urlTokenDigest(keyring, request.urlToken);
    let claim = await attempt({ ...request, digest, filesChecked: false });
    if (claim.outcome === 'files unchecked') {
      await requireStored(claim.pushId); // May be slow, so no row is locked meanwhile.
      claim = await attempt({ ...request, digest, filesChecked: true });
      if (claim.outcome === 'files unchecked') throw new Error('a claim still has unchecked files');
    }
    if (claim.outcome === 'failed') throw claim.error;
    return claim;
  }

  /**
   * Claims with others. In a batch, locked rows are skipped, so that a push that is locked elsewhere neither holds up
   * the others nor causes a deadlock. What was skipped is claimed alone, which waits for the lock.
   */
  async function attempt(request: Attempt): Promise<Claim | Undecided> {
    return (await batches.submit(request)) ?? claimAlone(request);
  }

  /** Tries several requests once: if that fails, each is tried alone. */
  function claimTogether(requests: Attempt[]) {
    const limit = requests.length === 1 ? {} : { attempts: 1 };
    return transaction((tx) => claimAll(requests, 'skip', tx), limit);
  }

  async function claimAlone(request: Attempt): Promise<Claim | Undecided> {
    const [claim] = await transaction((tx) => claimAll([request], 'wait', tx));
    return claim ?? { outcome: 'unknown' };
  }

  /** Decides in the order of the requests, then writes what was decided. Returns undefined for a push that was skipped. */
  async function claimAll(
    requests: Attempt[],
    whenLocked: WhenLocked,
    tx: Tx,
  ): Promise<(Claim | Undecided | undefined)[]> {
    const digests = requests.map(({ digest }) => digest);
    const { links, skipped } = await lockPushes(digests, whenLocked, tx);
    const nonces = requests.flatMap(({ nonce }) => nonce ?? []);
    const spent = await spentNonces.find(nonces, tx);
    const decisions: (Decision | undefined)[] = [];
    for (const request of requests) {
      const link = links.get(keyOf(request));
      if (link) decisions.push(decide(request, link, spent));
      else decisions.push(skipped.has(keyOf(request)) ? undefined : { outcome: 'unknown' });
      if (Number(link?.push.payload?.length) >= largeBytes) await nextTurn();
    }
    const files = await recordViews(decisions.filter(isView), tx);
    const ended = decisions.some(isLate) ? (await lockPushes(digests, whenLocked, tx)).links : links;
    return requests.map((request, index) => {
      const decision = decisions[index];
      if (decision?.outcome === 'counted') return toClaim(decision, files.get(decision));
      const { row } = ended.get(keyOf(request)) ?? {};
      return isLate(decision) && row ? { outcome: 'expired', row } : decision;
    });
  }

  /** Decides one request, after those before it in the same transaction. */
  function decide(request: Attempt, link: LockedLink, spent: Set<string>): Decision {
    const decision = refusalOf(request, link, spent) ?? open(link, request.urlToken);
    if (decision.outcome !== 'counted') return decision;
    if (request.nonce) spent.add(keyOf(request.nonce));
    return { ...request, ...decision, ...countView(link) };
  }

  /** Decrypts a push under its own url token, whichever link was requested. A failure is that of one request. */
  function open({ row: { recipient }, push }: LockedLink, requestedToken: string) {
    const { row, payload: record, filesKey: sealedKey } = push;
    const { id } = row;
    try {
      if (record === null) throw damaged('a live push has no payload');
      const urlToken = recipient === null ? requestedToken : openPushLabel(keyring, row).urlToken;
      const payload = openPayload(keyring, record, { id, secret: urlToken });
      const filesKey = sealedKey && openFilesKey(keyring, sealedKey, { id, secret: urlToken });
      return { outcome: 'counted' as const, urlToken, payload, filesKey };
    } catch (error) {
      return { outcome: 'failed' as const, error };
    }
  }

  return { claimView, waiting: batches.waiting };
}
