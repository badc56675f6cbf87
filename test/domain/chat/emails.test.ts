import { expect } from 'chai';
import { type Card, toPlainText } from '../../../src/bots/card.ts';
import { createCommands } from '../../../src/bots/commands.ts';
import type { ChatCaller, PushForm } from '../../../src/domain/index.ts';
import { chatCaller, countRows, newChatUser, setRules, slackOn } from '../../harness/chat.ts';
import { type MailedService, startMailedService } from '../../harness/mailedService.ts';
import { Reply } from '../../harness/mailServer.ts';
import { anonymous, newEmail, refusal, startService } from '../../harness/service.ts';

describe('A push created from a chat for e-mail addresses', () => {
  let service: MailedService;

  before(async () => {
    service = await startMailedService({
      ...slackOn,
      RATE_LIMITS: 'on',
      LIMIT_MAIL_BY_ADDRESS: '2/1h',
      LIMIT_MAIL_BY_ACCOUNT: '4/1d',
      MAIL_ALLOWED_DOMAINS: 'example.com,example.org',
    });
  });

  afterEach(() => service.forgetMails());

  after(() => service.stop());

  const create = (form: Partial<PushForm>, caller: ChatCaller = chatCaller(), recipients = [newChatUser()]) =>
    service.domain.chat.pushes.create(caller, { payload: 'tulip', ...form }, { recipients });
  const alone = (form: Partial<PushForm>, caller?: ChatCaller) => create(form, caller, []);
  const mailsWritten = () => countRows(service, 'notices', "messenger = 'mail'");

  it('sends each a link of their own, which opens only with a code, in the language of the sender', async () => {
    const [bob, carol] = [newEmail(), newEmail()];
    const emails = `${bob}, ${carol}\n${bob.toUpperCase()}`;
    const push = await alone({ emails, expireAfterViews: 2 }, chatCaller(undefined, { locale: 'de' }));
    expect([push.viewsMax, push.isReserved]).to.deep.equal([4, true]);
    expect(push.recipients.map(({ name }) => name?.toLowerCase())).to.have.members([bob, carol]);
    expect(
      push.recipients.map(({ mail, isBound, viewsMax }) => [mail?.needsCode, isBound, viewsMax]),
    ).to.deep.equal([
      [true, false, 2],
      [true, false, 2],
    ]);
    await service.deliver();
    expect(service.mails.map(({ envelope }) => envelope.to[0]?.toLowerCase()).sort()).to.deep.equal(
      [bob, carol].sort(),
    );
    expect(service.mails[0]?.subject).to.equal('Jemand hat ein Geheimnis mit dir geteilt');
    const [, token = ''] = /\/p\/(\w{26})/.exec(String(service.mails[0]?.text)) ?? [];
    expect(await refusal(service.domain.pushes.reveal(token, undefined, anonymous))).to.match(/with a code/);
  });

  it('goes to people in the chat as well, who have views of their own', async () => {
    const push = await create({ emails: newEmail() });
    expect(
      push.recipients.map(({ platform, isBound, viewsMax }) => [platform, isBound, viewsMax]),
    ).to.have.deep.members([
      ['slack', true, 1],
      [null, false, 1],
    ]);
    expect(push.viewsMax).to.equal(2);
  });

  it('is refused for what is no address, or one where no links go, which it names', async () => {
    const before = await mailsWritten();
    for (const [emails, reason] of [
      ['bob', /“bob”, which is no e-mail address/],
      ['a@b@c', /“a@b@c”, which is no/],
      [`${'x'.repeat(65)}@example.com`, /“x{60}”, which is no/],
      ['Bob <bob@example.com>', /“Bob”, which is no/],
      ['bob@example.com\r\nBcc: eve@example.com', /“Bcc:”, which is no/],
      [
        'bob@elsewhere.example',
        /bob@elsewhere\.example: links go only to addresses at example\.com, example\.org/,
      ],
    ] as const)
      expect(await refusal(alone({ emails })), emails)
        .to.match(/^invalid: /)
        .and.match(reason);
    expect(await mailsWritten()).to.equal(before);
  });

  it('is refused beyond the limits of an address and of an account, and says so', async () => {
    const email = newEmail();
    for (let count = 0; count < 2; count++) await alone({ emails: email });
    expect(await refusal(alone({ emails: email }))).to.match(
      new RegExp(`^invalid: .*${email}, which got many mails`),
    );
    const caller = chatCaller();
    await alone({ emails: Array.from({ length: 4 }, newEmail).join(' ') }, caller);
    expect(await refusal(alone({ emails: newEmail() }, caller))).to.match(/^too_many: /);
  });

  it('counts as one with recipients, and is refused where only members may receive', async () => {
    const caller = chatCaller(newChatUser('TRULES'));
    await setRules(service.domain, 'slack', 'TRULES', { requireRecipients: true, allowSlashText: true });
    expect(await refusal(alone({}, caller))).to.match(/^invalid/);
    await alone({ emails: newEmail() }, caller);
    await setRules(service.domain, 'slack', 'TRULES', {
      ...{ requireRecipients: false, allowSlashText: true },
      onlyMembersReceive: true,
    });
    const { canMail } = await service.domain.chat.formDefaults(caller);
    expect(canMail).to.equal(false);
    expect(await refusal(alone({ emails: newEmail() }, caller))).to.match(/members of this workspace/);
  });

  it('is said by the card to go there, and later not to have gone', async () => {
    const linkTo = (urlToken: string) => `http://push.test/p/${urlToken}`;
    const commands = createCommands({
      ...{ domain: service.domain, linkTo, requestLinkTo: linkTo },
      pageOf: () => '',
    });
    const caller = chatCaller();
    const email = newEmail();
    const textOf = ({ lines }: Card) => lines.map(toPlainText).join('\n');
    const card = await commands.create(caller, { payload: 'tulip', emails: email }, {});
    expect(textOf(card)).to.include(
      `A mail with a link goes to ${email}. It opens only with a code that goes there, too.`,
    );
    expect(textOf(card)).not.to.include('http://push.test/p/');
    service.answerMails(new Reply(550, '5.1.1 No such user'));
    await service.deliver();
    const account = await service.domain.chat.identities.accountOf(caller.chatUser);
    const [push] = await service.domain.pushes.list({ account }, 'active', 1);
    expect(textOf(await commands.extend(caller, String(push?.id)))).to.include(
      `The mail to ${email} was not sent: your mail server refused it: 550 5.1.1 No such user`,
    );
  });

  it('does not exist where there is no mail server, and is not offered', async () => {
    const without = await startService(slackOn);
    const { chat } = without.domain;
    expect((await chat.formDefaults(chatCaller())).canMail).to.equal(false);
    const form = { payload: 'tulip', emails: newEmail() };
    expect(await refusal(chat.pushes.create(chatCaller(), form))).to.match(
      /^forbidden: .*sends no such mails/,
    );
    await without.stop();
  });
});

