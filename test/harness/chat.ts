import { setTimeout as sleep } from 'node:timers/promises';
import type { Asker, Delivery, Domain, Notice, Speaker } from '../../src/domain/index.ts';
import type { TestService } from './service.ts';

let people = 0;

/** Somebody who was never heard of before, in a workspace of Slack. */
export function somebody(team = 'T1'): Speaker {
  people += 1;
  return { platform: 'slack', address: `${team}:U${people}` };
}

/** Their asking for something, in their workspace. */
export const asker = (speaker: Speaker = somebody(), more: Partial<Asker> = {}): Asker => ({
  speaker,
  workspace: speaker.address.split(':')[0] ?? '',
  ...more,
});

/** Something brought to somebody. */
export type Told = { address: string; notice: Notice };

/** Delivers what waits, and gives what each of these people got; everybody, when none is named. */
export async function told(
  { notices }: Domain,
  people: Speaker[] = [],
  answer: () => Delivery = () => ({ outcome: 'sent' }),
): Promise<Told[]> {
  const all: Told[] = [];
  const messenger = {
    async deliver(address: string, notice: Notice): Promise<Delivery> {
      all.push({ address, notice });
      return answer();
    },
  };
  await notices.deliverDue({ slack: messenger, discord: messenger, webhook: messenger });
  return people.length === 0
    ? all
    : all.filter(({ address }) => people.some((person) => person.address === address));
}

/** What was brought, in short: to whom, and of what. */
export const inShort = (all: Told[]): string[] =>
  all.map(({ address, notice }) => `${address} ${notice.event}`).sort();

/** How many rows of a table there are, of all or of some. */
export async function countOf(
  { database }: Pick<TestService, 'database'>,
  table: string,
  condition = 'TRUE',
  binds: Record<string, string | number | Buffer> = {},
): Promise<number> {
  const sql = `SELECT COUNT(*) AS found FROM ${table} WHERE ${condition}`;
  const [row] = await database.rows<{ found: number }>(sql, binds);
  return Number(row?.found);
}

/**
 * Erases an account's own row and who it is in chats, and commits that only when `act` has ended, or has waited for it a
 * while; gives what came of `act`.
 */
export async function whileErasing<T>(
  { database }: Pick<TestService, 'database'>,
  id: Buffer,
  act: () => Promise<T>,
): Promise<PromiseSettledResult<T>> {
  const { change, unitOfWork } = database;
  let acting: Promise<PromiseSettledResult<T>[]> = Promise.resolve([]);
  await unitOfWork(async (transaction) => {
    for (const condition of ['chat_identities WHERE account_id', 'accounts WHERE id'])
      await change(`DELETE FROM ${condition} = $id`, { id }, { transaction });
    acting = Promise.allSettled([act()]);
    await Promise.race([acting, sleep(200)]);
  });
  const [result] = await acting;
  if (result === undefined) throw new Error('nothing came of it');
  return result;
}

/** Everything that a database holds, as text: bytes both as they are and in hexadecimal. */
export async function dumpOf({ database }: Pick<TestService, 'database'>): Promise<string> {
  const tables = await database.sequelize.getQueryInterface().showAllTables();
  const dumps = tables.map(async (table) => {
    const name = typeof table === 'string' ? table : (table as { tableName: string }).tableName;
    const found = await database.rows<Record<string, unknown>>(`SELECT * FROM ${name}`, {});
    return found.flatMap((row) => Object.values(row).map(textOf));
  });
  return (await Promise.all(dumps)).flat().join('\n');
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value)
    ? `${value.toString('latin1')}\n${value.toString('utf8')}\n${value.toString('hex')}`
    : String(value);
}
