import { expect } from 'chai';
import { cardsOf } from '../../../src/bots/language.ts';
import type { ChatCaller, ChatUser, PushNotice } from '../../../src/domain/index.ts';
import { expirePushIn } from '../../harness/api.ts';
import { askFor, deliverNotices, newChatUser } from '../../harness/chat.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { anonymous, someClient } from '../../harness/service.ts';
import {
  aboutOf,
  buttonsOf,
  cards,
  commands,
  domain,
  labelsOf,
  linesOf,
  linkTo,
  me,
  newPush,
  service,
  textOf,
  useCommands,
  view,
} from './stage.ts';

describe('chat commands', () => {
  useCommands();

  describe('notices', () => {
    /** The line for a notice, as the owner of the push reads it. */
    async function lineOf(notice: PushNotice): Promise<string> {
      const { id, urlToken, name } = notice.push;
      const state = await domain.pushes.preview(urlToken, anonymous);
      const recipients = (await domain.pushes.recipientsOf([id])).get(id) ?? [];
      const card = cardsOf().event(notice, { ...state, name, recipients });
      cards.push(card);
      expect(textOf(card.summary)).to.equal(linesOf(card)[0]);
      return textOf(card.summary);
    }

    /** The text of every notice that somebody gets, also of those that were held for a moment. */
    async function heard({ chatUser }: ChatCaller): Promise<string[]> {
      await service.database.execute('UPDATE notices SET due_at = 0 WHERE due_at IS NOT NULL', {});
      const lines: string[] = [];
      for (const { notice } of await deliverNotices(domain, [chatUser]))
        lines.push(await lineOf('push' in notice ? notice : expect.fail('that is about no push')));
      return lines;
    }

    it('count views, wrong passphrases and the end in whole sentences', async () => {
      const push = await newPush({ name: 'VPN', expireAfterViews: 4 });
      await view(push);
      expect(await heard(me)).to.deep.equal(['VPN was opened on THEN. It opens 3 more times.']);
      await view(push);
      await view(push);
      expect(await heard(me)).to.deep.equal([
        'VPN was opened twice, the last time on THEN. It opens once more.',
      ]);
      await refusalOf(view(push, 'wrong'));
      expect(await heard(me)).to.deep.equal([
        'VPN was not opened: somebody entered a wrong passphrase on THEN.',
      ]);
      for (const _ of [1, 2, 3]) await refusalOf(view(push, 'wrong'));
      expect(await heard(me)).to.deep.equal([
        'VPN was not opened: somebody entered 3 wrong passphrases, the last one on THEN.',
      ]);
      await view(push);
      expect(await heard(me)).to.deep.equal([
        'VPN was opened on THEN. That was the last view.',
        'VPN was opened for the last time on THEN. It was opened 4 times.',
      ]);
    });

    it('name a push by its name, or else by its recipients and time', async () => {
      const [ann, ben] = [newChatUser(), newChatUser()];
      const push = await domain.chat.pushes.create(me, { payload: 'tulip' }, { recipients: [ann, ben] });
      const open = async (recipient: ChatUser) =>
        domain.pushes.reveal(await domain.pushes.openBound(push.id, recipient), undefined, anonymous);
      await open(ann);
      expect((await heard(me))[0]).to.equal(
        `Your link for @${ann.address} and @${ben.address} (THEN) was opened by @${ann.address} on THEN. It opens once more.`,
      );
      expect(linesOf(await commands.show(me, push.id))).to.include(
        `Opened by @${ann.address}. Not yet by @${ben.address}.`,
      );
      expect(linesOf(await commands.list(me))[0]).to.match(
        new RegExp(`^Your link for @${ann.address} and @${ben.address} `),
      );
      const many = [ann, ben, newChatUser(), newChatUser(), newChatUser()];
      const other = await domain.chat.pushes.create(me, { payload: 'tulip' }, { recipients: many });
      expect(linesOf(await commands.show(me, other.id))[0]).to.match(/, @\S+, @\S+ and 2 others \(THEN\)/);
    });

    it('say whether a push that expired or was burned was ever opened', async () => {
      const [byTime, byHand] = [await newPush({ name: 'VPN' }), await newPush({ name: 'VPN' })];
      await view(byHand);
      await deliverNotices(domain);
      await expirePushIn(service, byTime.urlToken, -1);
      await domain.sweeps.expireDue();
      expect(await heard(me)).to.deep.equal(['VPN expired on THEN. Nobody had opened it.']);
      await commands.expire(me, byHand.id);
      expect(await heard(me)).to.deep.equal(['VPN was burned on THEN. It had been opened once.']);
    });

    it('tell of a near expiry and a lock', async () => {
      const push = await newPush({ name: 'VPN' });
      const due = `UPDATE pushes SET due_at = ${service.database.dialect.now} WHERE id = $id`;
      await service.database.execute(due, { id: Buffer.from(push.id, 'hex') });
      await domain.sweeps.remindUnread();
      const [{ notice } = expect.fail('nobody was told')] = await deliverNotices(domain, [me.chatUser]);
      if (!('push' in notice)) return expect.fail('that is about no push');
      expect(await lineOf(notice)).to.equal('VPN expires on THEN, and nobody has opened it yet.');
      expect(await lineOf({ ...notice, event: 'locked' })).to.equal(
        'VPN was locked for a while on THEN, after too many wrong passphrases.',
      );
    });

    it('tell once that somebody asks for a new push', async () => {
      const push = await newPush({ name: 'VPN', expireAfterViews: 1 });
      await view(push);
      await deliverNotices(domain);
      await deliverNotices(domain);
      for (const _ of [1, 2]) await domain.pushes.askAgain(push.urlToken, someClient);
      expect(await heard(me)).to.deep.equal(['VPN has ended, but somebody asked for it again on THEN.']);
      expect([cardsOf().buttons.newPush(push.id)]).to.deep.equal([
        { label: 'New link', style: 'primary', id: 'push.new', value: push.id },
      ]);
      const log = linesOf(await commands.audit(me, push.id));
      expect(log.at(-1)).to.equal(`THEN asked for again from ${someClient.ip}`);
    });

    it('tell recipients of a secret, without what only its owner may see', async () => {
      const push = await newPush({ name: 'name-4711', expireAfterViews: 1 });
      const card = cardsOf().received('T1:U1', push, { link: linkTo(push.urlToken) });
      expect(linesOf(card)).to.deep.equal([
        '@T1:U1 sent you a secret.',
        'It opens once, until THEN.',
        'It asks for a passphrase, which the sender tells you some other way.',
      ]);
      expect(textOf(card.summary)).to.equal('@T1:U1 sent you a secret.');
      expect(buttonsOf(card)).to.deep.equal([
        { label: 'Open', style: 'primary', id: 'push.open', url: linkTo(push.urlToken) },
        { label: 'Remind me later', id: 'push.later', value: push.id },
      ]);
      expect(JSON.stringify(card)).to.not.contain('name-4711');
      cards.push(card);
      const open = cardsOf().received(
        undefined,
        { ...push, viewsMax: 3, viewsUsed: 1, hasPassphrase: false },
        { link: 'x' },
      );
      expect(linesOf(open)).to.deep.equal([
        'You have received a secret.',
        'It opens twice more, until THEN.',
      ]);
    });

    it('tell of requests and their ends, also in notifications', async () => {
      const [ann, ben] = [newChatUser(), newChatUser()];
      const request = await askFor(domain, ann, ben, { reason: 'the VPN' });
      const asked = cardsOf().requested(request);
      expect(linesOf(asked)).to.deep.equal([
        `@${ann.address} asks you for a secret.`,
        'the VPN',
        'Please answer by THEN.',
      ]);
      expect(textOf(asked.summary)).to.equal(`@${ann.address} asks you for a secret.`);
      expect(labelsOf(asked)).to.deep.equal(['Provide secret', 'Decline']);
      for (const label of labelsOf(asked)) expect(aboutOf(asked, label)).to.equal(request.id);
      expect(linesOf(cardsOf().requested({ ...request, reason: null }))).to.have.length(2);
      const ends = [
        cardsOf().requestEnded.wasDeclined(request),
        cardsOf().requestEnded.wasCancelled(request),
      ];
      expect(ends.flatMap(linesOf)).to.deep.equal([
        `@${ben.address} declined to send you the secret.`,
        `@${ann.address} no longer asks you for a secret.`,
      ]);
    });
  });

  it('lose nothing of a card in JSON', async () => {
    const push = await newPush({ name: 'VPN' });
    const all = [
      await commands.list(me),
      await commands.audit(me, push.id),
      await commands.extend(me, push.id),
      cardsOf().help('slack'),
      cardsOf().help('discord'),
    ];
    for (const card of all) expect(JSON.parse(JSON.stringify(card))).to.deep.equal(card);
  });
});