describe('A request link created from a chat for e-mail addresses', () => {
  let service: MailedService;

  before(async () => {
    service = await startMailedService({
      ...slackOn,
      ...{ RATE_LIMITS: 'on', LIMIT_MAIL_BY_ADDRESS: '2/1h', MAIL_ALLOWED_DOMAINS: 'example.com' },
    });
  });

  afterEach(() => service.forgetMails());

  after(() => service.stop());

  const ask = (to: string, caller: ChatCaller = chatCaller()) =>
    service.domain.chat.createRequestLink(caller, { title: 'VPN', to });

  it('is mailed once to each, in the language of whoever asks', async () => {
    const [bob, carol] = [newEmail(), newEmail()];
    const { link, mailed } = await ask(
      `${bob}\n${carol} ${bob.toUpperCase()}`,
      chatCaller(undefined, { locale: 'de' }),
    );
    expect(link.answersMax).to.equal(2);
    expect(mailed.map(({ state }) => state.is)).to.deep.equal(['waiting', 'waiting']);
    await service.deliver();
    expect(service.mails.map(({ subject }) => subject)).to.deep.equal(
      Array(2).fill('Jemand bittet dich um ein Geheimnis'),
    );
  });

  it('is refused for what is no address, and one that may get or has had no more, and nothing is created', async () => {
    const email = newEmail();
    for (let count = 0; count < 2; count++) await ask(email);
    const before = await countRows(service, 'request_links', 'TRUE');
    for (const [to, reason] of [
      ['bob', /“bob”, which is no e-mail address/],
      ['bob@example.com\r\nBcc: eve@example.com', /“Bcc:”, which is no/],
      ['bob@elsewhere.example', /links go only to addresses at example\.com/],
      [email, new RegExp(`${email}, which got many mails`)],
      [Array.from({ length: 51 }, (_, at) => `p${at}@example.com`).join(), /at most 50/],
    ] as const)
      expect(await refusal(ask(to)), to)
        .to.match(/^invalid: /)
        .and.match(reason);
    const caller = chatCaller(newChatUser('TLINKS'));
    await setRules(service.domain, 'slack', 'TLINKS', {
      ...{ requireRecipients: false, allowSlashText: true },
      onlyMembersReceive: true,
    });
    expect(await refusal(ask(newEmail(), { ...caller, standing: 'member' }))).to.match(
      /members of this workspace/,
    );
    expect(await countRows(service, 'request_links', 'TRUE')).to.equal(before);
  });

  it('does not exist where there is no mail server', async () => {
    const without = await startService(slackOn);
    const asked = without.domain.chat.createRequestLink(chatCaller(), { title: 'VPN', to: newEmail() });
    expect(await refusal(asked)).to.match(/^forbidden: .*sends no such mails/);
    await without.stop();
  });
});
