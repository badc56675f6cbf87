import { expect } from 'chai';
import { type Account, digestOf, type SignedIn } from '../../../src/domain/index.ts';
import { refusalOf } from '../../harness/refusal.ts';
import {
  byPassword,
  createAccount,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe('Signing in', () => {
  let service: TestService;
  const password = 'correct horse battery';
  let counter = 0;

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const newEmail = () => `person${counter++}@example.com`;

  async function newPerson() {
    const email = newEmail();
    const account = await service.domain.accounts.create({ email, password });
    return { email, account, token: await service.domain.signIn.signIn({ email, password }, someClient) };
  }

  async function signedIn(token: string, { domain } = service): Promise<SignedIn> {
    const found = await domain.sessions.authenticate(token);
    if (found === null) throw new Error('the session has ended');
    return found;
  }

  const emailOf = async (token: string) => (await service.domain.sessions.authenticate(token))?.email;

  /** Moves the creation, last use and expiry of a session into the past by `ms`. */
  async function age(token: string, ms: number) {
    const changed = await service.database.execute(
      'UPDATE sessions SET created_at = created_at - $ms, seen_at = seen_at - $ms, expires_at = expires_at - $ms WHERE digest = $digest',
      { ms, digest: digestOf(token) },
    );
    expect(changed).to.equal(1);
  }

  describe('starts a session that', () => {
    it('has a token of 256 random bits, of which the database holds only the SHA-256', async () => {
      const { token, email } = await newPerson();
      expect(token).to.match(/^[\w-]{43}$/);
      expect(await emailOf(token)).to.equal(email);
      const stored = await service.database.select<{ digest: Buffer }>('SELECT * FROM sessions', {});
      expect(stored.map(({ digest }) => digest.toString('hex'))).to.include(digestOf(token).toString('hex'));
      expect(JSON.stringify(stored)).to.not.include(token);
    });

    it('has a new token each time', async () => {
      const { token, email } = await newPerson();
      expect(await service.domain.signIn.signIn({ email, password }, someClient)).to.not.equal(token);
    });

    it('ends two hours after it was last used', async () => {
      const { token } = await newPerson();
      await age(token, 2 * hourMs - minuteMs);
      expect(await emailOf(token)).to.be.a('string');
      await age(token, 2 * hourMs - minuteMs);
      expect(await emailOf(token)).to.be.a('string');
      await age(token, 2 * hourMs + 1_000);
      expect(await emailOf(token)).to.equal(undefined);
    });

    it('ends after twelve hours, however much it is used', async () => {
      const { token } = await newPerson();
      for (let i = 0; i < 7; i++) {
        await age(token, 100 * minuteMs);
        expect(await emailOf(token), `${i}`).to.be.a('string');
      }
      await age(token, 30 * minuteMs);
      expect(await emailOf(token)).to.equal(undefined);
    });

    it('is purged after its end, and not before', async () => {
      const [old, present] = [await newPerson(), await newPerson()];
      await age(old.token, 3 * hourMs);
      await service.domain.sessions.purge();
      const left = await service.database.select<{ digest: Buffer }>('SELECT digest FROM sessions', {});
      const digests = left.map(({ digest }) => digest.toString('hex'));
      expect(digests).to.include(digestOf(present.token).toString('hex'));
      expect(digests).to.not.include(digestOf(old.token).toString('hex'));
    });

    it('is found only by its exact token', async () => {
      const { token } = await newPerson();
      for (const other of ['', 'x', token.slice(1), token.toLowerCase(), `${token}=`, 'x'.repeat(100_000)])
        expect(await emailOf(other)).to.equal(undefined);
    });
  });

  it('fails alike for a wrong password, no account, no password and a disabled account', async () => {
    const { email } = await newPerson();
    const bare = (await createAccount(service.domain, newEmail())).account.email;
    const disabled = (await newPerson()).email;
    await service.domain.accounts.setDisabled(disabled, true, 'operator');
    const tries = [
      { email, password: 'wrong horse battery' },
      { email: newEmail(), password },
      { email: bare, password },
      { email: bare, password: '' },
      { email: disabled, password },
      { email: 'no address', password },
    ];
    for (const input of tries) {
      expect(await refusal(service.domain.signIn.signIn(input, someClient))).to.equal(
        'unauthenticated: The e-mail address or the password is wrong.',
      );
    }
  });

  it('accepts an address in any case and with spaces around it', async () => {
    const { email } = await newPerson();
    const typed = ` ${email.toUpperCase()} `;
    expect(
      await emailOf(await service.domain.signIn.signIn({ email: typed, password }, someClient)),
    ).to.equal(email);
  });

  it('starts a session that is suspended while the account is disabled', async () => {
    const { token, email } = await newPerson();
    await service.domain.accounts.setDisabled(email, true, 'operator');
    expect(await emailOf(token)).to.equal(undefined);
    await service.domain.accounts.setDisabled(email, false, 'operator');
    expect(await emailOf(token)).to.equal(email);
  });

  it('starts a session that is erased with the account', async () => {
    const { token, email } = await newPerson();
    await service.domain.accounts.erase(email, 'operator');
    expect(await emailOf(token)).to.equal(undefined);
    expect(
      await service.database.select('SELECT id FROM sessions WHERE digest = $digest', {
        digest: digestOf(token),
      }),
    ).to.be.empty;
  });

  it('by an API token is refused while the account is disabled', async () => {
    const { account, token } = await createAccount(service.domain, newEmail());
    await service.domain.accounts.setDisabled(account.email, true, 'operator');
    expect(await refusal(service.domain.apiTokens.authenticate(token))).to.equal(
      'unauthenticated: The API token is not valid.',
    );
  });

  it('starts a session that only its own account can revoke', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const second = await service.domain.signIn.signIn({ email: one.email, password }, someClient);
    const listed = await service.domain.sessions.list(one.account);
    expect(listed).to.have.lengthOf(2);
    expect(listed[0]).to.include({ ip: someClient.ip, userAgent: someClient.userAgent });
    const id = String(listed.find((each) => each)?.id);
    expect((await refusalOf(service.domain.sessions.revoke(other.account, id))).code).to.equal('not_found');
    await service.domain.sessions.revoke(one.account, id);
    const left = [await emailOf(one.token), await emailOf(second)].filter((email) => email !== undefined);
    expect(left).to.deep.equal([one.email]);
  });

  describe('and changing the password', () => {
    const next = 'another horse battery';

    it('ends every session of the account but the new one, and none of others', async () => {
      const { token, email } = await newPerson();
      const other = await newPerson();
      const changed = await service.domain.signIn.changePassword(
        await signedIn(token),
        { current: password, next },
        someClient,
      );
      expect(await emailOf(token)).to.equal(undefined);
      expect(await emailOf(changed)).to.equal(email);
      expect(await emailOf(other.token)).to.equal(other.email);
      expect(
        await emailOf(await service.domain.signIn.signIn({ email, password: next }, someClient)),
      ).to.equal(email);
      expect((await refusalOf(service.domain.signIn.signIn({ email, password }, someClient))).code).to.equal(
        'unauthenticated',
      );
    });

    it('needs the current password, and a new one that is long enough', async () => {
      const { account, token } = await newPerson();
      const { changePassword } = service.domain.signIn;
      const owner = await signedIn(token);
      const wrong = await refusalOf(changePassword(owner, { current: 'x', next }, someClient));
      expect(wrong.problems).to.deep.equal({ current: [{ code: 'incorrect' }] });
      const short = await refusalOf(changePassword(owner, { current: password, next: 'short' }, someClient));
      expect(short.problems).to.deep.equal({ password: [{ code: 'minLength', min: 12 }] });
      expect(await emailOf(token)).to.equal(account.email);
    });

    it('needs no current password if there was none', async () => {
      const { account } = await createAccount(service.domain, newEmail());
      const { sessions, signIn } = service.domain;
      const owner = await signedIn(await sessions.create(account, someClient, byPassword));
      const token = await signIn.changePassword(owner, { current: '', next }, someClient);
      expect(await emailOf(token)).to.equal(account.email);
    });
  });

  describe('under rate limits', () => {
    let limited: TestService;
    before(async () => {
      limited = await startService({
        RATE_LIMITS: 'on',
        LIMIT_FAILED_SIGN_INS: '7/15m',
        LIMIT_SIGN_IN_BY_CLIENT: '3/15m',
        LIMIT_SIGN_IN_BY_ACCOUNT: '5/15m',
        LIMIT_SIGN_UP: '2/1h',
      });
    });
    after(() => limited.stop());

    const from = (ip: string) => ({ ...someClient, ip });
    const attempt = (email: string, given: string, ip: string) =>
      limited.domain.signIn.signIn({ email, password: given }, from(ip)).then(
        () => 'in',
        ({ code }) => String(code),
      );

    for (const exists of [true, false]) {
      it(`lets a client try three passwords for an account that ${exists ? 'exists' : 'does not exist'}`, async () => {
        const email = newEmail();
        if (exists) await limited.domain.accounts.create({ email, password });
        const tries = [];
        for (let i = 0; i < 4; i++) tries.push(await attempt(email, 'x', '192.0.2.1'));
        expect(tries).to.deep.equal([...Array(3).fill('unauthenticated'), 'too_many']);
        expect(await attempt(email, password, '192.0.2.1')).to.equal('too_many');
        expect(await attempt(email, password, '192.0.2.2')).to.equal(exists ? 'in' : 'unauthenticated');
      });
    }

    it('lets all clients together try five passwords', async () => {
      const email = newEmail();
      await limited.domain.accounts.create({ email, password });
      const tries = await Promise.all(
        Array.from({ length: 12 }, (_, i) => attempt(email, 'x', `192.0.2.${i + 10}`)),
      );
      expect(tries.filter((answer) => answer === 'unauthenticated')).to.have.lengthOf(5);
      expect(await attempt(email, password, '192.0.2.99')).to.equal('too_many');
    });

    it('lets a client try seven passwords for all accounts together, known or not', async () => {
      const known = newEmail();
      await limited.domain.accounts.create({ email: known, password });
      const tries = [];
      for (let i = 0; i < 8; i++) tries.push(await attempt(i === 3 ? known : newEmail(), 'x', '192.0.2.50'));
      expect(tries).to.deep.equal([...Array(7).fill('unauthenticated'), 'too_many']);
      expect(await attempt(known, password, '192.0.2.50')).to.equal('too_many');
      expect(await attempt(known, password, '192.0.2.51')).to.equal('in');
    });

    describe('that strangers have used up', () => {
      let email: string;
      let account: Account;
      let proof: string;
      const signIn = (given: string, browserProof?: string) =>
        limited.domain.signIn
          .signIn({ email, password: given }, { ...from('192.0.2.60'), browserProof })
          .then(
            () => 'in',
            ({ code }) => String(code),
          );

      beforeEach(async () => {
        email = newEmail();
        account = await limited.domain.accounts.create({ email, password });
        proof = limited.domain.knownBrowsers.prove(email);
        await Promise.all(Array.from({ length: 5 }, (_, i) => attempt(email, 'x', `192.0.2.${i + 10}`)));
        expect(await signIn(password)).to.equal('too_many');
      });

      it('lets a browser sign in that has signed in to the account before', async () => {
        expect(await signIn(password, proof)).to.equal('in');
      });

      it('lets that browser try three wrong passwords, and others none', async () => {
        const tries = [];
        for (let i = 0; i < 4; i++) tries.push(await signIn('x', proof));
        expect(tries).to.deep.equal([...Array(3).fill('unauthenticated'), 'too_many']);
        expect(await signIn(password, proof)).to.equal('too_many');
      });

      it('lets no browser in with the proof of another account, or a forged one', async () => {
        const others = limited.domain.knownBrowsers.prove(newEmail());
        for (const forged of [others, `x${proof}`, proof.slice(0, -1), `${proof.split('.')[0]}.`, '.', ''])
          expect(await signIn(password, forged), forged).to.equal('too_many');
      });

      it('keeps a browser’s count when it signs in again', () => {
        expect(limited.domain.knownBrowsers.prove(email, proof)).to.equal(proof);
        expect(limited.domain.knownBrowsers.prove(newEmail(), proof)).to.not.equal(proof);
      });

      it('lets a signed-in owner change the password', async () => {
        const changed = { current: password, next: 'another horse battery' };
        const token = await limited.domain.sessions.create(account, someClient, byPassword);
        await limited.domain.signIn.changePassword(
          await signedIn(token, limited),
          changed,
          from('192.0.2.60'),
        );
        expect(await signIn(changed.next, proof)).to.equal('in');
      });
    });

    it('lets a signed-in browser try three current passwords', async () => {
      const account = await limited.domain.accounts.create({ email: newEmail(), password });
      const owner = await signedIn(
        await limited.domain.sessions.create(account, someClient, byPassword),
        limited,
      );
      const tries = [];
      for (let i = 0; i < 4; i++) {
        const given = { current: 'x', next: 'another horse battery' };
        tries.push((await refusalOf(limited.domain.signIn.changePassword(owner, given, someClient))).code);
      }
      expect(tries).to.deep.equal([...Array(3).fill('unauthenticated'), 'too_many']);
    });

    it('hashes once for every try, whether there is such an account or not', async () => {
      const { domain } = limited;
      const [withPassword, disabled, withoutPassword] = [newEmail(), newEmail(), newEmail()];
      await domain.accounts.create({ email: withPassword, password });
      await domain.accounts.create({ email: disabled, password });
      await domain.accounts.setDisabled(disabled, true, 'operator');
      await domain.accounts.create({ email: withoutPassword });
      for (const [index, email] of [withPassword, disabled, withoutPassword, newEmail()].entries()) {
        const before = domain.passwordChecks().account.started;
        expect(await attempt(email, 'x', `192.0.2.${index + 70}`), email).to.equal('unauthenticated');
        expect(domain.passwordChecks().account.started - before, email).to.equal(1);
      }
    });

    it('does not count correct passwords', async () => {
      const email = newEmail();
      await limited.domain.accounts.create({ email, password });
      for (let i = 0; i < 6; i++) expect(await attempt(email, password, '192.0.2.3')).to.equal('in');
    });

    it('lets a client sign up twice', async () => {
      const signUp = () => limited.domain.signIn.signUp({ email: newEmail(), password }, from('192.0.2.200'));
      await signUp();
      await signUp();
      expect((await refusalOf(signUp())).code).to.equal('too_many');
    });
  });

  it('creates no account where sign-up is not allowed', async () => {
    const closed = await startService({ ALLOW_SIGN_UP: 'no' });
    const signUp = closed.domain.signIn.signUp({ email: newEmail(), password }, someClient);
    expect((await refusalOf(signUp)).code).to.equal('forbidden');
    await closed.stop();
  });
});
