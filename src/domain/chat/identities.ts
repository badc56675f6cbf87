import type { Transaction } from 'sequelize';
import type { Owner } from '../accounts/accounts.ts';
import type { Database } from '../database.ts';
import { newId } from '../ids.ts';
import { encodeChoice, everyNotice } from '../notifications/choice.ts';
import { createRecipients } from '../notifications/recipients.ts';
import { accountNameOf, type Platform, type Speaker } from './speaker.ts';

export type Identities = ReturnType<typeof createIdentities>;

/** Who people in a chat are to us: each has an account, made on first use, so chat, API and pages show the same pushes. */
export function createIdentities(database: Database) {
  const { rows, change, unitOfWork, dialect } = database;
  const recipients = createRecipients(database);

  /** The account of a speaker who was here before. */
  async function maybeOwner(
    { platform, address }: Speaker,
    transaction?: Transaction,
  ): Promise<Owner | undefined> {
    const [found] = await rows<Owner>(
      `SELECT a.id, a.email, a.subscribed, a.notify FROM chat_identities i JOIN accounts a ON a.id = i.account_id
       WHERE i.platform = $platform AND i.address = $address`,
      { platform, address },
      transaction && { transaction },
    );
    return found && { ...found, subscribed: Boolean(found.subscribed) };
  }

  /** The account that a speaker's pushes belong to; makes it, and has its notices go to that chat, when there is none. */
  async function ownerOf(speaker: Speaker): Promise<Owner> {
    const known = await maybeOwner(speaker);
    if (known !== undefined) return known;
    return unitOfWork(async (transaction) => {
      const id = newId();
      const name = accountNameOf(speaker);
      const notify = encodeChoice(everyNotice);
      const { platform, address } = speaker;
      // of several at once one makes the account; the others wait for it here, and find it
      await change(
        `INSERT INTO accounts (id, email, subscribed, notify, created_at)
         VALUES ($id, $name, FALSE, $notify, ${dialect.now})
         ${dialect.onConflict('email')} email = ${dialect.wanted('email')}`,
        { id, name, notify },
        { transaction },
      );
      await change(
        `INSERT INTO chat_identities (platform, address, account_id, created_at)
         SELECT $platform, $address, id, ${dialect.now} FROM accounts WHERE email = $name
         ${dialect.onConflict('platform, address')} address = ${dialect.wanted('address')}`,
        { platform, address, name },
        { transaction },
      );
      const owner = await maybeOwner(speaker, transaction);
      if (owner === undefined) throw new Error('a speaker has no account');
      await recipients.add({ accountId: owner.id, messenger: platform, address }, transaction);
      return owner;
    });
  }

  /**
   * Joins a speaker to an account: what was theirs alone is that account's from then on, and its notices reach them. The
   * account that was made for the speaker goes, unless others share it.
   */
  async function join(speaker: Speaker, owner: Owner): Promise<void> {
    const mine = await ownerOf(speaker);
    if (mine.id.equals(owner.id)) return;
    const { platform, address } = speaker;
    const binds = { from: mine.id, to: owner.id };
    await unitOfWork(async (transaction) => {
      const options = { transaction };
      await recipients.remove({ accountId: mine.id, messenger: platform, address }, transaction);
      await recipients.add({ accountId: owner.id, messenger: platform, address }, transaction);
      await change(
        'UPDATE chat_identities SET account_id = $to WHERE platform = $platform AND address = $address',
        { to: owner.id, platform, address },
        options,
      );
      if (mine.email !== accountNameOf(speaker)) return;
      await change('UPDATE pushes SET account_id = $to WHERE account_id = $from', binds, options);
      await change('UPDATE chat_identities SET account_id = $to WHERE account_id = $from', binds, options);
      await change('DELETE FROM recipients WHERE account_id = $from', { from: mine.id }, options);
      await change('DELETE FROM api_tokens WHERE account_id = $from', { from: mine.id }, options);
      await change('DELETE FROM accounts WHERE id = $from', { from: mine.id }, options);
    });
  }

  /** Who the owner of a push is on a platform: nobody, one, or several. */
  async function speakersOf(pushId: string, platform: Platform): Promise<Speaker[]> {
    return rows<Speaker>(
      `SELECT i.platform, i.address FROM pushes p JOIN chat_identities i ON i.account_id = p.account_id
       WHERE p.id = $id AND i.platform = $platform ORDER BY i.created_at`,
      { id: Buffer.from(pushId, 'hex'), platform },
    );
  }

  /** Remembers that no message reaches a speaker, or that one does again. */
  async function setReachable({ platform, address }: Speaker, isReachable: boolean): Promise<void> {
    await change(
      `UPDATE chat_identities SET unreachable_since = ${isReachable ? 'NULL' : dialect.now}
       WHERE platform = $platform AND address = $address AND unreachable_since IS ${isReachable ? 'NOT NULL' : 'NULL'}`,
      { platform, address },
    );
  }

  return { maybeOwner, ownerOf, speakersOf, join, setReachable };
}
