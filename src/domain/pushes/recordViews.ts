import { type Database, forEachRow, type Tx } from '../../database/database.ts';
import { StaleReadError } from '../../database/errors.ts';
import type { Audit } from '../audit/audit.ts';
import type { PushFile } from '../files/fileList.ts';
import type { Grants } from '../files/grants.ts';
import type { NoticeAddress } from '../notices/address.ts';
import type { Outbox } from '../notices/outbox.ts';
import type { PushSettings } from '../settings.ts';
import { erasure } from './erasure.ts';
import { isLive } from './live.ts';
import type { SpentNonces } from './spentNonces.ts';
import type { View } from './view.ts';
import { groupByPushUpdate, groupByRecipientUpdate } from './viewGroups.ts';

type Dependencies = {
  database: Database;
  audit: Audit;
  outbox: Outbox;
  grants: Grants;
  spentNonces: Pick<SpentNonces, 'add'>;
  settings: PushSettings;
};

export type RecordViews = ReturnType<typeof createViewRecorder>;

/** Whether the push ends with a view. */
const isLastView = ({ push, viewsUsed }: View) => viewsUsed >= push.viewsMax;

/** Writes what views change, with one statement for all of them where they are alike. */
export function createViewRecorder(dependencies: Dependencies) {
  const { database, audit, outbox, grants, spentNonces, settings } = dependencies;
  const { dialect } = database;
  const asRead = forEachRow('id = $id AND views_used = $viewsUsed', ' OR ');
  const update = (assignments: string, pushes: string) =>
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
   * Counts views of pushes that the transaction has locked, those of one push in their order, and erases a payload with
   * the last one. Writes the audit rows, grants, nonces and notices. Returns the files of each view. Throws
   * StaleReadError if a push has changed since it was read.
   */
  return async function recordViews(views: View[], tx: Tx): Promise<Map<View, PushFile[]>> {
    const files = new Map<View, PushFile[]>();
    if (views.length === 0) return files;
    await count(views, tx);
    await countOfRecipients(views, tx);
    const events = views.map(({ push, link, client, openedBy, viewsUsed }) => ({
      pushId: push.id,
      client,
      openedBy,
      viewNumber: viewsUsed,
      recipientId: link.recipient?.recipientId,
    }));
    await audit.recordAll(events, 'view', tx);
    for (const view of views) files.set(view, await issueGrant(view, tx));
    await spentNonces.add(
      views.flatMap((view) => toSpent(view, files.get(view))),
      tx,
    );
    for (const view of views) await writeNotices(view, tx);
    return files;
  };

  async function count(views: View[], tx: Tx): Promise<void> {
    for (const group of groupByPushUpdate(views)) {
      const { sql, binds } = asRead(group.pushes);
      const counted = await tx.execute(update(group.isLast ? erase : touch, sql), {
        ...binds,
        views: group.views,
        reserved: group.reserved,
      });
      if (counted !== group.pushes.length) throw new StaleReadError();
    }
  }

  async function countOfRecipients(views: View[], tx: Tx): Promise<void> {
    for (const { views: number, recipients } of groupByRecipientUpdate(views)) {
      const { sql, binds } = asRead(recipients);
      const counted = await tx.execute(updateRecipients(sql), { ...binds, views: number });
      if (counted !== recipients.length) throw new StaleReadError();
    }
  }

  async function writeNotices(view: View, tx: Tx): Promise<void> {
    const { push, viewsUsed } = view;
    await outbox.write('viewed', push, viewsUsed, tx);
    if (isLastView(view)) await outbox.write('expired_by_views', push, viewsUsed, tx);
    else await outbox.send('opened', push.id, spentRecipients(view), tx); // otherwise they are notified of the end
  }

  async function issueGrant(view: View, tx: Tx): Promise<PushFile[]> {
    const { push, urlToken, filesKey } = view;
    return filesKey === null
      ? []
      : grants.issue({ ...push, urlToken, filesKey }, { isLast: isLastView(view) }, tx);
  }
}

/** The recipient whose last view this is, if they are in a chat. */
function spentRecipients({ link: { recipient }, recipientViewsUsed }: View): NoticeAddress[] {
  if (recipient === null || recipientViewsUsed < recipient.linkViewsMax) return [];
  const { linkPlatform: messenger, linkAddress: address } = recipient;
  return messenger === null || address === null ? [] : [{ messenger, address }];
}

/** The nonce of a view, with a copy of what it shows. */
function toSpent(view: View, files: PushFile[] = []) {
  const { nonce, link, payload } = view;
  const viewsUsed = link.recipient === null ? view.viewsUsed : view.recipientViewsUsed;
  return nonce === undefined ? [] : [{ nonce, copy: { payload, files, viewsUsed } }];
}
