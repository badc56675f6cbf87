import { type Database, forEachRow, type Tx } from '../../database/database.ts';
import { StaleReadError } from '../../database/errors.ts';
import type { Audit, OpenedBy } from '../audit/audit.ts';
import type { ClientInfo } from '../client.ts';
import type { PushFile } from '../files/fileList.ts';
import type { Grants } from '../files/grants.ts';
import type { Outbox } from '../notices/outbox.ts';
import type { PushSettings } from '../settings.ts';
import { erasure } from './erasure.ts';
import type { PushRow } from './push.ts';
import type { RevealNonce, SpentNonces } from './spentNonces.ts';

/** A view that is to be counted. */
export type View = {
  outcome: 'counted';
  /** The push as it was read. */
  push: PushRow;
  /** How many views of the push are used, with this one. */
  viewsUsed: number;
  urlToken: string;
  payload: string;
  filesKey: Buffer | null;
  client: ClientInfo;
  openedBy?: OpenedBy | undefined;
  nonce?: RevealNonce | undefined;
};

type Dependencies = {
  database: Database;
  audit: Audit;
  outbox: Outbox;
  grants: Grants;
  spentNonces: Pick<SpentNonces, 'add'>;
  settings: PushSettings;
};

export type RecordViews = ReturnType<typeof createViewRecorder>;

const isLast = ({ push, viewsUsed }: View) => viewsUsed >= push.viewsMax;

/** Writes what views change, with one statement for all of them where they are alike. */
export function createViewRecorder(dependencies: Dependencies) {
  const { database, audit, outbox, grants, spentNonces, settings } = dependencies;
  const { dialect } = database;
  const asRead = forEachRow('id = $id AND views_used = $viewsUsed', ' OR ');
  const update = (assignments: string, pushes: string) =>
    `UPDATE pushes SET ${assignments}, views_used = views_used + $views
     WHERE (${pushes}) AND views_used + $views <= views_max AND expired_on IS NULL AND expires_at > ${dialect.now}`;
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
    const events = views.map(({ push, client, openedBy }) => ({ pushId: push.id, client, openedBy }));
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
    for (const group of groupByUpdate(views)) {
      const { sql, binds } = asRead(group.pushes);
      const counted = await tx.execute(update(group.isEnd ? erase : touch, sql), {
        ...binds,
        views: group.views,
      });
      if (counted !== group.pushes.length) throw new StaleReadError();
    }
  }

  async function writeNotices(view: View, tx: Tx): Promise<void> {
    const { push, viewsUsed } = view;
    await outbox.write('viewed', push, viewsUsed, tx);
    if (isLast(view)) await outbox.write('expired_by_views', push, viewsUsed, tx);
  }

  async function issueGrant(view: View, tx: Tx): Promise<PushFile[]> {
    const { push, urlToken, filesKey } = view;
    return filesKey === null
      ? []
      : grants.issue({ ...push, urlToken, filesKey }, { isLast: isLast(view) }, tx);
  }
}

/** The nonce of a view, with a copy of what it shows. */
function toSpent({ nonce, payload, viewsUsed }: View, files: PushFile[] = []) {
  return nonce === undefined ? [] : [{ nonce, copy: { payload, files, viewsUsed } }];
}

/** The pushes of these views. One statement updates those with as many views each, if all of them end or none. */
function groupByUpdate(views: View[]) {
  const lastViews = new Map(views.map((view) => [view.push.id.toString('hex'), view]));
  const groups = new Map<string, { views: number; isEnd: boolean; pushes: PushRow[] }>();
  for (const view of lastViews.values()) {
    const { push, viewsUsed } = view;
    const added = viewsUsed - push.viewsUsed;
    const key = `${added} ${isLast(view)}`;
    const group = groups.get(key) ?? { views: added, isEnd: isLast(view), pushes: [] };
    group.pushes.push(push);
    groups.set(key, group);
  }
  return groups.values();
}
