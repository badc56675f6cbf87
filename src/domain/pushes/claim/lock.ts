import { type Database, inList, type Tx } from '../../../database/database.ts';
import { type FoundRow, type LinkedRow, linkColumns, toLinkedRow } from '../recipientLink.ts';
import { pushColumns, toPushRow } from '../tables.ts';

/** A push through a link, as it was read and locked. `payload` is null once it is erased, and while it is unread. */
export type LockedLink = {
  row: LinkedRow;
  payload: Buffer | null;
  payloadBytes: number;
  filesKey: Buffer | null;
  sender: Buffer | null;
};

/** `skipped`: another transaction has locked it. `no room`: its payload is too large to be read with those of the others. */
export type NotLocked =
  | { outcome: 'unknown' }
  | { outcome: 'skipped' }
  | { outcome: 'no room'; payloadBytes: number };

/** What asks for a link, or is one, by the digest of its url token. */
type HasDigest = { digest: Buffer };
type LinkRequest = HasDigest & Pick<LinkedRow, 'urlTokenSha256'>;

type Found = FoundRow & Omit<LockedLink, 'row'> & HasDigest;

/** What to do about a row that another transaction has locked. */
export type WhenLocked = 'wait' | 'skip';

type LockOptions = { whenLocked: WhenLocked; withPayloads: boolean };
type Lock = { whenLocked: WhenLocked; payloadMax: number };

/** Other requests have their turn after each payload that is longer. */
const largeBytes = 32_768;
const longestBytes = 2 ** 31;

/** How long the payloads of a group are together, unless a single one is longer: 16 sealed payloads of a mebibyte fit. */
export const groupBytes = 17 * 1_048_576;

export const isLarge = (payloadBytes: number): boolean => payloadBytes > largeBytes;

const hex = ({ digest }: HasDigest) => digest.toString('hex');

/** Locks links: the rows of their pushes, and of their recipients. */
export function createLinkLock({ dialect }: Database) {
  const columns = `${pushColumns(dialect.now)}, CASE WHEN LENGTH(payload) <= $payloadMax THEN payload END AS payload,
    LENGTH(payload) AS payloadBytes, files_key AS filesKey, sender`;
  const locks = { wait: dialect.forUpdate, skip: dialect.skipLocked };

  /** Reads the links of requests and locks them until the transaction ends. Returns them in the order of the requests. */
  async function lockLinks<Request extends LinkRequest>(
    requests: Request[],
    { whenLocked, withPayloads }: LockOptions,
    tx: Tx,
  ): Promise<{ request: Request; link: LockedLink | NotLocked }[]> {
    const share = requests.length === 1 ? longestBytes : Math.floor(groupBytes / requests.length);
    const payloadMax = withPayloads ? share : 0;
    const { links, skipped } = await lockAll(requests, { whenLocked, payloadMax }, tx);
    const withoutRoom = withPayloads ? await readLarge(requests, links, tx) : new Set();
    const linkOf = (request: Request): LockedLink | NotLocked => {
      const link = links.get(hex(request));
      if (link === undefined) return { outcome: skipped.has(hex(request)) ? 'skipped' : 'unknown' };
      return withoutRoom.has(request) ? { outcome: 'no room', payloadBytes: link.payloadBytes } : link;
    };
    return requests.map((request) => ({ request, link: linkOf(request) }));
  }

  /** Looks among the pushes' own links, and only for the rest among those of recipients. */
  async function lockAll(requests: LinkRequest[], lock: Lock, tx: Tx) {
    const links = new Map<string, LockedLink>();
    const missing = new Map(requests.map((request) => [hex(request), request]));
    const add = (found: Found) => {
      const { payload, payloadBytes, filesKey, sender } = found;
      const key = hex(found);
      const request = missing.get(key);
      if (request === undefined) return;
      const row = toLinkedRow(toPushRow(found), request.urlTokenSha256);
      links.set(key, { row, payload, payloadBytes: Number(payloadBytes), filesKey, sender });
      missing.delete(key);
    };
    for (const found of await lockOwn([...missing.values()], lock, tx)) add(found);
    if (missing.size === 0) return { links, skipped: missing };
    const maySkip = lock.whenLocked === 'skip' && dialect.skipLocked !== '';
    const stored = maySkip ? await findStored([...missing.values()], tx) : [];
    const invited = maySkip ? stored.filter(({ isOwn }) => !isOwn) : [...missing.values()];
    for (const found of await lockInvited(invited, lock, tx)) add(found);
    return { links, skipped: new Set(stored.map(hex).filter((key) => missing.has(key))) };
  }

  function lockOwn(wanted: HasDigest[], { whenLocked, payloadMax }: Lock, tx: Tx): Promise<Found[]> {
    const { names, binds } = inList(wanted.map(({ digest }) => digest));
    return tx.select<Found>(
      `SELECT ${columns}, token_digest AS digest FROM pushes WHERE token_digest IN (${names}) ${locks[whenLocked]}`,
      { ...binds, payloadMax },
    );
  }

  /** Locks both rows, each recipient before the push. */
  async function lockInvited(
    wanted: HasDigest[],
    { whenLocked, payloadMax }: Lock,
    tx: Tx,
  ): Promise<Found[]> {
    if (wanted.length === 0) return [];
    const { names, binds } = inList(wanted.map(({ digest }) => digest));
    return tx.select<Found>(
      `SELECT ${columns}, r.token_digest AS digest, ${linkColumns}
       FROM push_recipients r JOIN pushes ON pushes.id = r.push_id
       WHERE r.token_digest IN (${names}) ${locks[whenLocked]}`,
      { ...binds, payloadMax },
    );
  }

  /** Which of these are links, including those whose rows are locked. */
  function findStored(wanted: HasDigest[], tx: Tx): Promise<(HasDigest & { isOwn: number })[]> {
    const { names, binds } = inList(wanted.map(({ digest }) => digest));
    return tx.select(
      `SELECT token_digest AS digest, 1 AS isOwn FROM pushes WHERE token_digest IN (${names})
       UNION ALL SELECT token_digest AS digest, 0 AS isOwn FROM push_recipients WHERE token_digest IN (${names})`,
      binds,
    );
  }

  /**
   * Reads the payloads that were longer than their share of a group, as far as there is room beside the others. Returns the
   * requests that have none.
   */
  async function readLarge(
    requests: HasDigest[],
    links: Map<string, LockedLink>,
    tx: Tx,
  ): Promise<Set<HasDigest>> {
    const withRoom: LockedLink[] = [];
    const withoutRoom = new Set<HasDigest>();
    let room = [...links.values()].reduce((left, { payload }) => left - (payload?.length ?? 0), groupBytes);
    for (const request of requests) {
      const link = links.get(hex(request));
      if (link === undefined || link.payload !== null || link.payloadBytes === 0) continue;
      if (withRoom.length > 0 && link.payloadBytes > room) withoutRoom.add(request);
      else {
        withRoom.push(link);
        room -= link.payloadBytes;
      }
    }
    if (withRoom.length === 0) return withoutRoom;
    const { names, binds } = inList(withRoom.map(({ row }) => row.id));
    const found = await tx.select<{ id: Buffer; payload: Buffer }>(
      `SELECT id, payload FROM pushes WHERE id IN (${names})`,
      binds,
    );
    for (const link of withRoom)
      link.payload = found.find(({ id }) => id.equals(link.row.id))?.payload ?? null;
    return withoutRoom;
  }

  return lockLinks;
}
