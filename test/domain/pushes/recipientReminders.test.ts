import { expect } from 'chai';
import type { Account, ChatCaller, ChatUser, Push } from '../../../src/domain/index.ts';
import { times } from '../../harness/api.ts';
import { chatCaller, deliverNotices, newChatUser, summarize } from '../../harness/chat.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { anonymous, refusal, someClient, startService, type TestService } from '../../harness/service.ts';

const hourMs = 3_600_000;
const gone = /^not_found/;

describe('A recipient who has not opened a push', () => {
  let service: TestService;
  let pushes: TestService['domain']['pushes'];
  let sender: ChatCaller;
  let account: Account;
  let bob: ChatUser;
  let carol: ChatUser;

  before(async () => {
    service = await startService();
    ({ pushes } = service.domain);
  });

  after(() => service.stop());

  beforeEach(async () => {
    sender = chatCaller();
    account = await service.domain.chat.identities.accountOf(sender.chatUser);
    [bob, carol] = [newChatUser(), newChatUser()];
  });

  const told = async () => summarize(await deliverNotices(service.domain, [sender.chatUser, bob, carol]));
  const remindersOf = (...people: ChatUser[]) => people.map(({ address }) => `${address} reminded`).sort();

  async function pushTo(recipients: ChatUser[], form: object = {}): Promise<Push> {
    const push = await service.domain.chat.pushes.create(
      sender,
      { payload: 'tulip', ...form },
      { recipients },
    );
    await deliverNotices(service.domain);
    return push;
  }

  async function open({ id }: Push, user: ChatUser): Promise<void> {
    const urlToken = await pushes.openBound(id, user);
    expect((await pushes.reveal(urlToken, undefined, anonymous)).payload).to.equal('tulip');
    await deliverNotices(service.domain);
  }

  const change = ({ id }: Push, assignment: string) =>
    service.database.execute(`UPDATE push_recipients SET ${assignment} WHERE push_id = $id`, {
      id: Buffer.from(id, 'hex'),
    });

  const end = (push: Push) => pushes.expire(push.urlToken, { account, client: someClient });

  describe('is reminded by the sender', () => {
    it('unless they have opened it', async () => {
      const push = await pushTo([bob, carol]);
      await open(push, carol);
      expect(await pushes.nudge(account, push.id)).to.eql({ reminded: [bob], tooSoon: [] });
      expect(await told()).to.eql(remindersOf(bob));
    });

    it('at most once an hour, also when the sender asks ten times at once', async () => {
      const push = await pushTo([bob]);
      const asked = await times(10, () => pushes.nudge(account, push.id));
      expect(asked.filter(({ reminded }) => reminded.length === 1)).to.have.length(1);
      expect(await told()).to.eql(remindersOf(bob));
      expect(await pushes.nudge(account, push.id)).to.eql({ reminded: [], tooSoon: [bob] });
      await change(push, `nudged_at = nudged_at - ${hourMs}`);
      expect(await pushes.nudge(account, push.id)).to.eql({ reminded: [bob], tooSoon: [] });
      expect(await told()).to.eql(remindersOf(bob));
    });

    it('at most once an hour for all pushes, also when the sender asks for ten at once', async () => {
      const sent = await times(10, () => pushTo([bob]));
      const asked = await Promise.all(sent.map(({ id }) => pushes.nudge(account, id)));
      expect(asked.filter(({ reminded }) => reminded.length === 1)).to.have.length(1);
      expect(await told()).to.eql(remindersOf(bob));
      const withCarol = await pushTo([bob, carol]);
      expect(await pushes.nudge(account, withCarol.id)).to.eql({ reminded: [carol], tooSoon: [bob] });
      expect(await told()).to.eql(remindersOf(carol));
    });

    it('also where another sender reminded them within the hour', async () => {
      await pushes.nudge(account, (await pushTo([bob])).id);
      sender = chatCaller();
      const other = await service.domain.chat.identities.accountOf(sender.chatUser);
      const push = await pushTo([bob]);
      expect(await pushes.nudge(other, push.id)).to.eql({ reminded: [bob], tooSoon: [] });
    });

    it('but not when all have opened it, it has ended, or it belongs to somebody else', async () => {
      const push = await pushTo([bob], { expireAfterViews: 2 });
      await open(push, bob);
      expect((await refusalOf(pushes.nudge(account, push.id))).messageCode).to.equal('openedByAll');
      const stranger = await service.domain.chat.identities.accountOf(newChatUser());
      const other = await pushTo([carol]);
      expect(await refusal(pushes.nudge(stranger, other.id))).to.match(gone);
      for (const id of ['', 'x', '0'.repeat(32)])
        expect(await refusal(pushes.nudge(account, id))).to.match(gone);
      await end(other);
      expect(await refusal(pushes.nudge(account, other.id))).to.match(gone);
      expect((await told()).filter((each) => each.endsWith('reminded'))).to.eql([]);
    });
  });

  describe('is reminded as they wish', () => {
    const due = (push: Push) => change(push, 'remind_at = 1');

    it('once, at the time they chose last', async () => {
      const push = await pushTo([bob, carol]);
      const before = await service.domain.clock();
      const inAnHour = await pushes.remindLater(push.id, bob, { time: 'hour' });
      expect(inAnHour - hourMs).to.be.within(before, await service.domain.clock());
      const timeZone = 'Europe/Berlin';
      for (const _ of [1, 2])
        expect(await pushes.remindLater(push.id, bob, { time: 'morning', timeZone })).to.be.above(before);
      await pushes.remindDue();
      expect(await told()).to.be.empty;
      await change(push, `remind_at = remind_at - ${48 * hourMs}`);
      await times(5, () => pushes.remindDue());
      expect(await told()).to.eql(remindersOf(bob));
      await pushes.remindDue();
      expect(await told()).to.be.empty;
    });

    it('never after they opened it, or after it ended', async () => {
      const [opened, ended, expired] = [await pushTo([bob]), await pushTo([bob]), await pushTo([bob])];
      for (const push of [opened, ended, expired]) await pushes.remindLater(push.id, bob, { time: 'hour' });
      await open(opened, bob);
      await end(ended);
      await service.database.execute('UPDATE pushes SET expires_at = 1 WHERE id = $id', {
        id: Buffer.from(expired.id, 'hex'),
      });
      for (const push of [opened, ended, expired]) await due(push);
      await pushes.remindDue();
      expect((await told()).filter((each) => each.endsWith('reminded'))).to.eql([]);
      expect((await refusalOf(pushes.reminderChoices(ended.id, bob))).code).to.equal('not_found');
    });

    it('before the push ends', async () => {
      const push = await pushTo([bob], { expireAfterMinutes: 90 });
      const timeZone = 'Europe/Berlin';
      expect(await pushes.reminderChoices(push.id, bob, timeZone)).to.eql(['hour']);
      const tomorrow = pushes.remindLater(push.id, bob, { time: 'day' });
      expect((await refusalOf(tomorrow)).messageCode).to.equal('reminderTooLate');
      const short = await pushTo([bob], { expireAfterMinutes: 59 });
      const none = pushes.reminderChoices(short.id, bob, timeZone);
      expect((await refusalOf(none)).messageCode).to.equal('reminderTooLate');
      const long = await pushTo([bob]);
      expect(await pushes.reminderChoices(long.id, bob, timeZone)).to.eql(['hour', 'morning']);
      expect(await pushes.reminderChoices(long.id, bob)).to.eql(['hour', 'day']);
    });

    it('but nobody else is', async () => {
      const push = await pushTo([bob], { expireAfterViews: 2 });
      for (const user of [carol, sender.chatUser, { ...bob, platform: 'discord' as const }])
        expect(await refusal(pushes.remindLater(push.id, user, { time: 'hour' }))).to.match(gone);
      await open(push, bob);
      const late = await refusalOf(pushes.remindLater(push.id, bob, { time: 'hour' }));
      expect(late.messageCode).to.equal('openedAlready');
    });
  });
});
