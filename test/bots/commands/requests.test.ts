import { expect } from 'chai';
import type { ChatCaller } from '../../../src/domain/index.ts';
import { chatCaller, deliverNotices, setRules, summarize } from '../../harness/chat.ts';
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

  describe('request links', () => {
    const ask = (input: object = {}, caller = me) =>
      commands.requestLink(caller, { title: 'the contract', ...input });

    it('are shown to whoever created them, with their address and limits, and in their lists until they are closed', async () => {
      const card = await ask({ answers: 3, passphrase: 'open sesame', expireAfterMinutes: 60 });
      const [ready, limits, passphrase] = linesOf(card);
      expect(ready).to.match(/^Your request link for the contract: http:\/\/push\.test\/a\/\w{26}$/);
      expect(limits).to.match(/ It accepts 3 answers, until THEN\. You are notified of each\.$/);
      expect(passphrase).to.equal('Tell them the passphrase some other way.');
      const id = aboutOf(card, 'Close the link');
      expect(linesOf(await commands.list(me))).to.deep.equal([
        'Request link for the contract · 0 of 3 answers · until THEN · link',
      ]);
      expect(linesOf(await commands.showRequestLink(me, id))).to.deep.equal(linesOf(card));
      const ben = chatCaller();
      expect(await refusal(commands.showRequestLink(ben, id))).to.match(/^not_found/);
      expect(await refusal(commands.closeRequestLink(ben, id))).to.match(/^not_found/);
      expect(linesOf(await commands.closeRequestLink(me, id))).to.deep.equal([
        'The request link for the contract is closed. What was sent stays.',
      ]);
      expect((await commands.list(me)).items).to.equal(undefined);
      expect(linesOf(await commands.showRequestLink(me, id))).to.deep.equal([
        'the contract: Closed · 0 of 3 answers',
      ]);
    });

    it('say which of their fields is wrong', async () => {
      expect(await refusal(ask({ title: 'x'.repeat(101) }))).to.match(/^invalid/);
      expect(await refusal(ask({ expireAfterMinutes: 4 }))).to.match(/^invalid/);
      expect((await commands.list(me)).items).to.equal(undefined);
    });

    it('are for those who may receive secrets in their workspace, and their answers wait as long as links live there', async () => {
      const rules = { requireRecipients: false, allowSlashText: true, onlyMembersReceive: true, maxDays: 2 };
      await setRules(domain, 'slack', me.workspace, rules, 'T1');
      expect(await refusal(ask({}, { ...me, standing: 'guest' }))).to.match(/^forbidden/);
      await ask({}, { ...me, standing: 'member' });
      const { account } = await domain.chat.admit(me);
      const [link] = await domain.requestLinks.list({ account });
      expect(link?.answerLifetimeMs).to.equal(2 * 24 * 60 * 60 * 1000);
      await setRules(domain, 'slack', me.workspace, { requireRecipients: false, allowSlashText: true }, 'T1');
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
