import bcrypt from 'bcrypt';
import { expect } from 'chai';
import { digestOf } from '../../src/crypto/tokens.ts';
import { type Domain, unavailable } from '../../src/domain/index.ts';
import { type Client, createClient } from '../harness/api.ts';
import { newChatUser } from '../harness/chat.ts';
import { type FormBrowser, openFormBrowser, parseForms, password, visibleText } from '../harness/pages.ts';
import {
  createAccount,
  newEmail,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../harness/service.ts';

const next = 'brand new horse battery';

describe('A link to set a password', () => {
  let service: TestService;
  let domain: Domain;
  let api: Client;

  before(async () => {
    service = await startService();
    ({ domain } = service);
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  const signIn = async (browser: FormBrowser, email: string, given: string) =>
    (await browser.submit('/sign-in', '/sign-in', { email, password: given })).status;

  it('lets somebody sign in to an account that an operator created without a password', async () => {
    const { account, token } = await createAccount(domain);
    const browser = await openFormBrowser(api);
    expect(await signIn(browser, account.email, next)).to.equal(401);
    const link = `/invite/${await domain.passwordLinks.create(account.email, 'invite', 'operator')}`;
    expect(visibleText(await browser.get(link))).to.include(`For the account ${account.email}`);
    const short = await browser.submit(link, link, { next: 'short' });
    expect([short.status, visibleText(short).includes('at least 12')]).to.deep.equal([422, true]);
    await browser.submit(link, link, { next });
    expect((await browser.get('/account')).status).to.equal(200);
    expect(await signIn(await openFormBrowser(api), account.email, next)).to.equal(200);
    expect((await domain.apiTokens.authenticate(token)).account.email).to.equal(account.email);
    expect((await browser.get(link)).status).to.equal(404);
    expect(await refusal(domain.passwordLinks.create(account.email, 'invite', 'operator'))).to.match(
      /has a password already/,
    );
  });

  it('hands an account that somebody signed up for to the owner of its address', async () => {
    const [squatter, owner] = [await openFormBrowser(api), await openFormBrowser(api)];
    const email = newEmail();
    await squatter.signUp(email);
    await domain.apiTokens.issue(await domain.accounts.find(email), { name: 'laptop' });
    expect(await domain.accounts.summary(email)).to.include({ signedUp: true, hasPassword: true });
    const [link, second] = await Promise.all(
      [1, 2].map(async () => `/reset/${await domain.passwordLinks.create(email, 'reset', 'operator')}`),
    );
    if (link === undefined || second === undefined) throw new Error('there is no link');
    expect((await owner.get(link)).text).to.match(/<input[^>]*name="revokeTokens"[^>]*checked/);
    await owner.submit(link, link, { next, revokeTokens: 'on' });
    expect((await owner.get('/account')).status).to.equal(200);
    expect((await squatter.get('/account')).status).to.equal(303);
    expect(await signIn(squatter, email, password)).to.equal(401);
    expect(await domain.apiTokens.list(await domain.accounts.find(email))).to.be.empty;
    expect(await domain.accounts.summary(email)).to.include({ signedUp: false });
    expect((await owner.get(second)).status, 'an earlier link').to.equal(404);
  });

  it('works once, for half an hour or a day, and for its own purpose', async () => {
    const { account } = await createAccount(domain);
    const browser = await openFormBrowser(api);
    const token = await domain.passwordLinks.create(account.email, 'reset', 'operator');
    expect((await browser.get(`/invite/${token}`)).status).to.equal(404);
    const fields = parseForms((await browser.get(`/reset/${token}`)).text)[0]?.fields ?? {};
    const results = await Promise.all(
      [1, 2, 3].map(() => browser.send(`/reset/${token}`, { ...fields, next })),
    );
    expect(results.filter(({ status }) => status === 303)).to.have.length(1);
    expect((await browser.get(`/reset/${token}`)).status).to.equal(404);
    for (const [purpose, minutes] of [
      ['reset', 30],
      ['invite', 24 * 60],
    ] as const) {
      const { email } = (await createAccount(domain)).account;
      const late = await domain.passwordLinks.create(email, purpose, 'operator');
      const age = (ms: number) =>
        service.database.execute(
          'UPDATE one_time_links SET expires_at = expires_at - $ms WHERE digest = $digest',
          {
            ms,
            digest: digestOf(late),
          },
        );
      await age((minutes - 1) * 60_000);
      expect((await browser.get(`/${purpose}/${late}`)).status).to.equal(200);
      await age(60_000);
      expect((await browser.get(`/${purpose}/${late}`)).status).to.equal(404);
    }
  });

  it('is not used up while the service is too busy to hash the new password', async () => {
    const { account } = await createAccount(domain);
    const token = await domain.passwordLinks.create(account.email, 'invite', 'operator');
    const change = { next, revokeTokens: false };
    const redeem = () => domain.passwordLinks.redeem('invite', token, change, someClient);
    const hash = bcrypt.hash;
    bcrypt.hash = async () => {
      throw unavailable('databaseBusy');
    };
    const busy = await refusal(redeem()).finally(() => {
      bcrypt.hash = hash;
    });
    expect(busy).to.match(/^unavailable/);
    expect((await redeem()).email).to.equal(account.email);
  });

  it('is created by admins, except for accounts that chats created or that are disabled', async () => {
    const admin = await openFormBrowser(api);
    const email = newEmail();
    await admin.signUp(email);
    await domain.accounts.setAdmin(email, true, 'operator');
    const { account } = await createAccount(domain);
    const own = await domain.chat.identities.accountOf(newChatUser());
    const pageOf = ({ id }: { id: Buffer }) => `/admin/accounts/${id.toString('hex')}`;
    const form = `${pageOf(account)}/password-link`;
    expect((await admin.get(pageOf(own))).text).to.not.include('/password-link');
    expect(visibleText(await admin.get('/admin'))).to.match(/signed up, address unconfirmed/);
    const created = await admin.submit(pageOf(account), form);
    const [, path = ''] = /http:\/\/push\.test(\/invite\/[\w-]{43})/.exec(created.text) ?? [];
    expect((await api.get(path)).status).to.equal(200);
    expect((await admin.get(pageOf(account))).text).to.not.include(path);
    await domain.accounts.setDisabled(account.email, true, 'operator');
    expect((await api.get(path)).status).to.equal(403);
    expect(await refusal(domain.passwordLinks.create(own.email, 'reset', 'operator'))).to.match(/^conflict/);
    expect(await refusal(domain.passwordLinks.setPassword(own.email, next))).to.match(/^conflict/);
    const stranger = await openFormBrowser(api);
    await stranger.signUp(newEmail());
    const fields = parseForms((await stranger.get('/account')).text)[0]?.fields ?? {};
    expect((await stranger.send(form, fields)).status).to.equal(404);
  });
});
