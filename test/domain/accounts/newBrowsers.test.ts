import { expect } from 'chai';
import type { Account, Delivery, Domain, Notice, SignInMethod } from '../../../src/domain/index.ts';
import { connectChat, newChatUser } from '../../harness/chat.ts';
import { password } from '../../harness/pages.ts';
import { newEmail, someClient, startService, type TestService } from '../../harness/service.ts';
import { freshlySignedIn, setUpApp } from '../../harness/signedIn.ts';

const dayMs = 24 * 3_600_000;

describe('A browser that signs in', () => {
  let service: TestService;
  let domain: Domain;
  let account: Account;

  before(async () => {
    service = await startService();
    ({ domain } = service);
  });
  after(() => service.stop());

  beforeEach(async () => {
    account = await domain.accounts.create({ email: newEmail(), password });
    await domain.webhooks.create(account, { url: 'https://hook.example.com', types: ['push.viewed'] });
  });

  /** What each messenger gets. */
  async function told(): Promise<string[]> {
    const received: string[] = [];
    const record = (name: string) => ({
      async deliver(_: string, notice: Notice): Promise<Delivery> {
        const text = notice.event === 'new_browser' ? `${notice.signIn.account} ${notice.signIn.way}` : '';
        received.push(`${name} ${notice.event} ${text}`.trim());
        return { outcome: 'sent' };
      },
    });
    await domain.notices.deliverDue({ webhook: record('webhook'), slack: record('slack') });
    return received.sort();
  }

  const signIn = (browserProof?: string) =>
    domain.signIn.signIn({ email: account.email, password }, { ...someClient, browserProof });

  it('is told of to all chats and webhooks of the account if it is new, whatever they have chosen', async () => {
    await signIn();
    expect(await told(), 'the very first sign-in').to.be.empty;
    await connectChat(domain, newChatUser(), { account });
    await told();
    await signIn();
    expect(await told()).to.deep.equal([
      `slack new_browser ${account.email} password`,
      `webhook new_browser ${account.email} password`,
    ]);
  });

  it('is not told of if it has signed in to the account before, or signs up', async () => {
    await signIn();
    await signIn(domain.knownBrowsers.prove(account.email));
    expect(await told()).to.be.empty;
    const email = newEmail();
    await domain.signIn.signUp({ email, password }, someClient);
    const signedUp = await domain.accounts.find(email);
    await domain.webhooks.create(signedUp, { url: 'https://hook.example.com' });
    expect(await told()).to.be.empty;
    await signIn(domain.knownBrowsers.prove(email));
    expect(await told(), 'with the proof of another account').to.have.length(1);
  });

  for (const way of ['provider', 'chat', 'link', 'passkey'] satisfies SignInMethod['way'][])
    it(`is told of, too, if it signs in by a ${way}`, async () => {
      const method: SignInMethod = { way, name: 'Okta', factors: ['provider'] };
      const client = { ...someClient, browserProof: domain.knownBrowsers.prove(account.email) };
      await domain.sessions.create(account, client, method);
      await domain.sessions.create(account, client, method);
      expect(await told()).to.be.empty;
      await domain.sessions.create(account, someClient, method);
      const by = way === 'passkey' ? way : 'Okta';
      expect(await told()).to.deep.equal([`webhook new_browser ${account.email} ${by}`]);
    });

  it('is told of only once it has done the second step', async () => {
    const { app } = await setUpApp(domain, await freshlySignedIn(domain, account));
    const step = await signIn().catch((error) => String(error.step));
    expect(await told()).to.be.empty;
    await domain.secondStep.finish(step, await app.code(), someClient);
    expect(await told()).to.deep.equal([`webhook new_browser ${account.email} password`]);
  });

  it('is told of if the account is older than its log, which has forgotten the first', async () => {
    await signIn();
    const sql = 'UPDATE accounts SET created_at = created_at - $ms WHERE id = $id';
    await service.database.execute(sql, { ms: 181 * dayMs, id: account.id });
    await service.database.execute('DELETE FROM security_events', {});
    await signIn();
    expect(await told()).to.have.length(1);
  });

  it('is told of with its address, which no erased account gets', async () => {
    await signIn();
    await signIn();
    const notices: Notice[] = [];
    const deliver = async (_: string, notice: Notice): Promise<Delivery> => {
      notices.push(notice);
      return { outcome: 'later', reason: 'down', afterMs: 0 };
    };
    await domain.notices.deliverDue({ webhook: { deliver } }, () => notices.length > 0);
    const [notice] = notices;
    expect(notice?.event === 'new_browser' && notice.signIn).to.include({
      ip: someClient.ip,
      userAgent: someClient.userAgent,
      place: null,
    });
    await domain.accounts.erase(account.email, 'operator');
    await service.database.execute('UPDATE notices SET due_at = 0 WHERE due_at IS NOT NULL', {});
    expect((await told()).filter((each) => each.includes('new_browser'))).to.be.empty;
  });

  it('keeps that it has signed in to five accounts, and its id', () => {
    const { prove } = domain.knownBrowsers;
    const emails = Array.from({ length: 6 }, newEmail);
    const proof = emails.reduce((before, email) => prove(email, before), '');
    expect(proof.length).to.be.below(256);
    const isKnown = (email: string) => prove(email, proof) === proof;
    expect(emails.map(isKnown)).to.deep.equal([false, true, true, true, true, true]);
    expect(prove(newEmail(), proof).split('.')[0]).to.equal(proof.split('.')[0]);
    for (const forged of [
      'x',
      `${'x'.repeat(5_000)}.y`,
      `${proof.split('.')[0]}.${'y'.repeat(5_000)}`,
      '....',
    ])
      expect(prove(newEmail(), forged).length, forged.slice(0, 20)).to.be.below(256);
  });
});
