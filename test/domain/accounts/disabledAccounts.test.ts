import { expect } from 'chai';
import type { Account, ChatUser, Domain } from '../../../src/domain/index.ts';
import { askFor, chatCaller, deliverNotices, newChatUser, summarize } from '../../harness/chat.ts';
import {
  anonymous,
  byPassword,
  createAccount,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';

const shutOut = 'forbidden: This account is disabled.';

describe('A disabled account', () => {
  let service: TestService;
  let domain: Domain;
  let chat: Domain['chat'];
  let chatUser: ChatUser;
  let account: Account;

  before(async () => {
    service = await startService();
    ({ domain } = service);
    ({ chat } = domain);
  });
  after(() => service.stop());

  beforeEach(async () => {
    chatUser = newChatUser();
    account = await chat.identities.accountOf(chatUser);
    await deliverNotices(domain);
  });

  const disable = () => domain.accounts.setDisabled(account.email, true, 'operator');
  const enable = () => domain.accounts.setDisabled(account.email, false, 'operator');

  async function composeLink(): Promise<string> {
    const { token, save } = chat.prepareComposeLink(chatCaller(chatUser));
    await save();
    return token;
  }

  it('is refused every command, form and link of a chat, until it is enabled', async () => {
    const [composing, connecting] = [
      await composeLink(),
      await chat.createConnectLink({ chatUser, name: '@ann' }),
    ];
    const { account: other } = await createAccount(domain, 'elsewhere@example.com');
    await disable();
    expect(await refusal(chat.admit(chatCaller(chatUser)))).to.equal(shutOut);
    expect(await refusal(chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' }))).to.equal(shutOut);
    expect(await refusal(chat.identities.maybeAccount(chatUser))).to.equal(shutOut);
    expect(await refusal(chat.formDefaults(chatCaller(chatUser)))).to.equal(shutOut);
    expect(await refusal(chat.previewCompose(composing))).to.equal(shutOut);
    expect(await refusal(chat.compose(composing, { payload: 'tulip' }))).to.equal(shutOut);
    expect(await refusal(chat.beginCompose(composing))).to.equal(shutOut);
    expect(await refusal(chat.requestLink(connecting, null))).to.equal(shutOut);
    expect(await refusal(chat.identities.previewLink(chatUser, other))).to.equal(shutOut);
    expect(await refusal(chat.identities.link(chatUser, other))).to.equal(shutOut);
    expect(await domain.pushes.list({ account }, 'active', 1)).to.be.empty;
    await enable();
    await chat.compose(composing, { payload: 'tulip' });
  });

  it('cannot be given to another chat user', async () => {
    const { account: target } = await createAccount(domain, 'target@example.com');
    await domain.accounts.setDisabled(target.email, true, 'operator');
    expect(await refusal(chat.identities.link(chatUser, target))).to.equal(shutOut);
    expect((await chat.identities.accountOf(chatUser)).id.equals(account.id)).to.equal(true);
  });

  it('is signed in nowhere, and its API tokens open nothing, until it is enabled', async () => {
    const token = await domain.apiTokens.issue(account, { name: 'of a script' });
    const session = await domain.sessions.create(account, someClient, byPassword);
    await disable();
    expect(await refusal(domain.apiTokens.authenticate(token))).to.match(/^unauthenticated/);
    expect(await domain.sessions.authenticate(session)).to.equal(null);
    await enable();
    expect((await domain.apiTokens.authenticate(token)).account.id.equals(account.id)).to.equal(true);
    expect(await domain.sessions.authenticate(session)).to.not.equal(null);
  });

  it('is sent no test event that it asked for before', async () => {
    const { id } = await domain.webhooks.create(account, { url: 'https://example.com/test' });
    await domain.webhooks.test(account, id);
    await disable();
    const events = (await deliverNotices(domain)).map(({ notice }) => notice.event);
    await enable();
    expect(events).to.not.include('test');
  });

  it('is told that it is disabled, and else sent no notices, not even those that were waiting, in chats or to webhooks', async () => {
    await domain.webhooks.create(account, { url: 'https://example.com/hook' });
    const view = async () => {
      const { urlToken } = await domain.pushes.create({ payload: 'tulip' }, { account, client: someClient });
      await domain.pushes.reveal(urlToken, undefined, anonymous);
    };
    await view();
    const events = async () => (await deliverNotices(domain)).map(({ notice }) => notice.event);
    await disable();
    await view();
    expect(await events()).to.deep.equal(['account_act', 'account_act']);
    await enable();
    await view();
    expect(await events()).to.have.members(['account_act', 'account_act', 'viewed', 'viewed']);
  });

  it('neither sends nor gets secrets and requests in a chat', async () => {
    const friend = newChatUser();
    const { account: other } = await createAccount(domain, 'friend@example.com');
    const [mine, theirs] = await Promise.all(
      [account, other].map((owner) =>
        domain.pushes.create({ payload: 'tulip' }, { account: owner, client: someClient }),
      ),
    );
    const toAddress = (chatUser: ChatUser) => [chatUser];
    await domain.pushes.share(account, mine?.id ?? '', toAddress(friend));
    await domain.pushes.share(other, theirs?.id ?? '', toAddress(chatUser));
    const asked = await askFor({ chat }, chatUser, friend, {});
    await chat.requests.create(friend, [chatUser], {});
    await disable();
    expect(summarize(await deliverNotices(domain))).to.deep.equal([`${chatUser.address} account_act`]);
    expect(await refusal(chat.requests.requireOpen(asked.id, friend))).to.equal(
      'not_found: This request has ended.',
    );
    await enable();
    expect((await chat.requests.requireOpen(asked.id, friend)).id).to.equal(asked.id);
  });
});
