import { expect } from 'chai';
import type { Card } from '../../src/bots/card.ts';
import { formIds } from '../../src/bots/form.ts';
import { createChatMessenger } from '../../src/bots/messenger.ts';
import type { ChatUser, Notice, Push } from '../../src/domain/index.ts';
import { askFor, chatCaller, deliverNotices, newChatUser, setRules } from '../harness/chat.ts';
import { refusalOf } from '../harness/refusal.ts';
import { anonymous } from '../harness/service.ts';
import { commands, domain, linkTo, me, mine, useCommands } from './commands/stage.ts';

/** A chat that shows what it is told to send. */
function recordingChat() {
  const sent: { to: string; text: string }[] = [];
  const record = (to: string) => async (card: Card) => {
    sent.push({ to, text: JSON.stringify(card) });
    return { channel: to, message: String(sent.length) };
  };
  const messenger = createChatMessenger({
    platform: 'slack',
    domain,
    linkTo,
    transport: {
      maybeOpen: async (to) => ({
        locale: undefined,
        send: record(to),
        edit: async () => {},
      }),
      explain: () => ({ reason: 'the chat failed', isFinal: true }),
    },
  });
  return { sent, deliver: messenger.deliver };
}

describe('chat commands', () => {
  useCommands();

  describe('A message of a chat to one person', () => {
    let bob: ChatUser;

    beforeEach(() => {
      bob = newChatUser();
    });

    const pushTo = (form: object = {}): Promise<Push> =>
      domain.chat.pushes.create(me, { payload: 'tulip', ...form }, { recipients: [bob] });

    /** The notices that wait for Bob, as the messenger gets them. */
    async function noticesFor(person: ChatUser): Promise<Notice[]> {
      return (await deliverNotices(domain, [person])).map(({ notice }) => notice);
    }

    async function linkOf({ id }: Push): Promise<string> {
      const [recipient] = (await domain.pushes.recipientsOf([id])).get(id) ?? [];
      return linkTo(recipient?.urlToken ?? expect.fail('no link'));
    }

    it('has the link that is theirs, and not that of the push', async () => {
      const push = await pushTo({ isBound: false });
      const [shared = expect.fail('no notice')] = await noticesFor(bob);
      const chat = recordingChat();
      await chat.deliver(bob.address, shared);
      expect(chat.sent.map(({ to }) => to)).to.eql([bob.address]);
      expect(chat.sent[0]?.text)
        .to.include(await linkOf(push))
        .and.not.include(push.urlToken);
    });

    it('has no link where only they may open the push', async () => {
      const push = await pushTo();
      const [shared = expect.fail('no notice')] = await noticesFor(bob);
      const chat = recordingChat();
      await chat.deliver(bob.address, shared);
      expect(chat.sent[0]?.text).to.include(push.id).and.not.include(linkTo(''));
    });

    it('is sent once, when its first attempt arrived and only the answer was lost', async () => {
      await pushTo();
      const [shared = expect.fail('no notice')] = await noticesFor(bob);
      await askFor(domain, me.chatUser, bob);
      const [requested = expect.fail('no notice')] = await noticesFor(bob);
      const chat = recordingChat();
      for (const notice of [shared, requested])
        for (const attempt of [1, 2]) await chat.deliver(bob.address, { ...notice, attempt });
      expect(chat.sent).to.have.length(2);
    });

    it('is not sent once what it is about has ended', async () => {
      const push = await pushTo();
      const request = await askFor(domain, me.chatUser, bob);
      const notices = await noticesFor(bob);
      const { account } = await domain.chat.admit(me);
      await domain.pushes.expire(push.urlToken, { ...anonymous, account });
      await domain.chat.requests.cancel(request.id, me.chatUser);
      const chat = recordingChat();
      for (const notice of notices) await chat.deliver(bob.address, await current(notice));
      expect(notices.map(({ event }) => event)).to.have.members(['shared', 'requested']);
      expect(chat.sent).to.eql([]);
    });

    it('reminds nobody of what they have done meanwhile', async () => {
      const push = await pushTo({ expireAfterViews: 5 });
      const request = await askFor(domain, me.chatUser, bob);
      const [first, second] = await noticesFor(bob);
      const chat = recordingChat();
      const urlToken = await domain.pushes.openBound(push.id, bob);
      await domain.pushes.reveal(urlToken, undefined, anonymous);
      await domain.chat.requests.decline(request.id, bob);
      for (const notice of [first, second]) {
        if (notice === undefined) expect.fail('no notice');
        const event = notice.event === 'shared' ? 'reminded' : 'request_reminder';
        await chat.deliver(bob.address, { ...(await current(notice)), event } as Notice);
      }
      expect(chat.sent).to.eql([]);
    });

    /** A notice about a request, as it is read when it is delivered. */
    async function current(notice: Notice): Promise<Notice> {
      if (!('request' in notice)) return notice;
      const request = await domain.chat.requests.maybeFind(Buffer.from(notice.request.id, 'hex'));
      return { ...notice, request: request ?? notice.request };
    }
  });

  describe('The rules about who may receive', () => {
    it('hold where a push is sent to more people, and where it is opened', async () => {
      const workspace = 'T4711';
      const [sender, guest] = [newChatUser(workspace), newChatUser(workspace)];
      domain.chat.access.connect('slack', async ({ address }) =>
        address === guest.address ? 'guest' : 'member',
      );
      const caller = chatCaller(sender);
      const push = await domain.chat.pushes.create(caller, { payload: 'tulip' }, { recipients: [guest] });
      const rules = { requireRecipients: false, allowSlashText: true, onlyMembersReceive: true };
      await setRules(domain, 'slack', workspace, rules);
      const open = commands.openBound(chatCaller(guest), push.id);
      expect((await refusalOf(open)).messageCode).to.equal('mayNotOpen');
      const send = commands.share(caller, push.id, [guest.address]);
      expect((await refusalOf(send)).problems).to.have.nested.property('recipients[0].code', 'membersOnly');
    });
  });

  describe('A draft', () => {
    it('is gone once its push was created', async () => {
      const { token, save } = commands.prepareDraft({ values: { payload: 'tulip' } });
      await save();
      await commands.submit(me, { id: formIds.push, values: {}, state: { draftToken: token } } as never);
      expect(await commands.maybeDraft(token)).to.equal(undefined);
    });

    it('that is no longer saved creates nothing, and its sender is told', async () => {
      const { token } = commands.prepareDraft({ values: { payload: 'tulip', passphrase: 'lily' } });
      const values = { payload: 'tulip' }; // the form was shown without what was correct
      const late = commands.submit(me, { id: formIds.push, values, state: { draftToken: token } } as never);
      expect(await late.catch(String)).to.equal(
        'Error: What you entered is no longer saved. Please start again.',
      );
      expect(await mine()).to.deep.equal([]);
    });
  });
});
