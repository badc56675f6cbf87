import { expect } from 'chai';
import { expirePushIn } from '../../harness/api.ts';
import { chatCaller, countRows, deliverNotices, newChatUser, summarize } from '../../harness/chat.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { anonymous, refusal } from '../../harness/service.ts';
import {
  commands,
  domain,
  labelsOf,
  linesOf,
  linkTo,
  me,
  mine,
  newPush,
  service,
  textOf,
  useCommands,
  view,
} from './stage.ts';

describe('chat commands', () => {
  useCommands();

  describe('expire', () => {
    it('ends a push now, and says so', async () => {
      const push = await newPush({ name: 'VPN' });
      await view(push);
      await view(push);
      const card = await commands.expire(me, push.id);
      expect(linesOf(card)).to.deep.equal(['VPN was burned. It had been opened twice.']);
      expect(textOf(card.summary)).to.equal('VPN was burned. It had been opened twice.');
      expect(labelsOf(card)).to.deep.equal(['Activity']);
      expect(linesOf(await commands.expire(me, push.id))).to.deep.equal([
        'VPN was burned. It had been opened twice.',
      ]);
      expect((await view(push)).payload).to.equal(null);
    });
  });

  describe('extend', () => {
    it('gives a push more time, and says so', async () => {
      const push = await newPush({ expireAfterDays: 2, expireAfterViews: 2 });
      const card = await commands.extend(me, push.id);
      expect(linesOf(card)).to.deep.equal([
        `Your link (THEN) has not been opened yet: ${linkTo(push.urlToken)}`,
        'It opens twice, until THEN.',
        'It stays available 2 days longer.',
      ]);
      expect(card.lines[1]?.[1]).to.deep.equal({ time: push.expiresAt + 2 * 86_400_000, as: 'moment' });
      expect(labelsOf(card)).to.deep.equal(['Burn now', 'Extend by 2 days', 'Activity']);
      await view(push);
      expect(linesOf(await commands.extend(me, push.id))).to.deep.equal([
        `Your link (THEN) was opened 1 of 2 times: ${linkTo(push.urlToken)}`,
        'It opens once more, until THEN.',
        'It stays available 2 days longer.',
      ]);
    });

    it('changes nothing of an expired push, and says so', async () => {
      const push = await newPush({ name: 'VPN' });
      await view(push);
      await expirePushIn(service, push.urlToken, 0);
      expect(linesOf(await commands.extend(me, push.id))).to.deep.equal([
        'VPN has expired. It had been opened once.',
      ]);
    });
  });

  describe('audit', () => {
    it('lists what happened to a push', async () => {
      const push = await newPush({ name: 'VPN', expireAfterViews: 1, deletableByViewer: true });
      await refusalOf(view(push, 'wrong'));
      const bot = { account: null, client: { ...anonymous.client, isPreviewer: () => true } };
      await domain.pushes.reveal(push.urlToken, undefined, bot);
      await commands.extend(me, push.id);
      await view(push);
      await view(push);
      const card = await commands.audit(me, push.id);
      expect(linesOf(card)).to.deep.equal([
        'VPN: 1 of 1 view used.',
        'THEN created',
        'THEN wrong passphrase from 192.0.2.7',
        'THEN page loaded without using a view from 192.0.2.7',
        'THEN extended',
        'THEN opened from 192.0.2.7',
        'THEN somebody came too late from 192.0.2.7',
      ]);
      expect(textOf(card.summary)).to.equal('What has happened to VPN');
    });

    it('lists the newest of a long log, and counts the rest', async () => {
      const push = await newPush({ passphrase: undefined, expireAfterViews: 100 });
      const look = () => domain.pushes.reveal(push.urlToken, undefined, anonymous);
      for (let count = 0; count < 15; count++) await look();
      expect(linesOf(await commands.audit(me, push.id)).at(-1)).to.equal('1 earlier entry not shown.');
      for (let count = 0; count < 45; count++) await look();
      await commands.expire(me, push.id);
      const lines = linesOf(await commands.audit(me, push.id));
      expect(lines).to.have.length(1 + 15 + 1);
      expect(lines[0]).to.equal('Your link (THEN): 60 of 100 views used.');
      expect(lines.slice(-2)).to.deep.equal(['THEN burned', '47 earlier entries not shown.']);
      const all = await domain.pushes.auditLog(push.urlToken, 2, {
        account: await domain.chat.identities.accountOf(me.chatUser),
        client: anonymous.client,
      });
      const card = await commands.audit(me, push.id);
      const moments = card.lines
        .slice(1)
        .map(([part]) => typeof part === 'object' && 'time' in part && part.time);
      expect(moments.slice(-all.length)).to.deep.equal(all.map(({ createdAt }) => createdAt).slice(-15));
    });
  });

  describe('share', () => {
    it('sends an existing push to more people', async () => {
      const ann = newChatUser();
      const push = await newPush();
      const card = await commands.share(me, push.id, [ann.address]);
      expect(linesOf(card)).to.deep.equal([`@${ann.address} gets a direct message with the link.`]);
      expect(summarize(await deliverNotices(domain, [ann]))).to.deep.equal([`${ann.address} shared`]);
    });

    it('sends it to people on the caller’s platform', async () => {
      const onDiscord = chatCaller({ platform: 'discord', address: '42'.repeat(9) }, { workspace: 'G1' });
      const push = await newPush({}, onDiscord);
      await commands.share(onDiscord, push.id, ['43'.repeat(9)]);
      const binds = { address: '43'.repeat(9), messenger: 'discord' };
      expect(
        await countRows(service, 'notices', 'address = $address AND messenger = $messenger', binds),
      ).to.equal(1);
    });
  });

  it('are refused to everybody but the owner of a push', async () => {
    const push = await newPush();
    const stranger = chatCaller();
    for (const id of [push.id, '', 'x', '0'.repeat(32)]) {
      const acts = [
        commands.expire(stranger, id),
        commands.extend(stranger, id),
        commands.audit(stranger, id),
        commands.share(stranger, id, [newChatUser().address]),
      ];
      for (const act of acts) expect(await refusal(act)).to.equal('not_found: There is no such push.');
    }
    expect(await mine()).to.have.length(1);
    expect(await deliverNotices(domain)).to.be.empty;
  });
});
