import { expect } from 'chai';
import { type ChatUser, outside, type Standing, type WorkspaceSettings } from '../../../src/domain/index.ts';
import { askFor, chatCaller, newChatUser, setRules } from '../../harness/chat.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { startService, type TestService } from '../../harness/service.ts';

let service: TestService;
let chat: TestService['domain']['chat'];
let places = 0;

/** What people are in all workspaces. Nothing is known of others. */
const standings = new Map<string, Standing>();

describe('The rules of a workspace about its people', () => {
  before(async () => {
    service = await startService();
    ({ chat } = service.domain);
    chat.access.connect('slack', async ({ address }) => standings.get(address));
  });

  after(() => service.stop());

  /** A workspace with these rules, and a function for people in it. */
  async function workspaceWith(rules: Partial<WorkspaceSettings>) {
    places += 1;
    const workspace = `T72${places}`;
    const all = { requireRecipients: false, allowSlashText: true, ...rules };
    await setRules({ chat }, 'slack', workspace, all);
    return (standing?: Standing): ChatUser => {
      const chatUser = newChatUser(workspace);
      if (standing !== undefined) standings.set(chatUser.address, standing);
      return chatUser;
    };
  }

  const push = (chatUser: ChatUser, recipients: ChatUser[] = []) =>
    chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' }, { recipients });

  const messageOf = async (work: Promise<unknown>) => (await refusalOf(work)).messageCode;

  it('keep guests and strangers from pushing', async () => {
    const person = await workspaceWith({ onlyMembersPush: true });
    for (const standing of ['admin', 'member'] as const) await push(person(standing));
    for (const standing of ['guest', 'stranger'] as const)
      expect(await messageOf(push(person(standing)))).to.equal('mayNotPush');
  });

  it('keep everybody but admins from pushing, also by a link to the browser', async () => {
    const person = await workspaceWith({ onlyAdminsPush: true });
    await push(person('admin'));
    for (const standing of ['member', 'guest', 'stranger'] as const)
      expect(await messageOf(push(person(standing)))).to.equal('mayNotPush');
    const { chatUser, workspace } = chatCaller(person('member'));
    const { token, save } = chat.prepareComposeLink({ chatUser, workspace });
    await save();
    expect(await messageOf(chat.compose(token, { payload: 'tulip' }))).to.equal('mayNotPush');
  });

  it('keep guests and strangers from receiving, be it a new push, one that is sent on, or one that they open', async () => {
    const person = await workspaceWith({ onlyMembersReceive: true });
    const [ann, bob, guest, stranger] = [
      person('guest'),
      person('member'),
      person('guest'),
      person('stranger'),
    ];
    await push(ann, [bob]);
    for (const recipient of [guest, stranger]) {
      const { problems } = await refusalOf(push(ann, [bob, recipient]));
      expect(problems).to.eql({ recipients: [{ code: 'membersOnly' }] });
      const { problems: onSending } = await refusalOf(
        chat.access.requireMaySend(chatCaller(ann), [recipient]),
      );
      expect(onSending).to.eql(problems);
      expect(await messageOf(chat.access.requireMayOpen(chatCaller(recipient)))).to.equal('mayNotOpen');
    }
    await chat.access.requireMaySend(chatCaller(ann), [bob]);
    await chat.access.requireMayOpen(chatCaller(bob));
  });

  it('hold for answers to requests: who gives one, and who gets it', async () => {
    const person = await workspaceWith({ onlyMembersPush: true, onlyMembersReceive: true });
    const [member, guest] = [person('member'), person('guest')];
    const ask = async (requester: ChatUser, provider: ChatUser) => {
      const { id: requestId } = await askFor({ chat }, requester, provider, { reason: null });
      const caller = chatCaller(provider, { workspace: outside });
      return refusalOf(chat.pushes.create(caller, { payload: 'tulip' }, { requestId }));
    };
    expect((await ask(member, guest)).messageCode).to.equal('mayNotPush');
    expect((await ask(guest, member)).problems).to.have.key('recipients');
  });

  it('refuse where nobody can tell what people are, and ask nobody where there are no such rules', async () => {
    const strict = await workspaceWith({ onlyMembersPush: true });
    expect(await messageOf(push(strict()))).to.equal('standingUnknown');
    const free = await workspaceWith({});
    await push(free(), [free()]);
    await chat.access.requireMayOpen(chatCaller(free()));
  });

  it('take the word of the chat for the caller, where it gives one', async () => {
    const person = await workspaceWith({ onlyAdminsPush: true });
    await chat.pushes.create(chatCaller(person(), { standing: 'admin' }), { payload: 'tulip' });
  });

  it('are changed by those who manage it, whatever a form or a button sends', async () => {
    const person = await workspaceWith({});
    const rules = { requireRecipients: true, allowSlashText: true };
    for (const standing of ['member', 'guest', 'stranger'] as const) {
      const caller = chatCaller(person(standing));
      expect(await messageOf(chat.access.saveRules(caller, rules))).to.equal('mayNotManage');
      expect(await messageOf(chat.createExportLink(caller))).to.equal('mayNotManage');
    }
    const caller = chatCaller(person('admin'));
    expect(await chat.settings.ofCaller(caller)).to.include({
      requireRecipients: false,
    });
    await chat.access.saveRules(caller, rules);
    expect(await chat.settings.ofCaller(caller)).to.include(rules);
    expect(await chat.createExportLink(caller)).to.match(/./);
  });

  it('are changed by nobody where the chat does not tell what they are, nor outside of workspaces', async () => {
    const person = await workspaceWith({});
    const rules = { requireRecipients: true, allowSlashText: true };
    expect(await messageOf(chat.access.saveRules(chatCaller(person()), rules))).to.equal('standingUnknown');
    const elsewhere = chatCaller(person('admin'), { workspace: outside, standing: 'admin' });
    expect(await messageOf(chat.access.saveRules(elsewhere, rules))).to.equal('mayNotManage');
    expect(await messageOf(chat.createExportLink(elsewhere))).to.equal('mayNotManage');
  });

  it('are not changed by somebody who managed it until just now', async () => {
    const asked: (boolean | undefined)[] = [];
    chat.access.connect('slack', async (_chatUser, _workspace, { fresh } = {}) => {
      asked.push(fresh);
      return 'member';
    });
    const person = await workspaceWith({});
    asked.length = 0;
    expect(await messageOf(chat.createExportLink(chatCaller(person('admin'))))).to.equal('mayNotManage');
    expect(asked).to.deep.equal([true]);
  });
});
