import { expect } from 'chai';
import type { ChatCaller } from '../../../src/domain/index.ts';
import { chatCaller, deliverNotices, summarize } from '../../harness/chat.ts';
import { refusal } from '../../harness/service.ts';
import { aboutOf, buttonsOf, commands, domain, linesOf, me, mine, secrets, useCommands } from './stage.ts';

describe('chat commands', () => {
  useCommands();

  describe('requests', () => {
    let ann: ChatCaller;

    beforeEach(() => {
      ann = chatCaller();
    });

    it('reach the provider, who answers with a form', async () => {
      const asked = await commands.request(me, [ann.chatUser.address], { reason: 'the VPN' });
      expect(linesOf(asked)).to.deep.equal([
        `@${ann.chatUser.address} gets a direct message that asks for the secret. You will be notified of the answer.`,
        'Your request waits until THEN.',
      ]);
      const id = aboutOf(asked, 'Cancel');
      await deliverNotices(domain);
      const given = await commands.provide(ann, id, secrets);
      expect(linesOf(given)).to.deep.equal([`You sent @${me.chatUser.address} the secret.`]);
      expect(summarize(await deliverNotices(domain, [me.chatUser]))).to.deep.equal([
        `${me.chatUser.address} shared`,
      ]);
      expect(await refusal(commands.provide(ann, id, secrets))).to.match(/^not_found/);
      expect(await mine(ann)).to.have.length(1);
    });

    it('can be declined by the provider, and cancelled by the requester', async () => {
      const one = aboutOf(await commands.request(me, [ann.chatUser.address], {}), 'Cancel');
      const other = aboutOf(await commands.request(me, [ann.chatUser.address], {}), 'Cancel');
      expect(await refusal(commands.decline(me, one))).to.match(/^not_found/);
      expect(await refusal(commands.cancel(ann, one))).to.match(/^not_found/);
      const declined = await commands.decline(ann, one);
      expect(linesOf(declined)).to.deep.equal([`You declined to send @${me.chatUser.address} a secret.`]);
      const cancelled = await commands.cancel(me, other);
      expect(linesOf(cancelled)).to.deep.equal([`You no longer ask @${ann.chatUser.address} for a secret.`]);
    });

    it('are new for each idempotency key', async () => {
      const here = { ...me, idempotencyKey: `request ${me.chatUser.address}` };
      await commands.request(here, [ann.chatUser.address], {});
      expect(await refusal(commands.request(here, [ann.chatUser.address], {}))).to.match(/^conflict/);
      expect(await domain.chat.requests.list(me.chatUser)).to.have.length(1);
    });
  });

  describe('links to the browser', () => {
    it('include a compose link, which is shown before it works', async () => {
      const { link, save } = commands.prepareComposeLink({ ...me, replyTo: 'https://example.com/reply' });
      const [, token = ''] = /^http:\/\/push\.test\/compose\/([\w-]{43})$/.exec(link) ?? [];
      expect(await refusal(domain.chat.previewCompose(token))).to.match(/^not_found/);
      await save();
      expect((await domain.chat.previewCompose(token)).context).to.include({ workspace: me.workspace });
    });

    it('include a connect link, which works for ten minutes', async () => {
      const card = await commands.connect(me, '@alice');
      const [button] = buttonsOf(card);
      expect(button).to.include({ label: 'Connect' }).and.have.property('url');
      const url = button !== undefined && 'url' in button ? button.url : '';
      const [, token = ''] = /^http:\/\/push\.test\/connect\/([\w-]{43})$/.exec(url) ?? [];
      expect(await domain.chat.links.redeem('connect', token)).to.deep.equal({
        chatUser: me.chatUser,
        name: '@alice',
      });
    });
  });
});
