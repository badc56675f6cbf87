import { setImmediate as nextTurn } from 'node:timers/promises';
import { damaged, openFilesKey, openPayload, openSender } from '../../../crypto/cipher.ts';
import type { Keyring } from '../../../crypto/keyring.ts';
import { sha256Digest } from '../../../crypto/pepper.ts';
import { urlTokenSha256 } from '../../../crypto/tokens.ts';
import { createBatches } from '../../../database/batches.ts';
import type { Tx } from '../../../database/database.ts';
import { isHopeless } from '../../../database/errors.ts';
import { retry } from '../../../retry.ts';
import type { Observer } from '../../base/index.ts';
import type { Downloads } from '../../files/index.ts';
import type { DamageRecords } from '../damage.ts';
import { openPushLabel } from '../label.ts';
import {
  type Decision,
  decideInOrder,
  isGone,
  mayBeRepeated,
  type Opened,
  type Refusal,
  type View,
  type ViewRequest,
} from './decide.ts';
import { createLinkLock, groupBytes, isLarge, type LockedLink, type WhenLocked } from './lock.ts';
import { isSpentNonce, type SpentNonces } from './nonces.ts';
import { createViewRecorder, type RecordDependencies } from './record.ts';

type Dependencies = RecordDependencies & {
  keyring: Keyring;
  downloads: Pick<Downloads, 'requireStored'>;
  spentNonces: Pick<SpentNonces, 'find' | 'add'>;
  damage: Pick<DamageRecords, 'record'>;
  observer: Observer;
};

/** `looksForSpent`: whether each nonce is looked for, even where a push refuses nobody. */
type HowToClaim = { whenLocked: WhenLocked; looksForSpent: boolean };

export type ClaimView = ReturnType<typeof createClaim>['claimView'];

/** Thrown right before COMMIT, which then does not happen, if a client has gone that a view was counted for. */
class ClientGone extends Error {}

/** How often requests that share a transaction are tried without delay (see `atOnce`). Then each is tried alone. */
const attemptsAtOnce = 3;

/**
 * The only way to a payload. A claim is one transaction, which requests that arrive together share; a single request is a
 * group of one. These are the steps of `claimAll`:
 *
 * 1. Lock (lock.ts). SELECT … FOR UPDATE reads the pushes, and the recipients of the links, and locks other transactions
 *    out until the end. A group skips what they have locked; that is claimed alone afterwards, and waits.
 * 2. Decide (decide.ts). Each request by its locked row and the database's clock, after the requests before it. For a view,
 *    the payload is decrypted at once, but only into memory: what cannot be decrypted costs no view.
 * 3. Count (record.ts, also for steps 4 to 6). The UPDATEs repeat the conditions of step 2. If they change other rows than
 *    those that were read, everything is rolled back and tried again.
 * 4. Erase. The UPDATE of a push's last view also erases its payload, its passphrase and the key of its files.
 * 5. Audit. A row for each view; beside it a grant for the files, and the nonce with a copy for the same client.
 * 6. Notices. Into the outbox, so that they leave if, and only if, the view counts.
 * 7. COMMIT, and only then give: `claimView` returns what was decrypted.
 *
 * So at most `viewsMax` callers ever get a payload, and at most as many through a recipient's link as that recipient has
 * views. Each failure before COMMIT is sent rolls back; requests of a group that failed are tried one by one. If the result
 * of COMMIT is unknown, no caller gets anything and nothing is tried again: a view may be lost, but none is given twice.
 *
 * A client that has disconnected gets no view. Step 2 asks whether it is still there, and so does the last line before
 * COMMIT: if one has gone in between, all is rolled back and done again, without it.
 */
