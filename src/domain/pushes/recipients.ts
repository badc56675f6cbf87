import { maybeOpenLabel } from '../../crypto/cipher.ts';
import { inList, type Statements } from '../../database/database.ts';
import { columnsOf, rowReader } from '../../database/table.ts';
import type { DatabaseWithKeys } from '../base/index.ts';
import { type MailState, mailMessenger } from '../mail/index.ts';
import type { PushRecipient } from './push.ts';
import { mailKey, readMailStates } from './recipientMails.ts';
import { type PushRecipientRow, type PushRow, pushRecipientsTable } from './tables.ts';

/** Which views of a push: `count` of them, up to the number `last`. */
type ViewRange = { last: number; count: number };

export type PushRecipients = ReturnType<typeof createPushRecipients>;

/** The recipients of pushes. */
export function createPushRecipients({ database, keyring }: DatabaseWithKeys) {
  const { select } = database;
  const columns = columnsOf(pushRecipientsTable);
  const toRow = rowReader<PushRecipientRow>(pushRecipientsTable);

  /** The recipients of pushes, by the ids of the pushes, the first first. */
  async function ofPushes(
    pushIds: string[],
    { select }: Pick<Statements, 'select'> = database,
  ): Promise<Map<string, PushRecipient[]>> {
    const found = new Map<string, PushRecipient[]>();
    if (pushIds.length === 0) return found;
    const { names, binds } = inList(pushIds.map((id) => Buffer.from(id, 'hex')));
    const rows = await select<PushRecipientRow>(
      `SELECT ${columns} FROM push_recipients WHERE push_id IN (${names}) ORDER BY created_at, platform, address, id`,
      binds,
    );
    const isMailed = rows.some(({ platform }) => platform === mailMessenger);
    const states = isMailed
      ? await readMailStates({ names, binds }, { select })
      : new Map<string, MailState>();
    for (const row of rows) {
      const id = row.pushId.toString('hex');
      found.set(id, [...(found.get(id) ?? []), present(toRow(row), states.get(mailKey(row)) ?? null)]);
    }
    return found;
  }

  async function ofPush(id: Buffer, statements?: Pick<Statements, 'select'>): Promise<PushRecipient[]> {
    const key = id.toString('hex');
    return (await ofPushes([key], statements)).get(key) ?? [];
  }

  /**
   * Who opened a push with certain views, each once, the first first. Empty if one of these views came through the link
   * of nobody in particular.
   */
  async function openersOf(pushId: string, { last, count }: ViewRange): Promise<PushRecipient[]> {
    const id = Buffer.from(pushId, 'hex');
    const views = await select<{ recipientId: Buffer | null }>(
      `SELECT recipient_id AS recipientId FROM audit_rows
       WHERE push_id = $id AND kind = 'view' AND view_number > $last - $count AND view_number <= $last
       ORDER BY view_number`,
      { id, last, count },
    );
    const ids = [...new Set(views.map(({ recipientId }) => recipientId?.toString('hex')))];
    if (ids.length === 0 || ids.includes(undefined)) return [];
    const byId = new Map((await ofPush(id)).map((recipient) => [recipient.id, recipient]));
    return ids.flatMap((each) => byId.get(each ?? '') ?? []);
  }

  /** What each recipient of pushes can be found by, by the ids of the pushes: their name, and their address in a chat. */
  async function searchTextsOf(pushes: Pick<PushRow, 'id'>[]): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    if (pushes.length === 0) return found;
    const { names, binds } = inList(pushes.map(({ id }) => id));
    const rows = await select<
      Pick<PushRecipientRow, 'id' | 'pushId' | 'platform' | 'address' | 'name' | 'label'>
    >(
      `SELECT id, push_id AS pushId, platform, address, name, label FROM push_recipients WHERE push_id IN (${names})`,
      binds,
    );
    for (const row of rows) {
      const id = row.pushId.toString('hex');
      found.set(id, [
        ...(found.get(id) ?? []),
        `${nameOf(row) ?? ''}\n${isByMail(row) ? '' : (row.address ?? '')}`,
      ]);
    }
    return found;
  }

  const open = (id: Buffer, field: 'recipient' | 'recipient_token', record: Buffer | null) =>
    (record && maybeOpenLabel(keyring, record, { id, field })) ?? null;

  const nameOf = ({ id, name, label }: Pick<PushRecipientRow, 'id' | 'name' | 'label'>): string | null =>
    name ?? open(id, 'recipient', label);

  function present({ tokenSealed, ...row }: PushRecipientRow, state: MailState): PushRecipient {
    const { id, platform, address, isBound, needsCode, viewsMax, viewsUsed, openedAt, lastOpenedAt } = row;
    const user = isByMail(row) ? { platform: null, address: null } : { platform, address };
    return {
      id: id.toString('hex'),
      ...(user as Pick<PushRecipient, 'platform' | 'address'>),
      name: nameOf(row),
      ...(isByMail(row) && { mail: { needsCode, state } }),
      urlToken: open(id, 'recipient_token', tokenSealed),
      isBound,
      viewsMax,
      viewsUsed,
      openedAt,
      lastOpenedAt,
    };
  }

  return { ofPushes, ofPush, openersOf, searchTextsOf };
}

const isByMail = ({ platform }: Pick<PushRecipientRow, 'platform'>) => platform === mailMessenger;
