import { expect } from 'chai';
import { toErrorCard } from '../../../src/bots/errorCard.ts';
import { cardsOf } from '../../../src/bots/language.ts';
import { connectDatabase } from '../../../src/database/database.ts';
import { DomainError, type ErrorCode } from '../../../src/domain/index.ts';
import { newChatUser, setRules } from '../../harness/chat.ts';
import { refusalOf } from '../../harness/refusal.ts';

import { cards, commands, domain, linesOf, me, secrets, textOf, useCommands } from './stage.ts';

describe('chat commands', () => {
  useCommands();

  describe('settings', () => {
    const notices = {
      viewed: 'first',
      expired: true,
      failedPassphrase: false,
      reminder: true,
      askedAgain: false,
    } as const;

    it('are those of the person and of the workspace', async () => {
      const here = { ...me, workspace: 'with settings' };
      expect(await commands.settings(here)).to.deep.equal({
        personal: {},
        notices: { viewed: 'every', expired: true, failedPassphrase: true, reminder: true, askedAgain: true },
        workspace: { requireRecipients: false, allowSlashText: true },
      });
      const workspace = { requireRecipients: true, allowSlashText: false, maxViews: 3 };
      const manager = { ...here, standing: 'admin' as const };
      await commands.saveSettings(manager, { personal: { expireAfterViews: 2 }, notices, workspace });
      expect(await commands.settings(here)).to.deep.equal({
        personal: { expireAfterViews: 2 },
        notices,
        workspace,
      });
    });

    it('of the workspace stay when a person saves their own', async () => {
      const here = { ...me, workspace: 'of others' };
      const workspace = { requireRecipients: true, allowSlashText: false };
      await setRules(domain, 'slack', here.workspace, workspace);
      await commands.saveSettings(here, { personal: {}, notices });
      expect(await commands.settings(here)).to.deep.include({ workspace, notices });
    });

    it('out of bounds are refused', async () => {
      const saving = commands.saveSettings(me, { personal: { expireAfterViews: 0 }, notices });
      expect((await refusalOf(saving)).problems).to.have.key('expireAfterViews');
    });
  });

  describe('refusals', () => {
    const worded = (error: unknown) => {
      const card = toErrorCard(error, cardsOf());
      if (card !== undefined) cards.push(card);
      return card && linesOf(card);
    };

    it('have a text for every code', () => {
      const said: Record<ErrorCode, string[]> = {
        invalid: ["That push doesn't belong to you."],
        unauthenticated: ["That push doesn't belong to you."],
        forbidden: ["That push doesn't belong to you."],
        conflict: ["That push doesn't belong to you."],
        too_many: ["That push doesn't belong to you."],
        too_large: ["That push doesn't belong to you."],
        not_found: ["That push doesn't belong to you."],
        unavailable: ["That push doesn't belong to you."],
      };
      for (const [code, lines] of Object.entries(said)) {
        const error = new DomainError(code as ErrorCode, 'notOwner');
        expect(worded(error), code).to.deep.equal(lines);
        expect(textOf(toErrorCard(error, cardsOf())?.summary ?? []), code).to.equal(lines[0]);
      }
    });

    it('name every wrong field by its label', async () => {
      const form = { ...secrets, payload: ' ', expireAfterViews: 0, name: 'x'.repeat(256) };
      const error = await refusalOf(commands.create(me, form, {}));
      expect(worded(error)).to.have.members([
        'The secret must not be blank.',
        'The name must have at most 255 characters.',
        'Views must be between 1 and 100.',
      ]);
      const workspace = 'strict words';
      await setRules(domain, 'slack', workspace, {
        requireRecipients: true,
        allowSlashText: true,
        maxDays: 3,
      });
      const beyond = commands.create({ ...me, workspace }, { payload: 'tulip', expireAfterDays: 4 }, {});
      expect(worded(await refusalOf(beyond))).to.deep.equal([
        'Recipients must not be empty in this workspace.',
        'Days must be at most 3 in this workspace.',
      ]);
      const long = commands.request(me, [newChatUser().address], { reason: 'x'.repeat(501) });
      expect(worded(await refusalOf(long))).to.deep.equal(['The reason must have at most 500 characters.']);
      expect(worded(await refusalOf(commands.request(me, [me.chatUser.address], {})))).to.deep.equal([
        'You cannot ask yourself.',
      ]);
    });

    it('ask to try again when the database is unreachable', async () => {
      const away = connectDatabase('mysql://nobody@127.0.0.1:1/none', { poolSize: 1 });
      const error = await away.clock().catch((reason: unknown) => reason);
      await away.close();
      expect(worded(error)).to.deep.equal([
        'Our database is out of reach. Nothing was created. Please try again.',
      ]);
    });

    it('have no card for a failure, which is logged', () => {
      for (const failure of [new Error(secrets.payload), new TypeError('x'), undefined, 'text'])
        expect(toErrorCard(failure, cardsOf())).to.equal(undefined);
    });
  });
});
