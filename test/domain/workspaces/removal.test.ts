import { expect } from 'chai';
import type { ChatUser } from '../../../src/domain/index.ts';
import { dayMs } from '../../../src/time.ts';
import {
  chatCaller,
  connectChat,
  countRows,
  dumpDatabase,
  newChatUser,
  setRules,
} from '../../harness/chat.ts';
import { anonymous, createAccount, startService, type TestService } from '../../harness/service.ts';

let service: TestService;
let domain: TestService['domain'];

const rules = { requireRecipients: false, allowSlashText: true };

describe('What belongs to a workspace that removed the app', () => {
  before(async () => {
    service = await startService();
    ({ domain } = service);
  });

  after(() => service.stop());

  const install = (workspace: string) =>
    domain.chat.installations.store('slack', { workspace, userId: 'U0', label: 'Acme' }, { token: 'x' });
  const uninstall = (workspace: string) => domain.chat.installations.remove('slack', workspace);

  /** Lets the time of all removed workspaces pass. */
  async function passGrace(): Promise<void> {
    await service.database.execute('UPDATE removed_workspaces SET erase_at = 0', {});
    await domain.chat.workspaceRemoval.eraseDue();
  }

  const push = (chatUser: ChatUser, recipients: ChatUser[] = []) =>
    domain.chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' }, { recipients });

  /** A workspace with a push to somebody who has never used the app, a request, and settings. */
  async function liveIn(workspace: string) {
    await install(workspace);
    const [ann, bob] = [newChatUser(workspace), newChatUser(workspace)];
    const created = await push(ann, [bob]);
    await domain.chat.requests.create(ann, [bob], { reason: 'The Wi-Fi' });
    await domain.chat.settings.setForUser(bob, { expireAfterViews: 3 });
    await setRules(domain, 'slack', workspace, rules);
    await domain.chat.messages.save(created.id, bob, { channel: 'D1', message: '1.1' });
    return { ann, bob, created };
  }

  const open = async (urlToken: string) =>
    (await domain.pushes.reveal(urlToken, undefined, anonymous)).payload;

  it('is erased thirty days later, and nothing of other workspaces is', async () => {
    const [gone, stays] = ['T7001', 'T7002'];
    await liveIn(gone);
    const { ann, created } = await liveIn(stays);
    await uninstall(gone);
    const [row] = await service.database.select<{ waits: number }>(
      `SELECT erase_at - ${service.database.dialect.now} AS waits FROM removed_workspaces WHERE workspace = $gone`,
      { gone },
    );
    expect(Number(row?.waits)).to.be.closeTo(30 * dayMs, 60_000);
    await domain.chat.workspaceRemoval.eraseDue();
    expect(await dumpDatabase(service)).to.contain(`${gone}:`);
    await passGrace();
    const dump = await dumpDatabase(service);
    expect(dump).to.not.contain(gone);
    expect(dump).to.contain(`${stays}:`);
    expect(await domain.chat.requests.list(ann)).to.have.length(1);
    expect(await domain.chat.messages.maybeFind(created.id, ann)).to.equal(undefined);
    expect((await domain.pushes.recipientsOf([created.id])).get(created.id)).to.have.length(1);
  });

  it('is all there when the app is installed again in time, and waits anew after the next removal', async () => {
    const back = 'T7003';
    const { ann, bob } = await liveIn(back);
    await uninstall(back);
    await service.database.execute('UPDATE removed_workspaces SET erase_at = 0', {});
    await install(back);
    await domain.chat.workspaceRemoval.eraseDue();
    expect(await domain.chat.requests.list(ann)).to.have.length(1);
    expect(await domain.chat.settings.ofUser(bob)).to.eql({ expireAfterViews: 3 });
    await uninstall(back);
    await domain.chat.workspaceRemoval.eraseDue();
    expect(await domain.chat.requests.list(ann)).to.have.length(1);
  });

  it('is kept while the app is installed, even if a late event says that it was removed', async () => {
    const here = 'T7010';
    const { ann } = await liveIn(here);
    await domain.chat.workspaceRemoval.begin({ platform: 'slack', workspace: here });
    await passGrace();
    expect(await domain.chat.requests.list(ann)).to.have.length(1);
    expect(await dumpDatabase(service)).to.contain(`${here}:`);
    await uninstall(here);
    await passGrace();
    expect(await dumpDatabase(service)).to.not.contain(`${here}:`);
  });

  it('does not include an account with another way in, which loses only the people of the workspace', async () => {
    const gone = 'T7004';
    await install(gone);
    const [ann, bob] = [newChatUser(gone), newChatUser(gone)];
    const { account } = await createAccount(domain, 'ann@example.com');
    await connectChat(domain, ann, { account });
    const ofAnn = await push(ann);
    const discord: ChatUser = { platform: 'discord', address: '4711' };
    await connectChat(domain, discord, { account: await domain.chat.identities.accountOf(bob) });
    const ofBob = await push(bob);
    await uninstall(gone);
    await passGrace();
    expect(await open(ofAnn.urlToken)).to.equal('tulip');
    expect(await open(ofBob.urlToken)).to.equal('tulip');
    expect(await domain.chat.identities.list(account)).to.eql([]);
    expect(await countRows(service, 'chat_identities', "address LIKE 'T7004:%'")).to.equal(0);
    expect(await countRows(service, 'recipients', "address LIKE 'T7004:%'")).to.equal(0);
  });

  it('gives the views of its people back to senders elsewhere', async () => {
    const gone = 'T7005';
    await install(gone);
    const sender = newChatUser('T7006');
    const created = await domain.chat.pushes.create(
      chatCaller(sender),
      { payload: 'tulip' },
      { recipients: [newChatUser(gone)] },
    );
    expect(created.isReserved).to.equal(true);
    await uninstall(gone);
    await passGrace();
    expect(await open(created.urlToken)).to.equal('tulip');
  });

  it('includes the rules of all workspaces of an organisation', async () => {
    const [organisation, team] = ['E7007', 'T7008'];
    await install(organisation);
    await setRules(domain, 'slack', team, { ...rules, maxDays: 3 }, organisation);
    await uninstall(organisation);
    await passGrace();
    expect((await domain.chat.settings.ofWorkspace('slack', team)).maxDays).to.equal(undefined);
  });

  it('includes the rules of a Discord server at once', async () => {
    await setRules(domain, 'discord', '8001', { ...rules, maxDays: 3 });
    await setRules(domain, 'discord', '8002', { ...rules, maxDays: 3 });
    for (const _ of [1, 2])
      await domain.chat.workspaceRemoval.begin({ platform: 'discord', workspace: '8001' });
    await domain.chat.workspaceRemoval.eraseDue();
    expect((await domain.chat.settings.ofWorkspace('discord', '8001')).maxDays).to.equal(undefined);
    expect((await domain.chat.settings.ofWorkspace('discord', '8002')).maxDays).to.equal(3);
  });

  it('is left for the next time when the process stops', async () => {
    const gone = 'T7009';
    const { ann } = await liveIn(gone);
    await uninstall(gone);
    await service.database.execute('UPDATE removed_workspaces SET erase_at = 0', {});
    await domain.chat.workspaceRemoval.eraseDue(() => true);
    expect(await domain.chat.requests.list(ann)).to.have.length(1);
    await domain.chat.workspaceRemoval.eraseDue();
    expect(await dumpDatabase(service)).to.not.contain(gone);
  });
});
