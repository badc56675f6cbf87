import { expect } from 'chai';
import { outside, type WorkspaceEvent } from '../../../src/domain/index.ts';
import { times } from '../../harness/api.ts';
import { askFor, chatCaller, newChatUser } from '../../harness/chat.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { anonymous, startService, type TestService } from '../../harness/service.ts';

let service: TestService;
let chat: TestService['domain']['chat'];

describe('The activity of a workspace', () => {
  before(async () => {
    service = await startService();
    ({ chat } = service.domain);
  });

  after(() => service.stop());

  const exportOf = async (workspace: string): Promise<WorkspaceEvent[]> => {
    const token = await chat.createExportLink(chatCaller(newChatUser(workspace), { standing: 'admin' }));
    const events: WorkspaceEvent[] = [];
    for await (const event of await chat.exportActivity(token)) events.push(event);
    return events;
  };

  it('is what happened to the pushes that were created there, and to no others', async () => {
    const [here, there] = ['T7101', 'T7102'];
    const [ann, bob] = [newChatUser(here), newChatUser(here)];
    const push = await chat.pushes.create(chatCaller(ann), { payload: 'tulip' }, { recipients: [bob] });
    const urlToken = await service.domain.pushes.openBound(push.id, bob);
    await service.domain.pushes.reveal(urlToken, undefined, anonymous);
    await chat.pushes.create(chatCaller(ann, { workspace: there }), { payload: 'rose' });
    await chat.pushes.create(chatCaller(ann, { workspace: outside }), { payload: 'daffodil' });
    const account = await chat.identities.accountOf(ann);
    await service.domain.pushes.create({ payload: 'lily' }, { ...anonymous, account });
    const events = await exportOf(here);
    expect(events.map(({ kind, creator, recipient }) => [kind, creator, recipient?.address ?? null])).to.eql([
      ['creation', ann.address, null],
      ['view', ann.address, bob.address],
    ]);
    expect(events.map(({ pushId }) => pushId.toString('hex'))).to.eql([push.id, push.id]);
    expect(await exportOf(there)).to.have.length(1);
    expect(await exportOf('T7103')).to.eql([]);
  });

  it('is whole, however many pushes there are', async () => {
    const caller = chatCaller(newChatUser('T7104'));
    const created = await times(45, () => chat.pushes.create(caller, { payload: 'tulip' }));
    const events = await exportOf('T7104');
    expect(new Set(events.map(({ pushId }) => pushId.toString('hex')))).to.eql(
      new Set(created.map(({ id }) => id)),
    );
    expect(events).to.have.length(45);
  });

  it('includes answers to the requests of the workspace, wherever they were given', async () => {
    const [ann, bob] = [newChatUser('T7105'), newChatUser('T7105')];
    const { id: requestId } = await askFor({ chat }, ann, bob, { reason: null });
    await chat.pushes.create(chatCaller(bob, { workspace: outside }), { payload: 'tulip' }, { requestId });
    expect((await exportOf('T7105')).map(({ creator }) => creator)).to.eql([bob.address]);
  });

  it('is exported by those who manage the workspace alone', async () => {
    for (const standing of ['member', 'guest'] as const) {
      const caller = chatCaller(newChatUser('T7106'), { standing });
      expect((await refusalOf(chat.createExportLink(caller))).code, standing).to.equal('forbidden');
    }
  });

  it('is exported by each link once', async () => {
    const token = await chat.createExportLink(chatCaller(newChatUser('T7106'), { standing: 'admin' }));
    expect(await chat.previewExport(token)).to.eql({ platform: 'slack', workspace: 'T7106' });
    await chat.exportActivity(token);
    expect((await refusalOf(chat.exportActivity(token))).code).to.equal('not_found');
    expect((await refusalOf(chat.previewExport(token))).code).to.equal('not_found');
  });
});
