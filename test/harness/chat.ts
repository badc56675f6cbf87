import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Account,
  bindingWorkspace,
  type ChatCaller,
  type ChatUser,
  type Delivery,
  type Domain,
  type Notice,
  type Platform,
  type SecretRequest,
  type WorkspaceSettings,
} from '../../src/domain/index.ts';
import { asAnotherCaller } from './database.ts';
import type { TestService } from './service.ts';
import { freshlySignedIn } from './signedIn.ts';

let usersCreated = 0;

/** Settings that turn Slack on. It waits for requests of Slack, and sends none. */
export const slackOn = { SLACK_SIGNING_SECRET: 's', SLACK_CLIENT_ID: 'i', SLACK_CLIENT_SECRET: 'c' };

/** A new user in a Slack workspace. */
export function newChatUser(team = 'T1'): ChatUser {
  usersCreated += 1;
  return { platform: 'slack', address: `${team}:U${usersCreated}` };
}

/** A caller in the workspace of the user. */
export const chatCaller = (
  chatUser: ChatUser = newChatUser(),
  overrides: Partial<ChatCaller> = {},
): ChatCaller => ({
  chatUser,
  workspace: chatUser.address.split(':')[0] ?? '',
  idempotencyKey: null,
  ...overrides,
});

/** Sets the rules of a workspace, as somebody who manages it. `installation` is its organisation, if it has one. */
export const setRules = (
  { chat }: Pick<Domain, 'chat'>,
  platform: Platform,
  workspace: ChatCaller['workspace'],
  rules: WorkspaceSettings,
  installation = bindingWorkspace({ workspace }),
): Promise<void> =>
  chat.access.saveRules(
    {
      chatUser: { platform, address: `${installation}:UMANAGER` },
      workspace,
      standing: 'admin',
      idempotencyKey: null,
    },
    rules,
  );

/** Asks one person for a secret. */
export async function askFor(
  { chat }: Pick<Domain, 'chat'>,
  requester: ChatUser,
  provider: ChatUser,
  input: unknown = {},
  workspace?: string,
): Promise<SecretRequest> {
  const [request] = await chat.requests.create(requester, [provider], input, workspace);
  return request;
}

/** A notice that was delivered to an address. */
export type DeliveredNotice = { address: string; notice: Notice };

/** Delivers all due notices. Returns those for the given recipients, or for everyone if there are none. */
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

/** Recipient and event of each notice. */
export const summarize = (all: DeliveredNotice[]): string[] =>
  all.map(({ address, notice }) => `${address} ${notice.event}`).sort();

/** Links a chat user to an account, or signs a browser in as them, as the pages and the chat together do. */
export async function connectChat(
  domain: Domain,
  chatUser: ChatUser,
  { account = null, name = '@ann' }: { account?: Account | null; name?: string } = {},
): Promise<Account> {
  const { chat } = domain;
  const asker = account && (await freshlySignedIn(domain, account));
  const secret = await chat.requestLink(await chat.createConnectLink({ chatUser, name }), asker);
  const request = await chat.linkRequests.maybeOfBrowser(secret);
  await chat.linkRequests.confirm(chatUser, request?.id ?? '', request?.code ?? '');
  return account ?? chat.linkRequests.redeem(secret);
}

/** Types the code that a waiting browser shows into the chat, as its user. */
export async function confirmInChat(
  { chat }: Domain,
  chatUser: ChatUser,
  page: { text: string },
): Promise<void> {
  const [, code = 'no code'] = /<code>(\d{6})<\/code>/.exec(page.text) ?? [];
  const request = await chat.linkRequests.maybeOpenOf(chatUser);
  await chat.linkRequests.confirm(chatUser, request?.id ?? '', code);
}

/** Counts the rows of a table that meet a condition. */
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
 * Erases an account and its chat identities. Commits once `action` has ended, or has waited for a while. Returns the
 * result of `action`.
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
  if (result === undefined) throw new Error('the action did not run');
  return result;
}

/** The content of all tables as text. Bytes appear both raw and in hexadecimal. */
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
