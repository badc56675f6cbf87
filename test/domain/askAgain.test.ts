import { expect } from 'chai';
import type { Domain, Owner } from '../../src/domain/index.ts';
import { endPushIn, times } from '../harness/api.ts';
import { inShort, somebody, told } from '../harness/chat.ts';
import {
  anybody,
  makeAccount,
  refusal,
  someVisit,
  startService,
  type TestService,
} from '../harness/service.ts';

const unknown = 'not_found: There is no such push.';

describe('a push that is over', () => {
  let service: TestService;
  let domain: Domain;
  let pushes: Domain['pushes'];
  let owner: Owner;
  let address: string;
  let accounts = 0;

  before(async () => {
    service = await startService();
    ({ domain } = service);
    ({ pushes } = domain);
  });

  after(() => service.stop());

  beforeEach(async () => {
    const speaker = somebody();
    ({ address } = speaker);
    owner = await domain.chat.identities.ownerOf(speaker);
    await told(domain);
  });

  const newPush = async (input: object = {}, who: Owner | null = owner) =>
    (await pushes.create({ payload: 'tulip', ...input }, { owner: who, visit: someVisit })).urlToken;
  const end = (token: string, who: Owner | null = owner) =>
    pushes.expire(token, { owner: who, visit: someVisit });
  const ended = async (input: object = {}, who: Owner = owner) => {
    const token = await newPush(input, who);
    await end(token, who);
    await told(domain);
    return token;
  };
  const canAsk = (token: string) => pushes.canAskAgain(token, someVisit);
  const ask = (token: string) => pushes.askAgain(token, someVisit);

  async function newAccount(): Promise<Owner> {
    accounts += 1;
    return (await makeAccount(domain, `sender${accounts}@example.com`)).owner;
  }

  describe('can be asked for again', () => {
    it('whatever ended it', async () => {
      const [byViews, byTime, byHand] = [
        await newPush({ expireAfterViews: 1 }),
        await newPush(),
        await newPush(),
      ];
      for (const token of [byViews, byTime, byHand]) expect(await canAsk(token)).to.equal(false);
      await pushes.reveal(byViews, undefined, anybody);
      await endPushIn(service, byTime, 0); // no job has noticed
      await end(byHand);
      for (const token of [byViews, byTime, byHand]) expect(await canAsk(token)).to.equal(true);
    });

    it('where its owner let people ask: accounts made in chats do, all others when they say so', async () => {
      expect(await canAsk(await ended({ notify: { askedAgain: false } }))).to.equal(false);
      const ann = await newAccount();
      await domain.webhooks.register(ann, { url: 'https://example.com/hook' });
      expect(await canAsk(await ended({}, ann))).to.equal(false);
      expect(await canAsk(await ended({ notify: { askedAgain: true } }, ann))).to.equal(true);
      await domain.accounts.setNotices(ann, { askedAgain: true });
      expect(await canAsk(await ended({}, await domain.accounts.find(ann.email)))).to.equal(true);
    });

    it('where somebody would hear of it, and is there', async () => {
      const ann = await newAccount();
      const token = await ended({ notify: { askedAgain: true } }, ann);
      expect(await canAsk(token)).to.equal(false);
      expect(await refusal(ask(token))).to.equal(unknown);
      const { id } = await domain.webhooks.register(ann, { url: 'https://example.com/hook' });
      expect(await canAsk(token)).to.equal(true);
      await domain.webhooks.remove(ann, id);
      expect(await canAsk(token)).to.equal(false);
      const gone = await ended();
      await domain.accounts.erase(owner.email);
      expect(await canAsk(gone)).to.equal(false);
      expect(await refusal(ask(gone))).to.equal(unknown);
    });

    it('but not when it was anonymous, never was, or is looked at by a machine', async () => {
      const anonymous = await newPush({ deletableByViewer: true, notify: { askedAgain: true } }, null);
      await end(anonymous, null);
      for (const token of [anonymous, '0'.repeat(26), 'x', '']) {
        expect(await canAsk(token), token).to.equal(false);
        expect(await refusal(ask(token)), token).to.equal(unknown);
      }
      expect(await pushes.canAskAgain(await ended(), { ...someVisit, isPreviewer: true })).to.equal(false);
    });

    it('and not before its end', async () => {
      const token = await newPush();
      expect(await refusal(ask(token))).to.equal(unknown);
      expect(await told(domain)).to.be.empty;
    });
  });

  describe('that is asked for', () => {
    const logOf = async (token: string) =>
      (await pushes.auditLog(token, 1, { owner, visit: someVisit })).filter(
        ({ kind }) => kind === 'asked_again',
      );

    it('has its owner told, and remembers by whom', async () => {
      const token = await ended({ name: 'VPN' });
      let woken = 0;
      domain.notices.whenWritten(() => {
        woken += 1;
      });
      await ask(token);
      expect(woken).to.equal(1);
      const all = await told(domain);
      expect(inShort(all)).to.deep.equal([`${address} asked_again`]);
      expect(all[0]?.notice).to.deep.nested.include({ times: 1, 'push.name': 'VPN', 'push.urlToken': token });
      expect((await logOf(token)).map(({ ip, userAgent }) => [ip, userAgent])).to.deep.equal([
        [someVisit.ip, someVisit.userAgent],
      ]);
    });

    it('has them told once for ever, though twenty ask at once and others later', async () => {
      const token = await ended();
      await times(20, () => ask(token));
      const [first, ...more] = await told(domain);
      expect(first?.notice).to.include({ event: 'asked_again', times: 1 });
      expect(more).to.be.empty;
      await ask(token);
      expect(await told(domain)).to.be.empty;
      expect(await logOf(token)).to.have.length(1);
      expect(await canAsk(token)).to.equal(true);
    });
  });

  it('is asked for so often by one client, and no more', async () => {
    const limited = await startService({ RATE_LIMITS: 'on', LIMIT_ASK_AGAIN: '2/1h' });
    try {
      const { pushes } = limited.domain;
      const mine = await limited.domain.chat.identities.ownerOf(somebody());
      const { urlToken } = await pushes.create({ payload: 'tulip' }, { owner: mine, visit: someVisit });
      await pushes.expire(urlToken, { owner: mine, visit: someVisit });
      for (const _ of [1, 2]) await pushes.askAgain(urlToken, someVisit);
      expect(await refusal(pushes.askAgain(urlToken, someVisit))).to.match(/^too_many/);
      await pushes.askAgain(urlToken, { ...someVisit, ip: '198.51.100.7' });
    } finally {
      await limited.stop();
    }
  });
});
