import { expect } from 'chai';
import {
  type Domain,
  SecondFactorRequired,
  type SecurityEvent,
  type SignedIn,
} from '../../../src/domain/index.ts';
import { newChatUser } from '../../harness/chat.ts';
import { password } from '../../harness/pages.ts';
import { addPasskey, openDevice } from '../../harness/passkeyDevice.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { newEmail, refusal, someClient, startService, type TestService } from '../../harness/service.ts';
import { freshlySignedIn, holderOf, setUpApp } from '../../harness/signedIn.ts';
import { until } from '../../harness/until.ts';

const site = 'https://push.example.com';
const browser = 'the secret of a browser';
const tooLate = /^unauthenticated: This took too long, was sent twice/;
const unknown = /^unauthenticated: This passkey is not registered here/;
const ofOther = /^unauthenticated: This is not a passkey of your account/;
const rejected = /^unauthenticated: This passkey could not be verified/;

describe('A passkey', () => {
  let service: TestService;
  let domain: Domain;

  before(async () => {
    service = await startService({ BASE_URL: `${site}/hush` });
    ({ domain } = service);
  });
  after(() => service.stop());

  async function newPerson(manner = {}) {
    const account = await domain.accounts.create({ email: newEmail(), password });
    const signedIn = await freshlySignedIn(domain, account);
    const device = openDevice(site, manner);
    const recoveryCodes = await addPasskey(domain, signedIn, device);
    return { email: account.email, account, signedIn, device, recoveryCodes };
  }
  type Person = Awaited<ReturnType<typeof newPerson>>;

  /** What a device answers to a new challenge: for anybody, or for one account. */
  async function answerOf({ device }: Pick<Person, 'device'>, manner = {}, account?: Person['account']) {
    const options = await domain.passkeys.optionsOf(account);
    return { passkey: device.get(options, await domain.passkeys.challenge(browser), manner), browser };
  }

  const signIn = async (person: Pick<Person, 'device'>, manner = {}) =>
    domain.signIn.signInByPasskey(await answerOf(person, manner), someClient);

  async function firstStep(email: string): Promise<string> {
    const refused = await refusalOf(domain.signIn.signIn({ email, password }, someClient));
    if (refused instanceof SecondFactorRequired) return refused.step;
    throw refused;
  }

  const logOf = async (account: Person['account']) =>
    (await domain.securityLog.list(account)).map(({ kind, detail }: SecurityEvent) => `${kind} ${detail}`);

  async function age({ sessionId }: SignedIn) {
    const sql = 'UPDATE sessions SET authenticated_at = authenticated_at - 660000 WHERE id = $sessionId';
    await service.database.execute(sql, { sessionId });
  }

  describe('that signs in alone', () => {
    it('is both factors, and is listed with its last use', async () => {
      const person = await newPerson();
      const [before] = await domain.passkeys.list(person.account);
      expect(before).to.include({ name: 'Laptop', backedUp: false, otherHost: null, lastUsedAt: null });
      const { session, email } = await signIn(person, { isBackedUp: true });
      const holder = await holderOf(domain, session);
      expect([email, holder.email, holder.factors]).to.deep.equal([person.email, person.email, ['passkey']]);
      const [listed] = await domain.sessions.list(holder);
      expect(listed).to.include({ way: 'passkey', wayName: 'Laptop' });
      const [after] = await domain.passkeys.list(person.account);
      expect(after).to.include({ backedUp: true });
      expect(after?.lastUsedAt).to.be.a('number');
      expect((await logOf(person.account)).slice(0, 2)).to.deep.equal([
        'signed_in passkey',
        'passkey_added Laptop',
      ]);
      await domain.apiTokens.create(holder, { name: 'fresh' });
    });

    it('must have made sure who uses it', async () => {
      const person = await newPerson({ verifies: false });
      expect(await refusal(signIn(person))).to.match(/^unauthenticated: Your device did not verify you/);
      expect((await domain.passkeys.optionsOf()).userVerification).to.equal('required');
    });

    it('signs in once for an answer, also when it is sent twice at the same time', async () => {
      const answer = await answerOf(await newPerson());
      const both = [0, 1].map(() => domain.signIn.signInByPasskey(answer, someClient));
      const results = await Promise.allSettled(both);
      expect(results.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
      expect(await refusal(domain.signIn.signInByPasskey(answer, someClient))).to.match(tooLate);
    });

    it('answers within five minutes, in the browser that asked', async () => {
      const { device } = await newPerson();
      const [endsAt] = Buffer.from(await domain.passkeys.challenge(browser), 'base64url')
        .toString()
        .split('.');
      expect(Number(endsAt) - (await domain.clock())).to.be.within(298_000, 300_000);
      const options = await domain.passkeys.optionsOf();
      const text = `${(await domain.clock()) - 1}.random`;
      const old = Buffer.from(`${text}.${domain.signing.sign('passkey', browser, text)}`).toString(
        'base64url',
      );
      for (const challenge of [
        old,
        await domain.passkeys.challenge('another'),
        '',
        'AAAA',
        `${endsAt}.x.y`,
      ]) {
        const answer = { passkey: device.get(options, challenge), browser };
        expect(await refusal(domain.signIn.signInByPasskey(answer, someClient)), challenge).to.match(tooLate);
      }
    });

    it('is refused for another site, and says where it works', async () => {
      const person = await newPerson();
      const elsewhere = { origin: 'https://push.example.com.evil.example' };
      for (const manner of [elsewhere, { origin: 'https://push.example.com:8443' }, { crossOrigin: true }])
        expect(await refusal(signIn(person, manner))).to.include(`work here only at ${site}:`);
    });

    it('is refused, and logged, if anything else of it is not right', async () => {
      const person = await newPerson();
      const signedBy = await newPerson();
      for (const manner of [{ rpId: 'evil.example' }, { type: 'webauthn.create' }, { isPresent: false }])
        expect(await refusal(signIn(person, manner)), JSON.stringify(manner)).to.match(rejected);
      const { passkey } = await answerOf(signedBy);
      const forged = JSON.stringify({ ...JSON.parse(passkey), id: idIn((await answerOf(person)).passkey) });
      expect(await refusal(domain.signIn.signInByPasskey({ passkey: forged, browser }, someClient))).to.match(
        rejected,
      );
      await until(async () => (await logOf(person.account)).includes('sign_in_failed passkey'));
      await signIn(person);
    });

    it('takes no nonsense for an answer', async () => {
      const { passkey } = await answerOf(await newPerson());
      const { id, response } = JSON.parse(passkey);
      const bent = (change: object) =>
        JSON.stringify({ id, type: 'public-key', response: { ...response, ...change } });
      const texts = ['', 'null', '{}', '[]', '{"id":1}', 'x'.repeat(60_000), `${'['.repeat(20_000)}`];
      const bad = ['', '!', 'AA', '__proto__', null, 3, 'A'.repeat(40_000)];
      const names = ['clientDataJSON', 'authenticatorData', 'signature'];
      texts.push(...names.flatMap((name) => bad.map((value) => bent({ [name]: value }))));
      texts.push(bent({ clientDataJSON: Buffer.from('{"challenge":1}').toString('base64url') }));
      for (const text of texts)
        expect(
          await refusal(domain.signIn.signInByPasskey({ passkey: text, browser }, someClient)),
          text.slice(0, 80),
        ).to.match(/^unauthenticated: This (passkey could not be verified|took too long)/);
    });

    it('signs nobody in once it is removed, nor to a disabled account', async () => {
      const [one, other] = [await newPerson(), await newPerson()];
      const open = await answerOf(one);
      const [{ id = '' } = {}] = await domain.passkeys.list(one.account);
      await domain.factors.removePasskey(one.signedIn, id, someClient);
      expect(await refusal(domain.signIn.signInByPasskey(open, someClient))).to.match(unknown);
      await domain.accounts.setDisabled(other.email, true, 'operator');
      expect(await refusal(signIn(other))).to.match(unknown);
    });

    it('signs nobody in where passwords do not: there, the providers decide', async () => {
      const settings = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'hushpush' };
      const without = await startService({ BASE_URL: site, PASSWORD_SIGN_IN: 'off', ...settings });
      try {
        const at = without.domain;
        const account = await at.accounts.create({ email: newEmail() });
        const signedIn = await freshlySignedIn(at, account);
        const device = openDevice(site);
        await addPasskey(at, signedIn, device);
        const options = await at.passkeys.optionsOf();
        const answer = { passkey: device.get(options, await at.passkeys.challenge(browser)), browser };
        expect(await refusal(at.signIn.signInByPasskey(answer, someClient))).to.match(/^forbidden/);
        expect(at.signIn.allowsPasskeys).to.equal(false);
        await at.confirmation.confirm(signedIn, answer, someClient);
      } finally {
        await without.stop();
      }
    });
  });

  describe('that counts fewer uses than before', () => {
    it('signs in, and is in the security log by its name', async () => {
      const person = await newPerson();
      await signIn(person, { count: 7 });
      for (const count of [7, 3, 0]) {
        await signIn(person, { count });
        expect((await logOf(person.account))[1], String(count)).to.equal('passkey_count_behind Laptop');
      }
      const before = (await logOf(person.account)).length;
      for (const count of [0, 0, 4]) await signIn(person, { count });
      expect(await logOf(person.account)).to.have.length(before + 3);
    });
  });

  describe('as a second factor', () => {
    it('is asked for after the password, and signs in without making sure who uses it', async () => {
      const person = await newPerson({ verifies: false });
      const step = await firstStep(person.email);
      const { factors, passkeyOptions } = await domain.secondStep.preview(step);
      expect([factors.app, factors.passkeys.length]).to.deep.equal([undefined, 1]);
      const passkey = person.device.get(passkeyOptions, await domain.passkeys.challenge(browser));
      const { session } = await domain.secondStep.finish(step, { passkey, browser }, someClient);
      expect((await holderOf(domain, session)).factors).to.deep.equal(['password', 'passkey']);
      const again = await firstStep(person.email);
      const replayed = domain.secondStep.finish(again, { passkey, browser }, someClient);
      expect(await refusal(replayed)).to.match(tooLate);
      await domain.secondStep.finish(again, await answerOf(person), someClient);
    });

    it('must be of the same account', async () => {
      const [one, other] = [await newPerson(), await newPerson()];
      const step = await firstStep(one.email);
      expect(await refusal(domain.secondStep.finish(step, await answerOf(other), someClient))).to.match(
        ofOther,
      );
      const removed = await answerOf(one);
      await domain.factors.removeAll(one.email, 'operator');
      expect(await refusal(domain.secondStep.finish(step, removed, someClient))).to.match(ofOther);
    });

    it('does not finish a step that is over', async () => {
      const person = await newPerson();
      const step = await firstStep(person.email);
      await domain.secondStep.finish(step, await answerOf(person), someClient);
      expect(await refusal(domain.secondStep.finish(step, await answerOf(person), someClient))).to.match(
        /^not_found/,
      );
    });

    it('comes with ten recovery codes if it is the first, and takes them with it if it is the last', async () => {
      const { email, signedIn, recoveryCodes } = await newPerson();
      expect(new Set(recoveryCodes).size).to.equal(10);
      await domain.secondStep.finish(await firstStep(email), String(recoveryCodes[0]), someClient);
      expect(await addPasskey(domain, signedIn, openDevice(site), { name: 'Key' })).to.deep.equal([]);
      const { app: _, ...set } = await setUpApp(domain, signedIn);
      expect(set.recoveryCodes).to.deep.equal([]);
      await domain.factors.removeApp(signedIn, someClient);
      const [first, second] = await domain.passkeys.list(signedIn);
      await domain.factors.removePasskey(signedIn, String(first?.id), someClient);
      expect((await domain.factors.list(signedIn)).recoveryCodes).to.equal(9);
      await domain.factors.removePasskey(signedIn, String(second?.id), someClient);
      expect((await domain.factors.list(signedIn)).recoveryCodes).to.equal(0);
      expect(await domain.signIn.signIn({ email, password }, someClient)).to.be.a('string');
    });

    it('is removed by whoever runs the server', async () => {
      const { account, email } = await newPerson();
      await domain.factors.removeAll(email, 'operator');
      expect(await domain.passkeys.list(account)).to.deep.equal([]);
      expect(await refusal(domain.factors.removeAll(email, 'operator'))).to.match(/^conflict/);
    });
  });

  describe('in a session', () => {
    it('makes it fresh again, where no password does', async () => {
      const person = await newPerson();
      const { signedIn } = person;
      await age(signedIn);
      const ways = { password: false, code: false, passkey: true, recovery: true };
      expect(await domain.confirmation.ways(signedIn)).to.deep.equal(ways);
      expect(await refusal(domain.confirmation.confirm(signedIn, { password }, someClient))).to.match(
        /^unauthenticated/,
      );
      const create = () => domain.apiTokens.create(signedIn, { name: `t${Math.random()}` });
      expect(await refusal(create())).to.match(/^forbidden: Sign in again/);
      const answer = await answerOf(person, {}, person.account);
      await domain.confirmation.confirm(signedIn, answer, someClient);
      await create();
      expect(await refusal(domain.confirmation.confirm(signedIn, answer, someClient))).to.match(tooLate);
    });

    it('makes none of another account fresh', async () => {
      const [one, other] = [await newPerson(), await newPerson()];
      const confirm = domain.confirmation.confirm(one.signedIn, await answerOf(other), someClient);
      expect(await refusal(confirm)).to.match(ofOther);
    });

    it('is never weaker than the password that a session began with', async () => {
      const account = await domain.accounts.create({ email: newEmail(), password });
      const [adding, older] = [
        await freshlySignedIn(domain, account),
        await freshlySignedIn(domain, account),
      ];
      await addPasskey(domain, adding, openDevice(site));
      await domain.apiTokens.create(adding, { name: 'x' });
      expect(await refusal(domain.apiTokens.create(older, { name: 'y' }))).to.match(
        /^forbidden: Sign in again/,
      );
      const { sessionId: _, ...program } = older;
      const rule = { name: 'ci', issuer: 'https://id.example.com', claims: { sub: 'ci' } };
      expect(await refusal(domain.trustRules.create(account, rule, { actor: program }))).to.match(
        /^forbidden: Sign in again/,
      );
    });
  });

  describe('of an account that is merged into another', () => {
    /** A chat user with a passkey in the account that was created for them. */
    async function newChatPerson() {
      const chatUser = newChatUser();
      const own = await freshlySignedIn(domain, await domain.chat.identities.accountOf(chatUser));
      const device = openDevice(site);
      const recoveryCodes = await addPasskey(domain, own, device);
      return { chatUser, device, recoveryCodes };
    }

    it('ends with it, since whoever shares an account from a chat cannot sign in to it', async () => {
      const account = await domain.accounts.create({ email: newEmail(), password });
      const { chatUser, device } = await newChatPerson();
      const open = await answerOf({ device });
      await domain.chat.identities.link(chatUser, account);
      expect(await refusal(domain.signIn.signInByPasskey(open, someClient))).to.match(unknown);
      expect(await domain.factors.list(account)).to.deep.equal({
        app: undefined,
        passkeys: [],
        recoveryCodes: 0,
      });
      expect(await domain.signIn.signIn({ email: account.email, password }, someClient)).to.be.a('string');
    });

    it('leaves the passkeys and recovery codes of the other as they are', async () => {
      const { account, email, device, recoveryCodes } = await newPerson();
      const merged = await newChatPerson();
      await domain.chat.identities.link(merged.chatUser, account);
      const { passkeys, recoveryCodes: left } = await domain.factors.list(account);
      expect([passkeys.length, left]).to.deep.equal([1, 10]);
      const theirs = domain.secondStep.finish(
        await firstStep(email),
        String(merged.recoveryCodes[0]),
        someClient,
      );
      expect(await refusal(theirs)).to.match(/^unauthenticated/);
      await domain.secondStep.finish(await firstStep(email), String(recoveryCodes[0]), someClient);
      expect((await signIn({ device })).email).to.equal(email);
    });
  });

  describe('that is added', () => {
    it('is added only by whoever has signed in just now, and so removed', async () => {
      const { signedIn } = await newPerson();
      const options = await domain.factors.beginPasskey(signedIn);
      const passkey = openDevice(site).create(options, await domain.passkeys.challenge(browser));
      const [{ id = '' } = {}] = await domain.passkeys.list(signedIn);
      await age(signedIn);
      const acts = [
        domain.factors.beginPasskey(signedIn),
        domain.factors.addPasskey(signedIn, { name: 'x', passkey, browser }, someClient),
        domain.factors.removePasskey(signedIn, id, someClient),
      ];
      for (const act of acts) expect(await refusal(act)).to.match(/^forbidden: Sign in again/);
    });

    it('gets another name by its owner alone, which the security log has', async () => {
      const [one, other] = [await newPerson(), await newPerson()];
      const [{ id = '' } = {}] = await domain.passkeys.list(one.account);
      const rename = (by: SignedIn, name: string, of = id) =>
        domain.factors.renamePasskey(by, { id: of, name }, someClient);
      expect(await refusal(rename(other.signedIn, 'Theirs'))).to.match(/^not_found/);
      for (const name of ['', ' ', 'x'.repeat(101)])
        expect(await refusal(rename(one.signedIn, name))).to.match(/^invalid: name/);
      expect(await refusal(rename(one.signedIn, 'x', 'nonsense'))).to.match(/^not_found/);
      await rename(one.signedIn, ' Blue key ');
      const { account } = one;
      expect((await domain.passkeys.list(account)).map(({ name }) => name)).to.deep.equal(['Blue key']);
      expect((await logOf(account))[0]).to.equal('passkey_renamed Blue key');
      await signIn(one);
      const [session] = await domain.sessions.list(account);
      expect(session?.wayName).to.equal('Blue key');
    });

    it('is removed by its owner alone', async () => {
      const [one, other] = [await newPerson(), await newPerson()];
      const [{ id = '' } = {}] = await domain.passkeys.list(one.account);
      const notTheirs = domain.factors.removePasskey(other.signedIn, id, someClient);
      expect(await refusal(notTheirs)).to.match(/^not_found/);
      for (const nonsense of ['', 'x', '0'.repeat(32)])
        expect(await refusal(domain.factors.removePasskey(one.signedIn, nonsense, someClient))).to.match(
          /^not_found/,
        );
      expect((await signIn(one)).email).to.equal(one.email);
      expect(await domain.passkeys.list(other.account)).to.have.length(1);
    });

    it('is created for the account at this host, and by no device that has one', async () => {
      const { account, signedIn, device } = await newPerson();
      const options = await domain.factors.beginPasskey(signedIn);
      expect(options.rp.id).to.equal('push.example.com');
      expect(options.user).to.include({ id: account.id.toString('base64url'), name: account.email });
      expect(options.attestation).to.equal('none');
      expect(options.extensions).to.deep.equal({ prf: {} });
      expect(options.authenticatorSelection.residentKey).to.equal('preferred');
      const { passkey } = await answerOf({ device });
      expect(options.excludeCredentials.map(({ id }) => id)).to.deep.equal([idIn(passkey)]);
      expect(options.excludeCredentials[0]?.transports).to.deep.equal(['hybrid', 'internal']);
    });

    it('is added once for an answer, to one account', async () => {
      const [one, other] = [await newPerson(), await newPerson()];
      const options = await domain.factors.beginPasskey(one.signedIn);
      const device = openDevice(site);
      const passkey = device.create(options, await domain.passkeys.challenge(browser));
      const add = (to: Person, answer = passkey) =>
        domain.factors.addPasskey(to.signedIn, { name: 'x', passkey: answer, browser }, someClient);
      const results = await Promise.allSettled([add(one), add(one)]);
      expect(results.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
      expect(await refusal(add(other))).to.match(tooLate);
      const again = await domain.passkeys.challenge(browser);
      const copied = JSON.parse(passkey);
      copied.response.clientDataJSON = Buffer.from(
        JSON.stringify({ type: 'webauthn.create', challenge: again, origin: site }),
      ).toString('base64url');
      expect(await refusal(add(other, JSON.stringify(copied)))).to.match(/^conflict: This passkey is added/);
      expect(await domain.passkeys.list(other.account)).to.have.length(1);
    });

    it('is refused if it is not right, and leaves nothing', async () => {
      const { account, signedIn } = await newPerson();
      const options = await domain.factors.beginPasskey(signedIn);
      async function add(manner: object, { name = 'x', challenge = '' } = {}) {
        const asked = challenge || (await domain.passkeys.challenge(browser));
        const passkey = openDevice(site).create(options, asked, manner);
        return refusal(domain.factors.addPasskey(signedIn, { name, passkey, browser }, someClient));
      }
      expect(await add({ origin: 'https://evil.example' })).to.include(`only at ${site}:`);
      for (const manner of [{ rpId: 'evil.example' }, { type: 'webauthn.get' }, { isPresent: false }])
        expect(await add(manner)).to.match(rejected);
      expect(await add({}, { challenge: await domain.passkeys.challenge('another') })).to.match(tooLate);
      for (const name of ['', ' ', 'x'.repeat(101)]) expect(await add({}, { name })).to.match(/^invalid/);
      const nonsense = { name: 'x', passkey: '{"response":{}}', browser };
      expect(await refusal(domain.factors.addPasskey(signedIn, nonsense, someClient))).to.match(rejected);
      expect(await domain.passkeys.list(account)).to.have.length(1);
    });

    it('is one of thirty at most', async () => {
      const { signedIn } = await newPerson();
      for (let n = 1; n < 30; n++) await addPasskey(domain, signedIn, openDevice(site), { name: `${n}` });
      expect(await refusal(addPasskey(domain, signedIn, openDevice(site)))).to.match(
        /^conflict: The account has 30 passkeys/,
      );
    });

    it('is not offered at an address where browsers know none', async () => {
      for (const [url, obstacle] of [
        ['http://push.test', 'insecure'],
        ['https://192.0.2.7', 'ipAddress'],
        ['http://[::1]:5000', 'ipAddress'],
        ['http://127.0.0.1', 'ipAddress'],
      ] as const) {
        const at = await startService({ BASE_URL: url });
        const signedIn = await freshlySignedIn(
          at.domain,
          await at.domain.accounts.create({ email: newEmail() }),
        );
        const begun = await refusal(at.domain.factors.beginPasskey(signedIn));
        await at.stop();
        expect([at.domain.passkeys.obstacle, at.domain.signIn.allowsPasskeys]).to.deep.equal([
          obstacle,
          false,
        ]);
        expect(begun).to.match(/^conflict: Passkeys do not work/);
      }
    });
  });

  it('of another host stays a second factor, but is asked for nowhere', async () => {
    const { account, email, signedIn, recoveryCodes } = await newPerson();
    const sql = "UPDATE passkeys SET rp_id = 'old.example.com' WHERE account_id = $id";
    await service.database.execute(sql, account);
    expect((await domain.passkeys.list(account))[0]?.otherHost).to.equal('old.example.com');
    expect((await domain.passkeys.hosts()).elsewhere).to.deep.equal([
      { host: 'old.example.com', accounts: 1 },
    ]);
    const step = await firstStep(email);
    expect((await domain.secondStep.preview(step)).passkeyOptions.allowCredentials).to.deep.equal([]);
    const ways = { password: false, code: false, passkey: false, recovery: true };
    expect(await domain.confirmation.ways(signedIn)).to.deep.equal(ways);
    expect((await domain.factors.beginPasskey(signedIn)).excludeCredentials).to.deep.equal([]);
    await domain.secondStep.finish(step, String(recoveryCodes[0]), someClient);
  });
});

const idIn = (passkey: string): string => JSON.parse(passkey).id;
