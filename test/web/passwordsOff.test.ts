import { expect } from 'chai';
import { type Client, createClient } from '../harness/api.ts';
import { openFormBrowser, password, visibleText } from '../harness/pages.ts';
import {
  byPassword,
  createAccount,
  newEmail,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../harness/service.ts';

describe('A server whose passwords sign nobody in', () => {
  let service: TestService;
  let api: Client;

  before(async () => {
    service = await startService({
      PASSWORD_SIGN_IN: 'off',
      OIDC_ISSUER: 'https://id.example.com',
      OIDC_CLIENT_ID: 'hushpush',
      OIDC_LABEL: 'Acme',
    });
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  it('shows no form for them, only the providers', async () => {
    const browser = await openFormBrowser(api);
    const page = await browser.get('/sign-in?next=/account');
    expect(page.text)
      .to.include('href="/sign-in/oidc?next=%2Faccount"')
      .and.to.not.include('type="password"');
    expect(visibleText(page)).to.include('Sign in with Acme').and.to.not.include('Create one');
    expect((await browser.get('/sign-up')).status).to.equal(403);
  });

  it('refuses them in the domain, the right ones as well', async () => {
    const { signIn, accounts, sessions } = service.domain;
    const email = newEmail();
    const account = await accounts.create({ email, password });
    const said = /Sign-in with a password is turned off here/;
    expect(await refusal(signIn.signIn({ email, password }, someClient))).to.match(said);
    expect(await refusal(signIn.signUp({ email: newEmail(), password }, someClient))).to.match(said);
    const signedIn = await sessions.authenticate(await sessions.create(account, someClient, byPassword));
    if (signedIn === null) throw new Error('nobody is signed in');
    const change = { current: password, next: 'another horse battery' };
    expect(await refusal(signIn.changePassword(signedIn, change, someClient))).to.match(said);
  });

  it('lets somebody in by a link that an operator makes', async () => {
    const { account } = await createAccount(service.domain);
    const browser = await openFormBrowser(api);
    const link = `/reset/${await service.domain.passwordLinks.create(account.email, 'reset', 'operator')}`;
    await browser.submit(link, link, { next: 'another horse battery' });
    const page = await browser.get('/account/security');
    expect(page.status).to.equal(200);
    expect(page.text).to.not.include('action="/account/password"');
  });
});