export function createClaim(dependencies: Dependencies) {
  const { database, keyring, downloads, spentNonces, damage, observer } = dependencies;
  const { transaction, dialect } = database;
  const lockLinks = createLinkLock(database);
  const recordViews = createViewRecorder(dependencies);
  const batches = createBatches<ViewRequest, Decision>(
    {
      run: claimTogether,
      keyOf: ({ digest }) => digest.toString('hex'),
      bytesOf: ({ payloadBytes = 0 }) => payloadBytes,
      withoutRun: (request) => (isGone(request) ? { outcome: 'gone' } : undefined),
      isFinal: isHopeless,
      onStart: (size, waitedMs) => observer.batched('claim', size, waitedMs),
    },
    { running: dialect.parallelBatches, bytes: groupBytes },
  );

  /**
   * Claims one view. A nonce claims only once: the second time, the outcome is `repeated`. Throws `unavailable` while
   * files of the push are unavailable, and when the push is damaged, which is recorded.
   */
  async function claimView(asked: Omit<ViewRequest, 'urlTokenSha256' | 'digest'>) {
    const sha256 = urlTokenSha256(asked.urlToken);
    const request = { urlTokenSha256: sha256, digest: sha256Digest(keyring, sha256), ...asked };
    const claim = await untilDecided(request).catch((error) => damage.record(asked.urlToken, error));
    observer.claimed(claim.outcome);
    if (claim.outcome === 'claimed' && isLarge(claim.payload.length)) await ownTurn();
    return claim;
  }

  let lastTurn: Promise<unknown> = Promise.resolve();

  /** The next turn of the event loop that no other long view has: to send one takes milliseconds, and a group has several. */
  function ownTurn(): Promise<unknown> {
    lastTurn = lastTurn.then(nextTurn);
    return lastTurn;
  }

  /** Claims again, knowing more, until there is a view or a refusal. */
  async function untilDecided(request: ViewRequest, claim = batches.submit): Promise<View | Refusal> {
    const decision = await claim(request);
    switch (decision.outcome) {
      case 'skipped':
        return untilDecided(request, claimAlone);
      case 'no room':
        return untilDecided({ ...request, payloadBytes: decision.payloadBytes });
      case 'files unchecked':
        await downloads.requireStored(decision.pushId); // may be slow, so no row is locked meanwhile
        return untilDecided({ ...request, filesChecked: true });
      case 'failed':
        throw decision.error;
      default:
        return decision;
    }
  }

  /** Tries several requests once: if that fails, each is tried alone. */
  function claimTogether(requests: ViewRequest[]): Promise<Decision[]> {
    const limit = requests.length === 1 ? {} : { attempts: 1 };
    return atOnce((looksForSpent) =>
      transaction((tx) => claimAll(requests, { whenLocked: 'skip', looksForSpent }, tx), limit),
    );
  }

  async function claimAlone(request: ViewRequest): Promise<Decision> {
    const [decision] = await atOnce((looksForSpent) =>
      transaction((tx) => claimAll([request], { whenLocked: 'wait', looksForSpent }, tx)),
    );
    return decision ?? { outcome: 'unknown' };
  }

  /** Returns what is decided about each request, to be given once the transaction is committed. */
  async function claimAll(requests: ViewRequest[], how: HowToClaim, tx: Tx): Promise<Decision[]> {
    const { decisions, views } = await decideAll(requests, how, tx);
    await recordViews(views, tx);
    const current = decisions.some(isStale) ? await readEnds(requests, decisions, how, tx) : decisions;
    if (views.some(({ request }) => isGone(request))) throw new ClientGone(); // nothing is awaited between this and COMMIT
    return current;
  }

  /** Steps 1 and 2. */
  async function decideAll(requests: ViewRequest[], { whenLocked, looksForSpent }: HowToClaim, tx: Tx) {
    const locked = await lockLinks(requests, { whenLocked, withPayloads: true }, tx);
    const decided = await decideInOrder(locked, new Set(), open);
    if (!looksForSpent && !mayBeRepeated(decided, locked)) return decided;
    const nonces = requests.flatMap(({ nonce }) => nonce?.digest ?? []);
    const spent = await spentNonces.find(nonces, tx);
    return spent.size === 0 ? decided : decideInOrder(locked, spent, open);
  }

  /** Reads again the pushes that views of this transaction have ended, for those who came too late and see that end. */
  async function readEnds(
    requests: ViewRequest[],
    decisions: Decision[],
    { whenLocked }: HowToClaim,
    tx: Tx,
  ): Promise<Decision[]> {
    const locked = await lockLinks(requests, { whenLocked, withPayloads: false }, tx);
    return decisions.map((decision, index) => {
      const link = locked[index]?.link;
      return isStale(decision) && link && 'row' in link ? { ...decision, row: link.row } : decision;
    });
  }

  /** Decrypts a push under its own url token, whichever link was requested. */
  function open({ row, payload, filesKey, sender }: LockedLink, requestedToken: string): Opened {
    const { id } = row;
    if (payload === null) throw damaged('a live push has no payload');
    const urlToken = row.recipient === null ? requestedToken : openPushLabel(keyring, row.push).urlToken;
    return {
      urlToken,
      payload: openPayload(keyring, payload, { id, secret: urlToken }),
      filesKey: filesKey && openFilesKey(keyring, filesKey, { id, secret: urlToken }),
      sender: sender && openSender(keyring, sender, { id, secret: urlToken }),
    };
  }

  return { claimView, waiting: batches.waiting };
}

const isStale = (decision: Decision) => decision.outcome === 'expired' && decision.isStale;

/**
 * Claims again at once after a client had gone, which then counts for nothing, or if a nonce had claimed before: hardly any
 * has, so all are looked for only then.
 */
function atOnce<T>(claim: (looksForSpent: boolean) => Promise<T>): Promise<T> {
  let looksForSpent = false;
  return retry(() => claim(looksForSpent), {
    attempts: attemptsAtOnce,
    delayMs: () => 0,
    isRetryable: (error) => error instanceof ClientGone || isSpentNonce(error),
    onRetry: (error) => {
      looksForSpent ||= isSpentNonce(error);
    },
  });
}
