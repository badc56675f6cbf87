import { maybeOpenLabel } from '../../crypto/cipher.ts';
import type { inList, Statements } from '../../database/database.ts';
import type { DatabaseWithKeys } from '../base/index.ts';
import { type MailOutcome, type MailState, mailMessenger, mailStateOf } from '../mail/index.ts';
import type { PushRecipientRow } from './tables.ts';

/** What the mail to a recipient needs. `sender` is whose push it is. */
export type MailedRecipient = { urlToken: string; viewsMax: number; needsCode: boolean; sender: string };

type MailRow = Pick<PushRecipientRow, 'id' | 'tokenSealed' | 'viewsMax'> & {
  needsCode: number;
  sender: string;
};

/** Creates what reads what mails to recipients need. */
export function createRecipientMails({ database: { select }, keyring }: DatabaseWithKeys) {
  /**
   * A recipient whom mails reach at the address of a notice, with their link. Undefined once it is withdrawn. The sender is the
   * address of the account or, where that was made in a chat, the name there.
   */
  return async function maybeMailed(pushId: Buffer, address: string): Promise<MailedRecipient | undefined> {
    const [row] = await select<MailRow>(
      `SELECT r.id, r.token_sealed AS tokenSealed, r.views_max AS viewsMax, r.needs_code AS needsCode,
         CASE WHEN a.email LIKE '%@%' THEN a.email ELSE COALESCE(
           (SELECT MIN(i.name) FROM chat_identities i WHERE i.account_id = a.id), a.email) END AS sender
       FROM push_recipients r JOIN pushes p ON p.id = r.push_id JOIN accounts a ON a.id = p.account_id
       WHERE r.push_id = $pushId AND r.platform = '${mailMessenger}' AND r.address = $address AND r.views_used < r.views_max`,
      { pushId, address },
    );
    if (row === undefined || row.tokenSealed === null) return undefined;
    const urlToken = maybeOpenLabel(keyring, row.tokenSealed, { id: row.id, field: 'recipient_token' });
    const { viewsMax, needsCode, sender } = row;
    return urlToken === undefined ? undefined : { urlToken, viewsMax, needsCode: Boolean(needsCode), sender };
  };
}

type MailedNotice = MailOutcome & { pushId: Buffer; address: string };

/** What became of the last mails with the links of pushes, by `mailKey`. */
export async function readMailStates(
  { names, binds }: ReturnType<typeof inList>,
  { select }: Pick<Statements, 'select'>,
): Promise<Map<string, MailState>> {
  const rows = await select<MailedNotice>(
    `SELECT push_id AS pushId, address, sent_at AS sentAt, ended_at AS endedAt, last_problem AS reason FROM notices
     WHERE push_id IN (${names}) AND messenger = '${mailMessenger}' AND event IN ('shared', 'reminded')
     ORDER BY created_at, id`,
    binds,
  );
  return new Map(rows.map((row) => [mailKey(row), mailStateOf(row)]));
}

/** Tells a recipient of a push from the others. */
export const mailKey = ({ pushId, address }: { pushId: Buffer; address: string | null }) =>
  `${pushId.toString('hex')} ${address}`;
