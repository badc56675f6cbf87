import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatCaller, ChatUser, Delivery, Domain, Notice } from '../../src/domain/index.ts';
import { asAnotherCaller } from './database.ts';
import type { TestService } from './service.ts';

let usersCreated = 0;

/** Somebody who was never heard of before, in a workspace of Slack. */
export function newChatUser(team = 'T1'): ChatUser {
  usersCreated += 1;
  return { platform: 'slack', address: `${team}:U${usersCreated}` };
}

/** Their asking for something, in their workspace. */
export const chatCaller = (
  chatUser: ChatUser = newChatUser(),
  overrides: Partial<ChatCaller> = {},
): ChatCaller => ({
  chatUser,
  workspace: chatUser.address.split(':')[0] ?? '',
  ...overrides,
});

/** Something brought to somebody. */
export type DeliveredNotice = { address: string; notice: Notice };

/** Delivers what waits, and gives what each of these people got; everybody, when none is named. */
export async function deliverNotices(
  { notices }: Domain,
  recipients: ChatUser[] = [],
  outcomeOf: () => Delivery = () => ({ outcome: 'sent' }),
): Promise<DeliveredNotice[]> {
  const delivered: DeliveredNotice[] = [];
  const messenger = {
    async deliver(address: string, notice: Notice): Promise<Delivery> {
      delivered.push({ address, notice });
      return outcomeOf();
    },
  };
  await notices.deliverDue({ slack: messenger, discord: messenger, webhook: messenger });
  return recipients.length === 0
    ? delivered
    : delivered.filter(({ address }) => recipients.some((person) => person.address === address));
}

/** What was brought, in short: to whom, and of what. */
export const summarize = (all: DeliveredNotice[]): string[] =>
  all.map(({ address, notice }) => `${address} ${notice.event}`).sort();

/** How many rows of a table there are, of all or of some. */
export async function countRows(
  { database }: Pick<TestService, 'database'>,
  table: string,
  condition = 'TRUE',
  binds: Record<string, string | number | Buffer> = {},
): Promise<number> {
  const sql = `SELECT COUNT(*) AS found FROM ${table} WHERE ${condition}`;
  const [row] = await database.select<{ found: number }>(sql, binds);
  return Number(row?.found);
}

/**
 * Erases an account's own row and who it is in chats, and commits that only when `act` has ended, or has waited for it a
 * while; gives what came of `act`.
 */
export async function duringErasure<T>(
  { database }: Pick<TestService, 'database'>,
  id: Buffer,
  action: () => Promise<T>,
): Promise<PromiseSettledResult<T>> {
  const { transaction } = database;
  let running: Promise<PromiseSettledResult<T>[]> = Promise.resolve([]);
  await transaction(async (tx) => {
    for (const condition of ['chat_identities WHERE account_id', 'accounts WHERE id'])
      await tx.execute(`DELETE FROM ${condition} = $id`, { id });
    running = Promise.allSettled([asAnotherCaller(action)]);
    await Promise.race([running, sleep(200)]);
  });
  const [result] = await running;
  if (result === undefined) throw new Error('nothing came of it');
  return result;
}

/** Everything that a database holds, as text: bytes both as they are and in hexadecimal. */
export async function dumpDatabase({ database }: Pick<TestService, 'database'>): Promise<string> {
  const tables = await database.sequelize.getQueryInterface().showAllTables();
  const dumps = tables.map(async (table) => {
    const name = typeof table === 'string' ? table : (table as { tableName: string }).tableName;
    const found = await database.select<Record<string, unknown>>(`SELECT * FROM ${name}`, {});
    return found.flatMap((row) => Object.values(row).map(toDumpText));
  });
  return (await Promise.all(dumps)).flat().join('\n');
}

function toDumpText(value: unknown): string {
  return Buffer.isBuffer(value)
    ? `${value.toString('latin1')}\n${value.toString('utf8')}\n${value.toString('hex')}`
    : String(value);
}
