import { idOfName, newId } from '../../crypto/ids.ts';
import { createBatches } from '../../database/batches.ts';
import { type Database, forEachRow, inList, type Tx } from '../../database/database.ts';
import { pageSize } from '../base/index.ts';
import { type ClientInfo, clientColumns } from '../people/index.ts';
import type { AuditEvent, AuditKind, AuditRow } from './auditRow.ts';

/**
 * Five bounded kinds, 100 views, creation and expiry keep a push below 2,000 rows, even when concurrent requests
 * exceed the bound. One more row counts what comes after them.
 */
const rowsPerKind = 300;
/** Loading the page of a push. Every view begins so, and bots load it as well, so it says little. */
const previewRows = 20;

export type Audit = ReturnType<typeof createAudit>;

/** The log of what happened to each push. */
export function createAudit(database: Database) {
  const { dialect } = database;
  const insertion = forEachRow(
    `($pushId, $id, $kind, $ip, $userAgent, $referrer, $openedBy, ${dialect.now}, $viewNumber, $recipientId)`,
    {
      before: `INSERT INTO audit_rows
        (push_id, id, kind, ip, user_agent, referrer, opened_by, created_at, view_number, recipient_id) VALUES `,
    },
  );

  const bounded = createBatches(
    { run: recordWithRoom, keyOf: ({ pushId }: AuditEvent) => pushId.toString('hex') },
    { running: dialect.parallelBatches },
  );

  /** Writes a row, in the event's transaction if there is one. */
  async function record(pushId: Buffer, kind: AuditKind, client: ClientInfo, tx?: Tx): Promise<void> {
    await recordAll([{ pushId, kind, client }], tx);
  }

  /** Writes a row for each event, in their order. */
  async function recordAll(events: AuditEvent[], tx?: Tx): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map(
      ({ pushId, kind, client, openedBy = null, viewNumber = null, recipientId = null }) => ({
        pushId,
        id: newId(),
        kind,
        openedBy,
        ...clientColumns(client),
        viewNumber,
        recipientId,
      }),
    );
    const { sql, binds } = insertion(rows);
    await (tx ?? database).execute(sql, binds);
  }

  /**
   * Writes a row of a kind that anybody can cause at will, or adds to the row that counts what is too much for rows of
   * their own. Returns how many events the row stands for.
   */
  async function recordBounded(
    pushId: Buffer,
    kind: AuditKind,
    client: ClientInfo,
    tx?: Tx,
  ): Promise<number> {
    const event = { pushId, kind, client };
    const [isRecorded] = tx ? await recordWithRoom([event], tx) : [await bounded.submit(event)];
    if (isRecorded) return 1;
    const add = `INSERT INTO audit_rows (push_id, id, kind, ip, user_agent, referrer, created_at, times, updated_at)
       VALUES ($pushId, $id, $kind, $ip, $userAgent, $referrer, ${dialect.now}, ${dialect.returning('1')}, ${dialect.now})
       ${dialect.onConflict(
         'push_id, id',
         ['updated_at', 'ip', 'user_agent', 'referrer'],
         `times = ${dialect.returning('audit_rows.times + 1')}`,
       )}`;
    const bind = { pushId, id: idOfName(`rest ${kind}`), kind, ...clientColumns(client) };
    return (tx ?? database).insertReturning(add, 'times', bind);
  }

  /** Writes a row for each event that has room for one of its own. Returns which these are. */
  async function recordWithRoom(events: AuditEvent[], tx?: Tx): Promise<boolean[]> {
    const roomFor = await readRoom(events, tx);
    const hasRoom = events.map(roomFor);
    await recordAll(
      events.filter((_, index) => hasRoom[index]),
      tx,
    );
    return hasRoom;
  }

  /** What tells, of one event after the other, whether there is room for it. */
  async function readRoom(events: AuditEvent[], tx?: Tx): Promise<(event: AuditEvent) => boolean> {
    const keyOf = ({ pushId, kind }: Pick<AuditEvent, 'pushId' | 'kind'>) =>
      `${kind} ${pushId.toString('hex')}`;
    const { names, binds } = inList(events.map(({ pushId }) => pushId));
    const counts = await (tx ?? database).select<Pick<AuditEvent, 'pushId' | 'kind'> & { written: number }>(
      `SELECT push_id AS pushId, kind, COUNT(*) AS written FROM audit_rows WHERE push_id IN (${names})
       GROUP BY push_id, kind`,
      binds,
    );
    const written = new Map(counts.map((count) => [keyOf(count), Number(count.written)]));
    return (event) => {
      const count = (written.get(keyOf(event)) ?? 0) + 1;
      written.set(keyOf(event), count);
      return count <= (event.kind === 'preview' ? previewRows : rowsPerKind);
    };
  }

  /** Whether a push has a row of a kind. */
  async function has(pushId: Buffer, kind: AuditKind, tx: Tx): Promise<boolean> {
    const sql = 'SELECT 1 FROM audit_rows WHERE push_id = $pushId AND kind = $kind LIMIT 1';
    return (await tx.select(sql, { pushId, kind })).length > 0;
  }

  return { record, recordAll, recordBounded, has, ...createAuditReader(database) };
}

/** Reads the logs of pushes, oldest first. */
function createAuditReader({ select }: Database) {
  const columns = `kind, ip, user_agent AS userAgent, referrer, opened_by AS openedBy, created_at AS createdAt, times,
    COALESCE(updated_at, created_at) AS updatedAt, recipient_id AS recipientId`;

  /** The logs of the pushes whose id meets a condition. A push's own row serves as its `creation` row. */
  const logOf = (condition: string) => `(
    SELECT 0 AS later, id AS push_id, id, 'creation' AS kind, creator_ip AS ip, creator_user_agent AS user_agent,
           creator_referrer AS referrer, NULL AS opened_by, created_at, 1 AS times, NULL AS updated_at,
           NULL AS recipient_id
    FROM pushes WHERE id ${condition}
    UNION ALL
    SELECT 1 AS later, push_id, id, kind, ip, user_agent, referrer, opened_by, created_at, times, updated_at,
           recipient_id
    FROM audit_rows WHERE push_id ${condition}
  ) AS log`;
  const log = logOf('= $pushId');

  /** One page of rows. The first page is 1. */
  async function page(pushId: Buffer, page: number): Promise<AuditRow[]> {
    return select<AuditRow>(
      `SELECT ${columns} FROM ${log}
       ORDER BY later, created_at, id LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
      { pushId },
    );
  }

  /** The newest rows, oldest first, and how many rows come before them. */
  async function newest(pushId: Buffer, count: number): Promise<{ rows: AuditRow[]; earlier: number }> {
    const found = await select<AuditRow & { total: number }>(
      `SELECT ${columns}, COUNT(*) OVER () AS total FROM ${log}
       ORDER BY later DESC, created_at DESC, id DESC LIMIT ${count}`,
      { pushId },
    );
    return {
      rows: found.map(({ total: _, ...row }) => row).reverse(),
      earlier: Number(found[0]?.total ?? 0) - found.length,
    };
  }

  /** The whole logs of a few pushes, less than 2,000 rows each, in the order of their ids. */
  async function ofPushes(pushIds: Buffer[]): Promise<(AuditRow & { pushId: Buffer })[]> {
    if (pushIds.length === 0) return [];
    const { names, binds } = inList(pushIds);
    return select<AuditRow & { pushId: Buffer }>(
      `SELECT push_id AS pushId, ${columns} FROM ${logOf(`IN (${names})`)} ORDER BY push_id, later, created_at, id`,
      binds,
    );
  }

  return { page, newest, ofPushes };
}
