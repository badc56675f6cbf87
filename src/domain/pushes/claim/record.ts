import { type Database, forEachRow, padded, type Tx } from '../../../database/database.ts';
import { StaleReadError } from '../../../database/errors.ts';
import type { Audit, AuditEvent } from '../../audit/index.ts';
import type { PushSettings } from '../../base/index.ts';
import type { Grants, PushFile } from '../../files/index.ts';
import { mailMessenger } from '../../mail/index.ts';
import type { Outbox } from '../../outbox/index.ts';
import type { NoticeAddress } from '../../people/index.ts';
import { erasure } from '../erasure.ts';
import { isLive } from '../push.ts';
import type { View } from './decide.ts';
import type { SpentNonces } from './nonces.ts';

export type RecordDependencies = {
  database: Database;
  audit: Audit;
  outbox: Outbox;
  grants: Pick<Grants, 'issue'>;
  spentNonces: Pick<SpentNonces, 'add'>;
  settings: PushSettings;
};

/** Whether the push ends with a view. */
const isLastView = ({ row, viewNumber }: View) => viewNumber >= row.push.viewsMax;

/** Writes what views change, with one statement for all of them where they are alike. */
export function createViewRecorder(dependencies: RecordDependencies) {
  const { database, audit, outbox, grants, spentNonces, settings } = dependencies;
  const { dialect } = database;
  const asRead = forEachRow('id = $id AND views_used = $viewsUsed', { separator: ' OR ' });
  const updatePushes = (assignments: string, pushes: string) =>
    `UPDATE pushes SET ${assignments}, views_used = views_used + $views, views_reserved = views_reserved - $reserved
     WHERE (${pushes}) AND views_used + $views + views_reserved - $reserved <= views_max AND views_reserved >= $reserved
       AND ${isLive(dialect.now)}`;
  const updateRecipients = (recipients: string) =>
    `UPDATE push_recipients SET views_used = views_used + $views, opened_at = COALESCE(opened_at, ${dialect.now}),
       last_opened_at = ${dialect.now}, token_expires_at = CASE WHEN is_bound THEN ${dialect.now} END
     WHERE (${recipients}) AND views_used + $views <= views_max
       AND (token_expires_at IS NULL OR token_expires_at > ${dialect.now})`;
  const touch = `updated_at = ${dialect.now}, damaged_at = NULL`;
  const erase = erasure(dialect, settings);

  /**
   * Counts views of pushes that the transaction has locked, and erases each payload with the last one. Writes the audit
   * rows, grants, nonces and notices, and puts the files into the views. Throws StaleReadError if a push has changed since
   * it was read.
   */
  return async function recordViews(views: View[], tx: Tx): Promise<void> {
    if (views.length === 0) return;
    await countOfPushes(views, tx);
    await countOfRecipients(views, tx);
    await audit.recordAll(views.map(toAuditEvent), tx);
    for (const view of views) view.files = await issueGrant(view, tx);
    await spentNonces.add(views.flatMap(toSpent), tx);
    for (const view of views) await writeNotices(view, tx);
  };

  /** One statement for the pushes that have equally many views, as many for recipients among them, and all or none end. */
  async function countOfPushes(views: View[], tx: Tx): Promise<void> {
    const pushes = grouped(views, ({ row }) => row.id.toString('hex')).map((ofPush) => {
      const { id, viewsUsed } = ofPush[0].row.push;
      const reserved = ofPush.filter(({ row }) => row.recipient !== null).length;
      return { id, viewsUsed, views: ofPush.length, reserved, isLast: ofPush.some(isLastView) };
    });
    for (const alike of grouped(pushes, (push) => `${push.views} ${push.reserved} ${push.isLast}`)) {
      const [{ views, reserved, isLast }] = alike;
      const { sql, binds } = asRead(padded(alike));
      const statement = updatePushes(isLast ? erase : touch, sql);
      const counted = await tx.execute(statement, { ...binds, views, reserved });
      if (counted !== alike.length) throw new StaleReadError();
    }
  }

  async function countOfRecipients(views: View[], tx: Tx): Promise<void> {
    const used = views.flatMap(({ row }) => row.recipient ?? []);
    const recipients = grouped(used, ({ recipientId }) => recipientId.toString('hex')).map((ofOne) => {
      const [{ recipientId, linkViewsUsed }] = ofOne;
      return { id: recipientId, viewsUsed: linkViewsUsed, views: ofOne.length };
    });
    for (const alike of grouped(recipients, ({ views }) => String(views))) {
      const { sql, binds } = asRead(padded(alike));
      const counted = await tx.execute(updateRecipients(sql), { ...binds, views: alike[0].views });
      if (counted !== alike.length) throw new StaleReadError();
    }
  }

  async function issueGrant(view: View, tx: Tx): Promise<PushFile[]> {
    const { row, urlToken, filesKey } = view;
    return filesKey === null
      ? []
      : grants.issue({ ...row.push, urlToken, filesKey }, { isLast: isLastView(view) }, tx);
  }

  async function writeNotices(view: View, tx: Tx): Promise<void> {
    const { push } = view.row;
    await outbox.write('viewed', push, view.viewNumber, tx);
    if (isLastView(view)) await outbox.write('expired_by_views', push, view.viewNumber, tx);
    else await outbox.send('opened', push.id, spentRecipients(view), tx); // otherwise they are notified of the end
  }
}

const toAuditEvent = ({ row, request: { client, openedBy }, viewNumber }: View): AuditEvent => ({
  pushId: row.id,
  kind: 'view',
  client,
  openedBy,
  viewNumber,
  recipientId: row.recipient?.recipientId,
});

/** The nonce of a view, with a copy of what it shows. */
const toSpent = ({ request: { nonce }, row, payload, files, sender }: View) => {
  if (nonce === undefined) return [];
  const { viewsUsed, updatedAt, passphraseHash } = row;
  const hasPassphrase = passphraseHash !== null;
  return [{ nonce, copy: { payload, files, sender, viewsUsed, updatedAt, hasPassphrase } }];
};

/** The recipient whose last view this is, if they are in a chat. */
function spentRecipients({ row: { recipient, viewsUsed, viewsMax } }: View): NoticeAddress[] {
  if (recipient === null || viewsUsed < viewsMax) return [];
  const { linkPlatform: messenger, linkAddress: address } = recipient;
  return messenger === null || messenger === mailMessenger || address === null
    ? []
    : [{ messenger, address }];
}

/** Items with the same key together, in the order of the first of each. */
function grouped<Item>(items: Item[], keyOf: (item: Item) => string): [Item, ...Item[]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
