import { expect } from 'chai';
import { type Card, textCard } from '../../../src/bots/card.ts';
import { createCommands } from '../../../src/bots/commands.ts';
import { times } from '../../harness/api.ts';
import { chatCaller } from '../../harness/chat.ts';
import { refusal, startService } from '../../harness/service.ts';
import { buttonsOf, commands, labelsOf, linesOf, linkTo, me, newPush, useCommands } from './stage.ts';

describe('chat commands', () => {
  useCommands();

  describe('finding a push by name', () => {
    /** What `withNamedPush` does with a name: the pushes that it ran the command for, and the card. */
    async function named(name: string, who = me): Promise<{ acted: string[]; card: Card }> {
      const acted: string[] = [];
      const card = await commands.withNamedPush(who, name, async (_asker, id) => {
        acted.push(id);
        return textCard('done');
      });
      return { acted, card };
    }

    it('ignores case and spaces of the name', async () => {
      const push = await newPush({ name: ' VPN of Ann ' });
      await newPush({ name: 'VPN' });
      for (const name of ['VPN of Ann', 'vpn OF ann', '  VPN of Ann '])
        expect((await named(name)).acted, name).to.deep.equal([push.id]);
    });

    it('takes a pasted link in any form', async () => {
      const push = await newPush();
      await newPush();
      const link = linkTo(push.urlToken);
      for (const name of [link, `<${link}|${link}>`, `${link}.json`, push.urlToken, link.toUpperCase()])
        expect((await named(name)).acted, name).to.deep.equal([push.id]);
    });

    it('finds one among many', async () => {
      const push = await newPush({ name: 'the first' });
      for (let batch = 0; batch < 3; batch++) await times(5, () => newPush({ passphrase: undefined }));
      expect((await named('the first')).acted).to.deep.equal([push.id]);
      expect((await named(linkTo(push.urlToken))).acted).to.deep.equal([push.id]);
    });

    it('finds an expired push when no active one matches', async () => {
      const [push, again] = [await newPush({ name: 'VPN' }), await newPush({ name: 'VPN' })];
      await commands.expire(me, push.id);
      expect((await named('VPN')).acted).to.deep.equal([again.id]);
      expect((await named(linkTo(push.urlToken))).acted).to.deep.equal([push.id]);
      await commands.expire(me, again.id);
      const { acted, card } = await named('vpn');
      expect(acted).to.be.empty;
      expect(linesOf(card)).to.deep.equal(['Which link?', 'VPN · never opened', 'VPN · never opened']);
      expect(labelsOf(card)).to.deep.equal(['Activity', 'Activity']);
    });

    it('asks which push is meant when several match, or none', async () => {
      const [one, two] = [await newPush({ name: 'VPN' }), await newPush({ name: 'vpn' })];
      const third = await newPush({ name: 'mail' });
      const several = await named('VPN');
      expect(several.acted).to.be.empty;
      expect(linesOf(several.card)[0]).to.equal('Which link?');
      const ids = (card: Card) => new Set(buttonsOf(card).map((each) => 'value' in each && each.value));
      expect([...ids(several.card)]).to.have.members([one.id, two.id]);
      for (const name of ['', '   ', 'nothing', 'VP', linkTo('0'.repeat(26))]) {
        const { acted, card } = await named(name);
        expect(acted, name).to.be.empty;
        expect([...ids(card)], name).to.have.members([one.id, two.id, third.id]);
        const unknown = name.trim() === '' ? [] : [`You have no link called ${name}.`];
        expect(linesOf(card).slice(0, unknown.length + 1), name).to.eql([...unknown, 'Which link?']);
      }
      const none = await named('VPN', chatCaller());
      expect(linesOf(none.card)).to.deep.equal([
        'You have no link called VPN.',
        'You have no active link. /push creates one.',
      ]);
    });

    it('offers no more pushes than a chat can show', async () => {
      for (let batch = 0; batch < 3; batch++) await times(5, () => newPush({ passphrase: undefined }));
      expect((await named('nothing')).card.items).to.have.length(10);
    });

    it('finds nobody else’s push', async () => {
      const push = await newPush({ name: 'VPN' }, chatCaller());
      for (const name of ['VPN', linkTo(push.urlToken)]) expect((await named(name)).acted).to.be.empty;
    });

    it('runs the command once though the platform delivers it again', async () => {
      const push = await newPush({ name: 'VPN' });
      const here = { ...me, idempotencyKey: `burn ${push.id}` };
      const card = await commands.withNamedPush(here, 'VPN', commands.expire);
      expect(linesOf(card)).to.deep.equal(['VPN was burned. Nobody had opened it.']);
      expect(await refusal(commands.withNamedPush(here, 'VPN', commands.expire))).to.match(/^conflict/);
      const caller = { ...me, idempotencyKey: `ask ${push.id}` };
      await commands.withNamedPush(caller, 'nothing', commands.expire);
      expect(await refusal(commands.withNamedPush(caller, 'nothing', commands.expire))).to.match(/^conflict/);
    });

    it('counts as one command', async () => {
      const limited = await startService({ RATE_LIMITS: 'on', LIMIT_COMMANDS: '3/1m' });
      try {
        const own = createCommands({
          domain: limited.domain,
          linkTo,
          requestLinkTo: linkTo,
          pageOf: () => '',
        });
        await limited.domain.chat.pushes.create(me, { payload: 'tulip', name: 'VPN' });
        await own.withNamedPush(me, 'VPN', own.audit);
        await own.withNamedPush(me, 'nothing', own.audit);
        for (const name of ['VPN', 'nothing'])
          expect(await refusal(own.withNamedPush(me, name, own.audit))).to.match(/^too_many/);
      } finally {
        await limited.stop();
      }
    });
  });
});
