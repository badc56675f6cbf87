import { expect } from 'chai';
import type { Account, Domain, SignedIn } from '../../../src/domain/index.ts';
import { connectChat, newChatUser } from '../../harness/chat.ts';
import { password } from '../../harness/pages.ts';
import { addPasskey, openDevice } from '../../harness/passkeyDevice.ts';
import {
  createAccount,
  newEmail,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';
import { type App, freshlySignedIn, holderOf, setUpApp } from '../../harness/signedIn.ts';

const site = 'https://push.example.com';
const minuteMs = 60_000;
const refused = /^forbidden: Sign in again to do this/;

describe('A fresh sign-in', () => {
  let service: TestService;
  let domain: Domain;

  before(async () => {
    service = await startService({ BASE_URL: site });
    ({ domain } = service);
  });
  after(() => service.stop());

  async function newPerson({ isAdmin = false } = {}): Promise<SignedIn> {
    return freshlySignedIn(domain, await domain.accounts.create({ email: newEmail(), password, isAdmin }));
  }

  /** Moves the sign-in of a session into the past. */
  async function age({ sessionId }: SignedIn, ms: number) {
    const sql = 'UPDATE sessions SET authenticated_at = authenticated_at - $ms WHERE id = $sessionId';
    expect(await service.database.execute(sql, { ms, sessionId })).to.equal(1);
  }

  const next = 'another horse battery';
  const url = 'https://example.com/hook';

  /** The webhook of an account, which a program adds. */
  async function webhookOf({ sessionId: _, ...owner }: SignedIn): Promise<string> {
    const [found] = await domain.webhooks.list(owner);
    return (found ?? (await domain.webhooks.create(owner, { url }))).id;
  }

  /** Each act on one's own account; `with` says what must be there. */
  const own: Record<string, (owner: SignedIn) => Promise<unknown>> = {
    'creating a token': (owner) => domain.apiTokens.create(owner, { name: `t${Math.random()}` }),
    'changing the password': (owner) =>
      domain.signIn.changePassword(owner, { current: password, next }, someClient),
    'setting up an app': (owner) => domain.factors.beginApp(owner),
    'taking an app into use': (owner) => setUpApp(domain, owner),
    'connecting a chat': async (owner) => {
      const link = await domain.chat.createConnectLink({ chatUser: newChatUser(), name: '@ann' });
      await domain.chat.requestLink(link, owner);
    },
    'disconnecting a chat': async (owner) => {
      const chatUser = newChatUser();
      await domain.chat.identities.link(chatUser, owner);
      await domain.chat.identities.unlink(chatUser, owner);
    },
    'adding a webhook': (owner) => domain.webhooks.create(owner, { url }),
    'removing a webhook': async (owner) => domain.webhooks.remove(owner, await webhookOf(owner)),
    'changing what a webhook gets': async (owner) =>
      domain.webhooks.changeTypes(owner, await webhookOf(owner), { types: ['push.expired'] }),
    'a new secret of a webhook': async (owner) => domain.webhooks.rotateSecret(owner, await webhookOf(owner)),
    'adding a passkey': (owner) => addPasskey(domain, owner, openDevice(site)),
    'deleting the account': (owner) => domain.accounts.erase(owner.email, owner),
  };
  const withApp: Record<string, (owner: SignedIn) => Promise<unknown>> = {
    'removing the app': (owner) => domain.factors.removeApp(owner, someClient),
    'renaming a passkey': async (owner) => {
      const [{ id = '' } = {}] = await domain.passkeys.list(owner);
      await domain.factors.renamePasskey(owner, { id, name: 'Blue key' }, someClient);
    },
    'renewing recovery codes': (owner) => domain.factors.renewRecoveryCodes(owner, someClient),
  };
  /** Each act of an admin on the account of somebody else. */
  const ofAdmins: Record<string, (admin: SignedIn, account: Account) => Promise<unknown>> = {
    'a link for a new password': (admin, { email }) => domain.passwordLinks.create(email, 'reset', admin),
    'an invitation': (admin) => domain.passwordLinks.invite(newEmail(), admin),
    'allowing files': (admin, { email }) => domain.accounts.setSubscribed(email, true, admin),
    'making an admin': (admin, { email }) => domain.accounts.setAdmin(email, true, admin),
    disabling: (admin, { email }) => domain.accounts.setDisabled(email, true, admin),
    'a token': (admin, account) => domain.apiTokens.create(account, { name: 'x' }, { actor: admin }),
    'removing factors': (admin, { email }) => domain.factors.removeAll(email, admin),
    'removing a workspace': (admin) => domain.chat.installations.uninstall('slack', 'T1', admin),
    erasing: (admin, { email }) => domain.accounts.erase(email, admin),
  };

  for (const [name, run] of Object.entries(own))
    it(`is asked for by ${name}`, async () => {
      const owner = await newPerson();
      await age(owner, 10 * minuteMs + 1_000);
      const accounts = await domain.accounts.list();
      expect(await refusal(run(owner))).to.match(refused);
      expect(await domain.accounts.list()).to.deep.equal(accounts);
      await domain.confirmation.confirm(owner, { password }, someClient);
      await age(owner, 9 * minuteMs);
      await run(owner);
    });

  for (const [name, run] of Object.entries(withApp))
    it(`with the second factor is asked for by ${name}`, async () => {
      const owner = await newPerson();
      const fresh = await freshlySignedIn(domain, owner);
      const { app } = await setUpApp(domain, fresh);
      await addPasskey(domain, fresh, openDevice(site));
      expect(await refusal(run(owner)), 'a password a moment ago').to.match(refused);
      await domain.confirmation.confirm(owner, { code: await app.code() }, someClient);
      await age(owner, 11 * minuteMs);
      expect(await refusal(run(owner)), 'an old session').to.match(refused);
      await domain.confirmation.confirm(owner, { code: await app.code(1) }, someClient);
      await run(owner);
    });

  for (const [name, run] of Object.entries(ofAdmins))
    it(`is asked of an admin for ${name}`, async () => {
      const admin = await newPerson({ isAdmin: true });
      const account = await newPerson();
      await setUpApp(domain, account);
      const state = async () => [await domain.accounts.list(), await domain.accounts.acts('operator')];
      await age(admin, 11 * minuteMs);
      const before = await state();
      expect(await refusal(run(admin, account))).to.match(refused);
      expect(await state()).to.deep.equal(before);
      await domain.confirmation.confirm(admin, { password }, someClient);
      await run(admin, account);
    });

  it('is asked for where there is no session, such as behind an API token', async () => {
    const { account } = await createAccount(domain);
    const { account: admin } = await createAccount(domain, newEmail(), { isAdmin: true });
    expect(await refusal(domain.apiTokens.create(account, { name: 'another' }))).to.match(refused);
    expect(await refusal(domain.accounts.erase(account.email, account))).to.match(refused);
    expect(await refusal(domain.accounts.setDisabled(account.email, true, admin))).to.match(refused);
  });

  it('is that of its own session: neither of another one, nor of another account', async () => {
    const [owner, other] = [await newPerson(), await newPerson()];
    const old = await freshlySignedIn(domain, owner);
    await age(old, 11 * minuteMs);
    expect(await refusal(domain.apiTokens.create(old, { name: 'x' }))).to.match(refused);
    const borrowed = { ...owner, sessionId: other.sessionId };
    expect(await refusal(domain.apiTokens.create(borrowed, { name: 'x' }))).to.match(refused);
  });

  it('ends with its session', async () => {
    const owner = await newPerson();
    await domain.sessions.signOut(owner, someClient);
    expect(await refusal(domain.apiTokens.create(owner, { name: 'x' }))).to.match(refused);
  });

  describe('from a chat', () => {
    const byChat = { way: 'chat', name: 'Slack', factors: ['chat'] } as const;

    /** A session that a chat begins in a browser, of the account that was created for its user. */
    async function fromChat(at: Domain) {
      const account = await connectChat(at, newChatUser());
      const open = async () => holderOf(at, await at.sessions.create(account, someClient, byChat));
      return { owner: await open(), open };
    }

    it('suffices where the account has nothing stronger, and no longer once it has a password', async () => {
      const { owner, open } = await fromChat(domain);
      await domain.apiTokens.create(owner, { name: 'before' });
      await domain.signIn.changePassword(owner, { current: '', next }, someClient);
      const again = await open();
      expect(await refusal(domain.apiTokens.create(again, { name: 'after' }))).to.match(refused);
      expect(await refusal(domain.factors.beginApp(again))).to.match(refused);
      await domain.confirmation.confirm(again, { password: next }, someClient);
      await domain.apiTokens.create(again, { name: 'after' });
    });

    it('never suffices where the account has an app', async () => {
      const { owner, open } = await fromChat(domain);
      const other = await open();
      const { app } = await setUpApp(domain, owner);
      expect(await refusal(open()), 'a new session').to.match(/^unauthenticated/);
      expect(await refusal(domain.apiTokens.create(other, { name: 'x' })), 'one before').to.match(refused);
      await domain.confirmation.confirm(other, { code: await app.code() }, someClient);
      await domain.apiTokens.create(other, { name: 'x' });
    });

    it('suffices where passwords are out of use', async () => {
      const without = await startService({
        PASSWORD_SIGN_IN: 'off',
        OIDC_ISSUER: 'https://id.example.com',
        OIDC_CLIENT_ID: 'hushpush',
      });
      try {
        const { owner } = await fromChat(without.domain);
        const sql = "UPDATE accounts SET password_hash = 'x' WHERE id = $id";
        await without.database.execute(sql, { id: owner.id });
        await without.domain.apiTokens.create(owner, { name: 'x' });
      } finally {
        await without.stop();
      }
    });
  });

  describe('by an account with a second factor', () => {
    let owner: SignedIn;
    let app: App;
    let codes: string[];
    beforeEach(async () => {
      owner = await newPerson();
      ({ app, recoveryCodes: codes } = await setUpApp(domain, await freshlySignedIn(domain, owner)));
    });

    const create = () => domain.apiTokens.create(owner, { name: `t${Math.random()}` });

    it('takes its strongest factor, and no password', async () => {
      expect(await domain.confirmation.ways(owner)).to.deep.equal({
        password: false,
        code: true,
        passkey: false,
        recovery: true,
      });
      expect(await refusal(domain.confirmation.confirm(owner, { password }, someClient))).to.match(
        /^unauthenticated/,
      );
      expect(await refusal(create())).to.match(refused);
      const code = await app.code();
      await domain.confirmation.confirm(owner, { code }, someClient);
      await create();
      expect(await refusal(domain.confirmation.confirm(owner, { code }, someClient))).to.match(
        /^unauthenticated: This code is wrong/,
      );
    });

    it('takes a recovery code for what is lost', async () => {
      await domain.confirmation.confirm(owner, { code: String(codes[0]) }, someClient);
      await domain.factors.removeApp(owner, someClient);
    });
  });

  it('takes no password of an account that has none', async () => {
    const account = await domain.accounts.create({ email: newEmail() });
    const owner = await freshlySignedIn(domain, account);
    await age(owner, 11 * minuteMs);
    expect(await domain.confirmation.ways(owner)).to.deep.equal({
      password: false,
      code: false,
      passkey: false,
      recovery: false,
    });
    for (const text of ['', password])
      expect(await refusal(domain.confirmation.confirm(owner, { password: text }, someClient))).to.match(
        /^unauthenticated/,
      );
    expect(await refusal(domain.apiTokens.create(owner, { name: 'x' }))).to.match(refused);
  });

  it('is guessed no more often than a password', async () => {
    const limited = await startService({ RATE_LIMITS: 'on' });
    try {
      const account = await limited.domain.accounts.create({ email: newEmail(), password });
      const owner = await freshlySignedIn(limited.domain, account);
      await setUpApp(limited.domain, owner);
      const guess = () => refusal(limited.domain.confirmation.confirm(owner, { code: '000000' }, someClient));
      for (let n = 0; n < 5; n++) expect(await guess()).to.match(/^unauthenticated/);
      expect(await guess()).to.match(/^too_many/);
    } finally {
      await limited.stop();
    }
  });
});
