import { expect } from 'chai';
import { cardsOf } from '../../../src/bots/language.ts';
import { encryptPush } from '../../../src/client/client.ts';
import type { Push } from '../../../src/domain/index.ts';
import { chatCaller, deliverNotices, newChatUser, setRules, summarize } from '../../harness/chat.ts';
import { anonymous, refusal } from '../../harness/service.ts';
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
  secrets,
  textOf,
  useCommands,
  view,
} from './stage.ts';

describe('chat commands', () => {
  useCommands();

  describe('creating a push', () => {
    it('show the link, its limits and its buttons', async () => {
      const card = await commands.create(me, { ...secrets, name: 'VPN', expireAfterViews: 1 }, {});
      const [push] = await mine();
      const link = linkTo(push?.urlToken ?? '');
      expect(linesOf(card)).to.deep.equal([
        `VPN is ready: ${link}`,
        'It opens once, until THEN.',
        'Tell them the passphrase some other way, such as by phone.',
      ]);
      expect(card.lines[0]?.at(-1)).to.deep.equal({ link, label: link });
      expect(card.lines[1]?.[1]).to.deep.equal({ time: push?.expiresAt, as: 'moment' });
      expect(textOf(card.summary)).to.equal(`VPN is ready: ${link}`);
      expect(labelsOf(card)).to.deep.equal(['Burn now', 'Activity', 'Send to…', 'Share in this channel']);
      for (const label of labelsOf(card)) expect(aboutOf(card, label)).to.equal(push?.id);
      expect(await view(push as Push)).to.include({ payload: secrets.payload });
    });

    it('show no link to a push that a browser encrypted, and say who has the key', async () => {
      const { push: form } = await encryptPush({ payload: 'tulip' });
      const push = await newPush({ ...form, passphrase: undefined, name: 'VPN', expireAfterViews: 1 });
      const link = linkTo(push.urlToken);
      expect(linesOf(cardsOf().pushCreated(push, link))).to.deep.equal([
        'VPN is ready.',
        'It opens once, until THEN.',
        'It is encrypted: the whole link, with its key, is only on the page where you created it.',
      ]);
      const status = cardsOf().pushStatus({ ...push, recipients: [] }, link);
      for (const card of [status, await commands.list(me)])
        expect(linesOf(card).join()).to.not.include('http');
      expect(linesOf(cardsOf().received(undefined, push, { link }))).to.include(
        'It is encrypted: the sender tells you the key some other way.',
      );
    });

    it('share it with the chosen people, and name them', async () => {
      const people = [newChatUser(), newChatUser(), newChatUser()];
      const recipients = people.map(({ address }) => address);
      const card = await commands.create(me, { payload: 'tulip' }, { recipients });
      expect(linesOf(card)).to.contain(
        `@${recipients[0]}, @${recipients[1]} and @${recipients[2]} get a direct message with the link.`,
      );
      expect(linesOf(card)[0]).to.equal('Your link is ready.');
      expect(linesOf(card).join()).to.not.match(/passphrase|http/);
      expect(summarize(await deliverNotices(domain, people))).to.deep.equal(
        recipients.map((address) => `${address} shared`).sort(),
      );
      const two = await commands.create(me, { payload: 'tulip' }, { recipients: recipients.slice(1) });
      expect(linesOf(two)).to.contain(
        `@${recipients[1]} and @${recipients[2]} get a direct message with the link.`,
      );
    });

    it('take the text after a command byte for byte, and hint at the form', async () => {
      const text = ` ${secrets.payload}  *_~\`<@U1> \\n 🌷 `;
      const card = await commands.createFromText(me, text);
      const [push] = await mine();
      expect((await domain.pushes.reveal(push?.urlToken ?? '', undefined, anonymous)).payload).to.equal(text);
      expect(linesOf(card).at(-1)).to.equal(
        'Text typed after a command passes through the chat’s servers. Next time use the form: /push alone.',
      );
    });

    it('take no text after a command where the workspace forbids it or requires recipients', async () => {
      for (const [at, rules] of [
        { requireRecipients: false, allowSlashText: false },
        { requireRecipients: true, allowSlashText: true },
      ].entries()) {
        const here = chatCaller(newChatUser(), { workspace: `strict ${at}` });
        await setRules(domain, 'slack', here.workspace, rules);
        expect(linesOf(await commands.createFromText(here, secrets.payload))).to.deep.equal([
          'Here, secrets are not typed after the command. Use the form: /push alone.',
        ]);
        expect(await mine(here)).to.be.empty;
      }
    });

    it('create nothing after the abort', async () => {
      const late = commands.create(me, { payload: 'tulip' }, { signal: AbortSignal.abort() });
      expect(await refusal(late)).to.match(/^unavailable/);
      expect(await mine()).to.be.empty;
    });

    it('offer the defaults of the person, the workspace and the service', async () => {
      expect(await commands.formDefaults(me)).to.include({ views: 5, days: 7, maxViews: 100, maxDays: 90 });
    });
  });
});
