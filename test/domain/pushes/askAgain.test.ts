import { expect } from 'chai';
import type { Account, Domain } from '../../../src/domain/index.ts';
import { expirePushIn, times } from '../../harness/api.ts';
import { deliverNotices, newChatUser, summarize } from '../../harness/chat.ts';
import {
  anonymous,
  createAccount,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';

const unknown = 'not_found: There is no such push.';

describe('Asking for a push again', () => {
  let service: TestService;
  let domain: Domain;
  let pushes: Domain['pushes'];
  let account: Account;
  let address: string;

  before(async () => {
    service = await startService();
    ({ domain } = service);
    ({ pushes } = domain);
  });

  after(() => service.stop());

  beforeEach(async () => {
    const chatUser = newChatUser();
    ({ address } = chatUser);
    account = await domain.chat.identities.accountOf(chatUser);
    await deliverNotices(domain);
  });

  const newPush = async (input: object = {}, owner: Account | null = account) =>
    (await pushes.create({ payload: 'tulip', ...input }, { account: owner, client: someClient })).urlToken;
  const end = (token: string, owner: Account | null = account) =>
    pushes.expire(token, { account: owner, client: someClient });
  const ended = async (input: object = {}, owner: Account = account) => {
    const token = await newPush(input, owner);
    await end(token, owner);
    await deliverNotices(domain);
    return token;
  };
  const canAsk = (token: string) => pushes.canAskAgain(token, someClient);
  const ask = (token: string) => pushes.askAgain(token, someClient);

  const newAccount = async (): Promise<Account> => (await createAccount(domain)).account;

  describe('for its recipient', () => {
    it('works whatever ended the push', async () => {
      const [byViews, byTime, byHand] = [
        await newPush({ expireAfterViews: 1 }),
        await newPush(),
        await newPush(),
      ];
      for (const token of [byViews, byTime, byHand]) expect(await canAsk(token)).to.equal(false);
      await pushes.reveal(byViews, undefined, anonymous);
      await expirePushIn(service, byTime, 0); // before any job has run
      await end(byHand);
      for (const token of [byViews, byTime, byHand]) expect(await canAsk(token)).to.equal(true);
    });

    it('works by default for accounts created in chats, and for others only if the owner allows it', async () => {
      expect(await canAsk(await ended({ notify: { askedAgain: false } }))).to.equal(false);
      const ann = await newAccount();
      await domain.webhooks.create(ann, { url: 'https://example.com/hook' });
      expect(await canAsk(await ended({}, ann))).to.equal(false);
      expect(await canAsk(await ended({ notify: { askedAgain: true } }, ann))).to.equal(true);
      await domain.accounts.setNoticePreferences(ann, { askedAgain: true });
      expect(await canAsk(await ended({}, await domain.accounts.find(ann.email)))).to.equal(true);
    });

    it('works only while the account exists and has somebody to notify', async () => {
      const ann = await newAccount();
      const token = await ended({ notify: { askedAgain: true } }, ann);
      expect(await canAsk(token)).to.equal(false);
      expect(await refusal(ask(token))).to.equal(unknown);
      const { id } = await domain.webhooks.create(ann, { url: 'https://example.com/hook' });
      expect(await canAsk(token)).to.equal(true);
      await domain.webhooks.remove(ann, id);
      expect(await canAsk(token)).to.equal(false);
      const gone = await ended();
      await domain.accounts.erase(account.email, 'operator');
      expect(await canAsk(gone)).to.equal(false);
      expect(await refusal(ask(gone))).to.equal(unknown);
    });

    it('does not work for an anonymous or unknown push, or for a link previewer', async () => {
      const anonymous = await newPush({ deletableByViewer: true, notify: { askedAgain: true } }, null);
      await end(anonymous, null);
      for (const token of [anonymous, '0'.repeat(26), 'x', '']) {
        expect(await canAsk(token), token).to.equal(false);
        expect(await refusal(ask(token)), token).to.equal(unknown);
      }
      expect(await pushes.canAskAgain(await ended(), { ...someClient, isPreviewer: () => true })).to.equal(
        false,
      );
    });

    it('does not work before the push has ended', async () => {
      const token = await newPush();
      expect(await refusal(ask(token))).to.equal(unknown);
      expect(await deliverNotices(domain)).to.be.empty;
    });
  });

  describe('for its owner', () => {
    const logOf = async (token: string) =>
      (await pushes.auditLog(token, 1, { account, client: someClient })).filter(
        ({ kind }) => kind === 'asked_again',
      );

    it('sends one notice and records the client in the audit log', async () => {
      const token = await ended({ name: 'VPN' });
      let woken = 0;
      domain.notices.onWritten(() => {
        woken += 1;
      });
      await ask(token);
      expect(woken).to.equal(1);
      const all = await deliverNotices(domain);
      expect(summarize(all)).to.deep.equal([`${address} asked_again`]);
      expect(all[0]?.notice).to.deep.nested.include({ times: 1, 'push.name': 'VPN', 'push.urlToken': token });
      expect((await logOf(token)).map(({ ip, userAgent }) => [ip, userAgent])).to.deep.equal([
        [someClient.ip, someClient.userAgent],
      ]);
    });

    it('sends one notice only, even when twenty ask concurrently and others later', async () => {
      const token = await ended();
      await times(20, () => ask(token));
      const [first, ...more] = await deliverNotices(domain);
      expect(first?.notice).to.include({ event: 'asked_again', times: 1 });
      expect(more).to.be.empty;
      await ask(token);
      expect(await deliverNotices(domain)).to.be.empty;
      expect(await logOf(token)).to.have.length(1);
      expect(await canAsk(token)).to.equal(true);
    });
  });

  it('is rate-limited for each client', async () => {
    const limited = await startService({ RATE_LIMITS: 'on', LIMIT_ASK_AGAIN: '2/1h' });
    try {
      const { pushes } = limited.domain;
      const mine = await limited.domain.chat.identities.accountOf(newChatUser());
      const { urlToken } = await pushes.create({ payload: 'tulip' }, { account: mine, client: someClient });
      await pushes.expire(urlToken, { account: mine, client: someClient });
      for (const _ of [1, 2]) await pushes.askAgain(urlToken, someClient);
      expect(await refusal(pushes.askAgain(urlToken, someClient))).to.match(/^too_many/);
      await pushes.askAgain(urlToken, { ...someClient, ip: '198.51.100.7' });
    } finally {
      await limited.stop();
    }
  });
});
