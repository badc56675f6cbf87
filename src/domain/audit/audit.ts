import { createHash } from 'node:crypto';
import { newId } from '../../crypto/ids.ts';
import { type Database, forEachRow, type Statements, type Tx } from '../../database/database.ts';
import { type ClientInfo, clientColumns } from '../client.ts';

/**
 * What happened to a push. `expire` is a manual expiry, `preview` a request that could have led to a view and used none,
 * `download` the download of one file. `asked_again` happens once, after the end.
 */
export type AuditKind =
  | 'creation'
  | 'view'
  | 'failed_view'
  | 'failed_passphrase'
  | 'expire'
  | 'preview'
  | 'download'
  | 'edit'
  | 'asked_again';

/**
 * How a view was opened: by holding the button of its page, by typing the word there, with a passphrase as well, by
 * following a link without a retrieval step, or by a program.
 */
export type OpenedBy = 'hold' | 'word' | 'passphrase' | 'link' | 'api';

export type AuditRow = Pick<ClientInfo, 'ip' | 'userAgent' | 'referrer'> & {
  kind: AuditKind;
  /** Of a view alone. */
  openedBy: OpenedBy | null;
  createdAt: number;
  /** How many events the row stands for, and when the last one was. Both client and texts are those of the last one. */
  times: number;
  updatedAt: number;
  /** Through whose link a view came; null for the push's own. */
  recipientId: Buffer | null;
};

/** What a client did with a push: a view has its number among those of the push, and its recipient, if any. */
export type AuditEvent = {
  pushId: Buffer;
  client: ClientInfo;
  openedBy?: OpenedBy | undefined;
  viewNumber?: number;
  recipientId?: Buffer | undefined;
};

const auditPageSize = 50;
/**
 * Five bounded kinds, 100 views, creation and expiry keep a push below 2,000 rows, even when concurrent requests
 * exceed the bound. One more row counts what comes after them.
 */
const rowsPerKind = 300;
/** Everybody who opens a secret loads its page first, and so do machines, which say little. */
const previewRows = 20;

export type Audit = ReturnType<typeof createAudit>;

/** The log of what happened to each push, oldest first. */
export function createAudit(database: Database) {
  const { select, dialect } = database;
  const valuesOf = forEachRow(
    `($pushId, $id, $kind, $ip, $userAgent, $referrer, $openedBy, ${dialect.now}, $viewNumber, $recipientId)`,
  );

  /** Writes a row, in the event's transaction if there is one. */
  async function record(pushId: Buffer, kind: AuditKind, client: ClientInfo, tx?: Tx): Promise<void> {
    await recordAll([{ pushId, client }], kind, tx);
  }

  /** Writes a row for each event, in their order. */
  async function recordAll(events: AuditEvent[], kind: AuditKind, tx?: Tx): Promise<void> {
    const rows = events.map(({ pushId, client, openedBy = null, viewNumber = null, recipientId = null }) => ({
      pushId,
      id: newId(),
      kind,
      openedBy,
      ...clientColumns(client),
      viewNumber,
      recipientId,
    }));
    const { sql, binds } = valuesOf(rows);
    await (tx ?? database).execute(
      `INSERT INTO audit_rows
         (push_id, id, kind, ip, user_agent, referrer, opened_by, created_at, view_number, recipient_id)
       VALUES ${sql}`,
      binds,
    );
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
    const statements = tx ?? database;
    if (await hasRoomFor(pushId, kind, statements)) {
      await record(pushId, kind, client, tx);
      return 1;
    }
    const add = `INSERT INTO audit_rows (push_id, id, kind, ip, user_agent, referrer, created_at, times, updated_at)
       VALUES ($pushId, $id, $kind, $ip, $userAgent, $referrer, ${dialect.now}, ${dialect.returning('1')}, ${dialect.now})
       ${dialect.onConflict('push_id, id')}
         times = ${dialect.returning('audit_rows.times + 1')}, updated_at = ${dialect.now},
         ip = $ip, user_agent = $userAgent, referrer = $referrer`;
    const bind = { pushId, id: idOfRest(kind), kind, ...clientColumns(client) };
    return statements.insertReturning(add, 'times', bind);
  }

  async function hasRoomFor(pushId: Buffer, kind: AuditKind, statements: Statements): Promise<boolean> {
    const [count] = await statements.select<{ written: number }>(
      'SELECT COUNT(*) AS written FROM audit_rows WHERE push_id = $pushId AND kind = $kind',
      { pushId, kind },
    );
    return Number(count?.written) < (kind === 'preview' ? previewRows : rowsPerKind);
  }

  const columns = `kind, ip, user_agent AS userAgent, referrer, opened_by AS openedBy, created_at AS createdAt, times,
    COALESCE(updated_at, created_at) AS updatedAt, recipient_id AS recipientId`;
  /** The push's own row serves as its `creation` row. */
  const log = `(
    SELECT 0 AS later, id, 'creation' AS kind, creator_ip AS ip, creator_user_agent AS user_agent,
           creator_referrer AS referrer, NULL AS opened_by, created_at, 1 AS times, NULL AS updated_at,
           NULL AS recipient_id
    FROM pushes WHERE id = $pushId
    UNION ALL
    SELECT 1 AS later, id, kind, ip, user_agent, referrer, opened_by, created_at, times, updated_at, recipient_id
    FROM audit_rows WHERE push_id = $pushId
  ) AS log`;

  /** One page of 50 rows. The first page is 1. */
  async function page(pushId: Buffer, page: number): Promise<AuditRow[]> {
    return select<AuditRow>(
      `SELECT ${columns} FROM ${log}
       ORDER BY later, created_at, id LIMIT ${auditPageSize} OFFSET ${(page - 1) * auditPageSize}`,
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

  /** Whether a push has a row of a kind. */
  async function has(pushId: Buffer, kind: AuditKind, tx: Tx): Promise<boolean> {
    const sql = 'SELECT 1 FROM audit_rows WHERE push_id = $pushId AND kind = $kind LIMIT 1';
    return (await tx.select(sql, { pushId, kind })).length > 0;
  }

  return { record, recordAll, recordBounded, has, page, newest };
}

/** The id of the row that counts what is too much for rows of their own. */
function idOfRest(kind: AuditKind): Buffer {
  return createHash('sha256').update(`rest ${kind}`).digest().subarray(0, 16);
}
