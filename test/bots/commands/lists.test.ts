import { expect } from 'chai';
import { cardsOf } from '../../../src/bots/language.ts';
import { times } from '../../harness/api.ts';
import { askFor, chatCaller, newChatUser } from '../../harness/chat.ts';
import { refusal } from '../../harness/service.ts';
import {
  aboutOf,
  commands,
  domain,
  labelsOf,
  linesOf,
  linkTo,
  me,
  mine,
  newPush,
  useCommands,
  view,
} from './stage.ts';

describe('chat commands', () => {
  useCommands();

  describe('lists', () => {
    it('show active links and open requests, with their buttons', async () => {
      const ben = newChatUser();
      const push = await newPush({ name: 'VPN', expireAfterViews: 1 });
      const other = await newPush({ expireAfterViews: 3 });
      await view(other);
      await domain.chat.requests.create(me.chatUser, [ben], { reason: 'the VPN' });
      const card = await commands.list(me);
      expect(card.summary).to.eql(['You have 2 active links.']);
      expect(linesOf(card)).to.have.members([
        'VPN · 0 of 1 view · until THEN · link',
        'Your link (THEN) · 1 of 3 views · until THEN · link',
        `Waiting for @${ben.address} until THEN, asked on THEN.`,
      ]);
      expect(labelsOf(card)).to.deep.equal(['Burn now', 'Activity', 'Burn now', 'Activity', 'Cancel']);
      expect(JSON.stringify(card)).to.contain(linkTo(push.urlToken));
    });

    it('suggest pushes by name or creation time, and create nothing', async () => {
      expect(await commands.suggest(me, '')).to.be.empty;
      expect(await domain.chat.identities.maybeAccount(me.chatUser)).to.equal(undefined);
      const vpn = await newPush({ name: 'The VPN' });
      const other = await newPush({ expireAfterViews: 1 });
      expect(await commands.suggest(me, ' vpn')).to.deep.equal([{ id: vpn.id, label: 'The VPN' }]);
      const labels = (await commands.suggest(me, '')).map(({ label }) => label);
      expect(labels).to.have.length(2);
      expect(labels.join()).to.match(/Created .+ ago|Created this minute/);
      await commands.expire(me, other.id);
      expect(await commands.suggest(me, '')).to.have.length(1);
      expect(await commands.suggest(me, '', { withExpired: true })).to.have.length(2);
      expect(await commands.suggest(chatCaller(), '', { withExpired: true })).to.be.empty;
    });

    it('label each entry in plain text, and show its details to its owner only', async () => {
      const push = await newPush({ name: 'VPN' });
      const request = await askFor(domain, me.chatUser, newChatUser(), {});
      const { items = [] } = await commands.list(me);
      expect(items.map(({ label }) => label).join()).to.match(/^VPN,Request, asked /);
      expect(items.map(({ details }) => details)).to.deep.equal([
        { id: 'push.show', value: push.id },
        { id: 'request.show', value: request.id },
      ]);
      expect(linesOf(await commands.show(me, push.id))[0]).to.match(/^VPN has not been opened yet: /);
      const alone = await commands.showRequest(me, request.id);
      expect(linesOf(alone)[0]).to.match(/^Waiting for @/);
      expect(aboutOf(alone, 'Cancel')).to.equal(request.id);
      expect(await refusal(commands.show(chatCaller(), push.id))).to.match(/^not_found/);
      expect(linesOf(await commands.showRequest(chatCaller(), request.id))).to.deep.equal(
        linesOf(cardsOf().notFound),
      );
    });

    it('count one push in the singular, and say when there is none', async () => {
      expect(linesOf(await commands.list(me))).to.deep.equal(['You have no active link. /push creates one.']);
      await newPush();
      expect((await commands.list(me)).summary).to.eql(['You have 1 active link.']);
    });

    it('show many in pages, the newest first, and the requests beside them', async () => {
      const names = Array.from({ length: 23 }, (_, at) => `push ${at}`);
      for (const name of names) await newPush({ name, passphrase: undefined });
      await times(12, () => domain.chat.requests.create(me.chatUser, [newChatUser()], {}));
      const first = await commands.list(me, { hint: ['A hint.'] });
      expect(first.items).to.have.length(20);
      expect(first.summary).to.eql(['Your active links', ', the newest first.']);
      expect(linesOf(first).at(-1)).to.equal('A hint.');
      expect(labelsOf(first).slice(0, 1)).to.eql(['Older']);
      const second = await commands.listPage(me, aboutOf(first, 'Older'));
      expect(second.items).to.have.length(12);
      const third = await commands.listPage(me, aboutOf(second, 'Older'));
      expect(third.summary).to.eql(['Your active links', ', page 3.']);
      const shown = [first, second, third].flatMap(linesOf).flatMap((line) => /push \d+/.exec(line) ?? []);
      expect(shown).to.eql([...names].reverse());
      expect(labelsOf(third)).to.not.include('Older');
      const back = await commands.listPage(me, aboutOf(third, 'Newer'));
      expect(linesOf(back)).to.eql(linesOf(second));
      expect(linesOf(await commands.list(chatCaller(), { hint: ['A hint.'] })).at(-1)).to.equal('A hint.');
    });

    it('find active links by a part of their name, in pages', async () => {
      for (let at = 0; at < 11; at++) await newPush({ name: `VPN ${at}`, passphrase: undefined });
      await newPush({ name: 'Wifi', passphrase: undefined });
      const found = await commands.list(me, { query: ' vpn ' });
      expect(found.items).to.have.length(10);
      const [oldest] = (await commands.listPage(me, aboutOf(found, 'Older'))).items ?? [];
      expect(oldest?.label).to.equal('VPN 0');
      expect(linesOf(await commands.list(me, { query: 'nosuch' }))).to.eql([
        'None of your active links matches nosuch.',
      ]);
    });

    it('show nobody else’s pushes', async () => {
      await newPush({}, chatCaller());
      expect((await commands.list(me)).items).to.equal(undefined);
    });
  });

  describe('the home', () => {
    it('shows everything of the caller’s under headings', async () => {
      const empty = await commands.home(me);
      expect(Object.keys(empty)).to.deep.equal(['Welcome']);
      expect(Object.values(empty).flatMap(linesOf)[0]).to.match(
        /^Your links and requests will be listed here/,
      );
      await newPush({ name: 'VPN' });
      const ended = await newPush({ name: 'mail', expireAfterViews: 1 });
      await view(ended);
      const ben = newChatUser();
      await domain.chat.requests.create(me.chatUser, [ben], {});
      const full = await commands.home(me);
      expect(Object.values(full).map(linesOf)).to.deep.equal([
        ['VPN · 0 of 5 views · until THEN · link'],
        [`Waiting for @${ben.address} until THEN, asked on THEN.`],
        ['mail · opened once'],
      ]);
      expect(Object.values(full).map(labelsOf)).to.deep.equal([
        ['Burn now', 'Activity'],
        ['Cancel'],
        ['Activity'],
      ]);
    });

    it('shows as much as fits', async () => {
      for (let batch = 0; batch < 3; batch++) await times(5, () => newPush({ passphrase: undefined }));
      await times(15, () => domain.chat.requests.create(me.chatUser, [newChatUser()], {}));
      for (const { id } of (await mine()).slice(0, 9)) await commands.expire(me, id);
      for (let batch = 0; batch < 2; batch++) await times(5, () => newPush({ passphrase: undefined }));
      const parts = Object.values(await commands.home(me));
      expect(parts.map(({ items = [] }) => items.length)).to.deep.equal([10, 10, 8]);
    });
  });
});
