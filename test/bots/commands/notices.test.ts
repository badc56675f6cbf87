import { expect } from 'chai';
import { cards as english } from '../../../src/bots/cards/cards.ts';
import type { ChatCaller } from '../../../src/domain/index.ts';
import { expirePushIn } from '../../harness/api.ts';
import { deliverNotices, newChatUser } from '../../harness/chat.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { someClient } from '../../harness/service.ts';
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
  secrets,
  service,
  textOf,
  useCommands,
  view,
} from './stage.ts';

describe('chat commands', () => {
  useCommands();

  describe('notices', () => {
    /** The text of every notice that somebody gets. */
    const heard = async ({ chatUser }: ChatCaller): Promise<string[]> =>
      (await deliverNotices(domain, [chatUser])).map(({ notice }) => {
        if (!('push' in notice)) return expect.fail('that is about no push');
        const line = english.eventLine(notice);
        cards.push(line);
        return textOf(line);
      });

    it('count views, wrong passphrases and the end in words', async () => {
      const push = await newPush({ expireAfterViews: 4 });
      await view(push);
      expect(await heard(me)).to.deep.equal(['Viewed, 1 of 4 in all, THEN.']);
      await view(push);
      await view(push);
      expect(await heard(me)).to.deep.equal(['Viewed twice, 3 of 4 in all, THEN.']);
      await refusalOf(view(push, 'wrong'));
      expect(await heard(me)).to.deep.equal(['Wrong passphrase, THEN.']);
      for (const _ of [1, 2, 3]) await refusalOf(view(push, 'wrong'));
      expect(await heard(me)).to.deep.equal(['3 wrong passphrases, THEN.']);
      await view(push);
      expect(await heard(me)).to.have.members([
        'Viewed, 4 of 4 in all, THEN.',
        'Expired, read 4 times, THEN.',
      ]);
    });

    it('say whether a push that expired or was burned was ever read', async () => {
      const [byTime, byHand] = [await newPush(), await newPush()];
      await view(byHand);
      await deliverNotices(domain);
      await expirePushIn(service, byTime.urlToken, -1);
      await domain.sweeps.expireDue();
      expect(await heard(me)).to.deep.equal(['Expired, never read, THEN.']);
      await commands.expire(me, byHand.id);
      expect(await heard(me)).to.deep.equal(['Burned, read once, THEN.']);
    });

    it('tell of a near expiry, a lock, and a push from the browser', async () => {
      const push = await newPush();
      const due = `UPDATE pushes SET due_at = ${service.database.dialect.now} WHERE id = $id`;
      await service.database.execute(due, { id: Buffer.from(push.id, 'hex') });
      await domain.sweeps.remindUnread();
      expect(await heard(me)).to.deep.equal(['Nobody has opened it yet, and it expires soon.']);
      const { link, save } = commands.prepareComposeLink(me);
      await save();
      await domain.chat.compose(link.slice(-43), secrets);
      const all = await deliverNotices(domain, [me.chatUser]);
      const [composed] = all.map(({ notice }) => ('push' in notice ? notice : expect.fail('no push')));
      if (composed === undefined) return expect.fail('nobody was told');
      expect(textOf(english.eventLine(composed))).to.equal('Made in the browser, THEN.');
      expect(textOf(english.eventLine({ ...composed, event: 'locked' }))).to.equal(
        'Locked for a while after too many wrong passphrases, THEN.',
      );
    });

    it('tell once that somebody asks for a new push', async () => {
      const push = await newPush({ expireAfterViews: 1 });
      await view(push);
      await deliverNotices(domain);
      for (const _ of [1, 2]) await domain.pushes.askAgain(push.urlToken, someClient);
      expect(await heard(me)).to.deep.equal(['Somebody who came too late asks for it again, THEN.']);
      expect([english.buttons.newPush(push.id)]).to.deep.equal([
        { label: 'New push', style: 'primary', id: 'push.new', value: push.id },
      ]);
      const log = linesOf(await commands.audit(me, push.id));
      expect(log.at(-1)).to.equal(`THEN asked for again from ${someClient.ip}`);
    });

    it('tell recipients of a secret, without what only its owner may see', async () => {
      const push = await newPush({ name: 'name-4711', expireAfterViews: 1 });
      const card = english.received('T1:U1', push, linkTo(push.urlToken));
      expect(linesOf(card)).to.deep.equal([
        '@T1:U1 sent you a secret.',
        'Opens once, until THEN.',
        'You will be asked for a passphrase, which comes by another way.',
      ]);
      expect(buttonsOf(card)).to.deep.equal([
        { label: 'Open', style: 'primary', id: 'push.open', url: linkTo(push.urlToken) },
      ]);
      expect(JSON.stringify(card)).to.not.contain('name-4711');
      cards.push(card);
      const open = english.received(
        undefined,
        { ...push, viewsMax: 3, viewsUsed: 1, hasPassphrase: false },
        'x',
      );
      expect(linesOf(open)).to.deep.equal(['Somebody sent you a secret.', 'Opens twice more, until THEN.']);
    });

    it('tell of requests and their ends, also in plain text', async () => {
      const [ann, ben] = [newChatUser(), newChatUser()];
      const request = await domain.chat.requests.create(ann, ben, { reason: 'the VPN' });
      const asked = english.requested(request);
      expect(linesOf(asked)).to.deep.equal([`@${ann.address} asks you for a secret.`, 'the VPN']);
      expect(labelsOf(asked)).to.deep.equal(['Provide secret', 'Decline']);
      for (const label of labelsOf(asked)) expect(aboutOf(asked, label)).to.equal(request.id);
      expect(linesOf(english.requested({ ...request, reason: null }))).to.have.length(1);
      const ends = [english.requestEnded.wasDeclined(request), english.requestEnded.wasCancelled(request)];
      expect(ends.flatMap(linesOf)).to.deep.equal([
        `@${ben.address} declined to send you the secret.`,
        `@${ann.address} no longer asks you for a secret.`,
      ]);
      expect(ends.map(({ summary }) => summary)).to.deep.equal([
        'Somebody declined to send you the secret.',
        'Somebody no longer asks you for a secret.',
      ]);
    });
  });

  it('lose nothing of a card in JSON', async () => {
    const push = await newPush({ name: 'VPN' });
    const all = [
      await commands.list(me),
      await commands.audit(me, push.id),
      await commands.extend(me, push.id),
      english.help('slack'),
      english.help('discord'),
    ];
    for (const card of all) expect(JSON.parse(JSON.stringify(card))).to.deep.equal(card);
  });
});
