import { expect } from 'chai';
import { type Domain, SecondFactorRequired } from '../../../src/domain/index.ts';
import { password } from '../../harness/pages.ts';
import { refusalOf } from '../../harness/refusal.ts';
import {
  byPassword,
  newEmail,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';
import { holderOf, openApp, setUpApp } from '../../harness/signedIn.ts';

const wrong = 'unauthenticated: This code is wrong, too old, or was used already.';

describe('A second factor', () => {
  let service: TestService;
  let domain: Domain;

  before(async () => {
    service = await startService();
    ({ domain } = service);
  });
  after(() => service.stop());

  async function newPerson() {
    const email = newEmail();
    await domain.accounts.create({ email, password });
    const signedIn = await holderOf(domain, await domain.signIn.signIn({ email, password }, someClient));
    return { email, signedIn, ...(await setUpApp(domain, signedIn)) };
  }

  /** Does the first step of signing in, and returns the second. */
  async function firstStep(email: string): Promise<string> {
    const refused = await refusalOf(domain.signIn.signIn({ email, password }, someClient));
    if (refused instanceof SecondFactorRequired) return refused.step;
    throw refused;
  }

  const finish = (step: string, code: string) => domain.secondStep.finish(step, code, someClient);

  it('is asked for after the password, and signs in with a code of the app', async () => {
    const { email, app } = await newPerson();
    const { session } = await finish(await firstStep(email), await app.code());
    expect((await holderOf(domain, session)).email).to.equal(email);
  });

  it('says no more of a wrong password than before', async () => {
    const { email } = await newPerson();
    const input = { email, password: 'wrong horse battery' };
    expect(await refusal(domain.signIn.signIn(input, someClient))).to.equal(
      'unauthenticated: The e-mail address or the password is wrong.',
    );
  });

  it('is asked for in every way that starts a session', async () => {
    const { email, signedIn } = await newPerson();
    const token = await domain.passwordLinks.create(email, 'reset', 'operator');
    const change = { next: 'another horse battery', revokeTokens: false };
    const ways = [
      domain.sessions.create(signedIn, someClient, byPassword),
      domain.passwordLinks.redeem('reset', token, change, someClient),
    ];
    for (const way of ways) expect(await refusalOf(way)).to.be.instanceOf(SecondFactorRequired);
    expect(domain.sessions).to.not.have.property('open');
  });

  describe('that is an app', () => {
    it('takes a code once, also when it is sent twice at the same time', async () => {
      const { email, app } = await newPerson();
      const code = await app.code();
      const steps = [await firstStep(email), await firstStep(email)];
      const results = await Promise.allSettled(steps.map((step) => finish(step, code)));
      expect(results.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
      expect(await refusal(finish(await firstStep(email), code))).to.equal(wrong);
    });

    it('takes the codes of a step before and after, no earlier and no later ones, and none before the last one', async () => {
      const { email, app } = await newPerson();
      const step = await firstStep(email);
      for (const off of [-3, 3]) expect(await refusal(finish(step, await app.code(off)))).to.equal(wrong);
      await finish(step, await app.code(1));
      for (const earlier of [0, 1])
        expect(await refusal(finish(await firstStep(email), await app.code(earlier)))).to.equal(wrong);
    });

    it('takes nothing but six digits', async () => {
      const { email, app } = await newPerson();
      const step = await firstStep(email);
      const code = await app.code();
      for (const text of ['', ' ', code.slice(1), `${code}0`, '１２３４５６', 'x'.repeat(100_000), '\0'])
        expect(await refusal(finish(step, text))).to.equal(wrong);
      await finish(step, ` ${code.slice(0, 3)} ${code.slice(3)} `);
    });

    it('is in use only once a code has confirmed it, in the session that began', async () => {
      const { email, signedIn } = await newPerson();
      const other = await newPerson();
      const { enrolment, secret } = await domain.factors.beginApp(signedIn);
      const code = await openApp(domain, secret).code(-1);
      const refused = await refusalOf(
        domain.factors.confirmApp(signedIn, { enrolment, code: '000000' }, someClient),
      );
      expect(refused.problems).to.deep.equal({ code: [{ code: 'incorrect' }] });
      const stolen = domain.factors.confirmApp(other.signedIn, { enrolment, code }, someClient);
      expect(await refusal(stolen)).to.match(/^not_found/);
      expect(await domain.factors.confirmApp(signedIn, { enrolment, code }, someClient)).to.deep.equal([]);
      expect(await refusal(domain.factors.confirmApp(signedIn, { enrolment, code }, someClient))).to.match(
        /^not_found/,
      );
      expect((await domain.factors.list(signedIn)).app?.lastUsedAt).to.equal(null);
      await finish(await firstStep(email), await openApp(domain, secret).code());
      expect((await domain.factors.list(signedIn)).app?.lastUsedAt).to.be.a('number');
    });

    it('keeps its secret encrypted', async () => {
      const { signedIn } = await newPerson();
      const { enrolment, secret } = await domain.factors.beginApp(signedIn);
      await domain.factors.confirmApp(
        signedIn,
        { enrolment, code: await openApp(domain, secret).code(-1) },
        someClient,
      );
      const rows = await service.database.select<{ secret: Buffer }>('SELECT secret FROM authenticators', {});
      const { Secret } = await import('otpauth');
      const { hex, bytes } = Secret.fromBase32(secret);
      for (const row of rows) {
        expect(row.secret.includes(hex.toLowerCase())).to.equal(false);
        expect(row.secret.includes(Buffer.from(bytes))).to.equal(false);
      }
    });
  });

  describe('that is lost', () => {
    it('is replaced by any of ten recovery codes, each of which works once', async () => {
      const { email, signedIn, recoveryCodes } = await newPerson();
      expect(new Set(recoveryCodes).size).to.equal(10);
      const [first = '', second = ''] = recoveryCodes;
      await finish(await firstStep(email), first);
      expect(await refusal(finish(await firstStep(email), first))).to.equal(wrong);
      await finish(await firstStep(email), second.toUpperCase().replace('-', ' '));
      expect((await domain.factors.list(signedIn)).recoveryCodes).to.equal(8);
    });

    it('is replaced by a recovery code once, also when it is sent twice at the same time', async () => {
      const { email, recoveryCodes } = await newPerson();
      const steps = [await firstStep(email), await firstStep(email), await firstStep(email)];
      const results = await Promise.allSettled(steps.map((step) => finish(step, String(recoveryCodes[0]))));
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    });

    it('is not replaced by a recovery code of somebody else, nor by one that was renewed', async () => {
      const [one, other] = [await newPerson(), await newPerson()];
      const step = await firstStep(one.email);
      expect(await refusal(finish(step, String(other.recoveryCodes[0])))).to.equal(wrong);
      const renewed = await domain.factors.renewRecoveryCodes(one.signedIn, someClient);
      expect(await refusal(finish(step, String(one.recoveryCodes[0])))).to.equal(wrong);
      await finish(step, String(renewed[0]));
    });

    it('is removed by whoever runs the server, which the account is told', async () => {
      const { email, signedIn } = await newPerson();
      const step = await firstStep(email);
      await domain.factors.removeAll(email, 'operator');
      expect(
        await domain.sessions.authenticate(await domain.signIn.signIn({ email, password }, someClient)),
      ).to.not.equal(null);
      const { app, recoveryCodes } = await domain.factors.list(signedIn);
      expect([app, recoveryCodes]).to.deep.equal([undefined, 0]);
      const [act] = await domain.accounts.acts('operator', email);
      expect(act).to.include({ kind: 'factors_removed', actor: null });
      expect(await refusal(domain.factors.removeAll(email, 'operator'))).to.match(/^conflict/);
      expect(await refusal(finish(step, '000000'))).to.equal(wrong);
    });

    it('is not removed by somebody who is no admin', async () => {
      const [one, other] = [await newPerson(), await newPerson()];
      for (const email of [one.email, 'nobody@example.com'])
        expect(await refusal(domain.factors.removeAll(email, other.signedIn))).to.match(/^forbidden/);
      expect((await domain.factors.list(one.signedIn)).app).to.not.equal(undefined);
    });
  });

  it('takes its recovery codes with it when it is removed', async () => {
    const { email, signedIn } = await newPerson();
    await domain.factors.removeApp(signedIn, someClient);
    expect(await domain.factors.list(signedIn)).to.deep.equal({
      app: undefined,
      passkeys: [],
      recoveryCodes: 0,
    });
    expect(await domain.signIn.signIn({ email, password }, someClient)).to.be.a('string');
    expect(await refusal(domain.factors.removeApp(signedIn, someClient))).to.match(/^not_found/);
    expect(await refusal(domain.factors.renewRecoveryCodes(signedIn, someClient))).to.match(/^conflict/);
  });

  describe('has a second step that', () => {
    it('works once', async () => {
      const { email, app, recoveryCodes } = await newPerson();
      const step = await firstStep(email);
      await finish(step, await app.code());
      expect(await refusal(finish(step, String(recoveryCodes[0])))).to.match(/^not_found/);
    });

    it('ends after ten minutes, and for an account that is disabled', async () => {
      const [one, other] = [await newPerson(), await newPerson()];
      const steps = [await firstStep(one.email), await firstStep(other.email)] as const;
      await domain.accounts.setDisabled(other.email, true, 'operator');
      expect(await refusal(finish(steps[1], await other.app.code()))).to.match(/^not_found/);
      const tenMinutes = 'UPDATE one_time_links SET expires_at = expires_at - 600000';
      await service.database.execute(tenMinutes, {});
      expect(await refusal(finish(steps[0], await one.app.code()))).to.match(/^not_found/);
    });
  });

  describe('on a server with limits', () => {
    let limited: TestService;
    before(async () => {
      limited = await startService({ RATE_LIMITS: 'on', LIMIT_SIGN_IN_BY_ACCOUNT: '8/15m' });
    });
    after(() => limited.stop());

    it('is guessed no more often than a password, and its owner is not locked out of a browser that they know', async () => {
      const { accounts, signIn, secondStep, sessions, knownBrowsers } = limited.domain;
      const email = newEmail();
      await accounts.create({ email, password });
      const signedIn = await holderOf({ sessions }, await signIn.signIn({ email, password }, someClient));
      const { app } = await setUpApp(limited.domain, signedIn);
      const refused = await refusalOf(signIn.signIn({ email, password }, someClient));
      const { step } = refused as SecondFactorRequired;
      const from = (n: number) => ({ ...someClient, ip: `192.0.2.${n}` });
      const guess = (n: number) => refusal(secondStep.finish(step, '000000', from(n)));
      for (let n = 0; n < 5; n++) expect(await guess(1)).to.equal(wrong);
      expect(await guess(1)).to.match(/^too_many/);
      for (let n = 0; n < 3; n++) expect(await guess(2 + n)).to.equal(wrong);
      expect(await guess(9)).to.match(/^too_many/);
      const code = await app.code();
      expect(await refusal(secondStep.finish(step, code, from(10)))).to.match(/^too_many/);
      await secondStep.finish(step, code, { ...from(10), browserProof: knownBrowsers.prove(email) });
    });
  });
});
