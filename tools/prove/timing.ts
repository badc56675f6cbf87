import { createConnection } from 'mysql2/promise';
import { newApiToken, newSecret, newUrlToken, newUserCode } from '../../src/crypto/tokens.ts';
import { asForm, bearer, createClient } from '../../test/harness/api.ts';
import { createForms, sameOrigin } from '../../test/harness/forms.ts';
import { startIdentityProvider } from '../../test/harness/identityProvider.ts';
import { startMariadb } from '../../test/harness/mariadb.ts';
import { addPasskey, openDevice } from '../../test/harness/passkeyDevice.ts';
import {
  byPassword,
  createAccount,
  someClient,
  startService,
  type TestService,
} from '../../test/harness/service.ts';
import { freshlySignedIn, setUpApp } from '../../test/harness/signedIn.ts';
import type { Experiment, ProveDatabase } from './experiment.ts';

/** Two requests whose responses must not tell by their time which of the two they answer. */
type Pair = { name: string; rounds: number; one: () => Promise<unknown>; other: () => Promise<unknown> };

/** Of two times that differ by less than this, nobody on a network can tell which is which. */
const negligibleMs = 1;
/** How many standard errors a difference must have before it counts as one. */
const significant = 4;

const password = 'correct horse battery';
/** Where browsers know passkeys without https. */
const site = 'http://localhost';
/** Mails are asked for, and none is sent. */
const withMail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'hushpush@acme.example', SIGN_UP: 'verified' };

/** Compares the times of responses that must be alike. The service and the client share one process. */
export const timing: Experiment = {
  claim: 'no response tells by its time what it does not say',
  async run({ seconds, database, only = '' }) {
    const { url, stop } = await openDatabase(database);
    const provider = await startIdentityProvider({ base: site, name: 'okta' });
    const service = await startService(
      {
        BASE_URL: site,
        ...withMail,
        ...provider.settings,
        ...(url !== undefined && { DATABASE_URL: url }),
      },
      { hashCostMax: 12 },
    );
    const client = createClient(service.port);
    const figures: Record<string, string> = {};
    const failures: string[] = [];
    try {
      const pairs = await createPairs(service, client, seconds);
      for (const pair of pairs.filter(({ name }) => name.startsWith(only))) {
        const { text, isDifferent } = compare(await measure(pair));
        figures[pair.name] = text;
        if (isDifferent) failures.push(`${pair.name}: ${text}`);
      }
      return { figures, failures };
    } finally {
      client.close();
      await service.stop();
      await provider.stop();
      await stop();
    }
  },
};

async function openDatabase(kind: ProveDatabase) {
  if (kind !== 'mariadb') return { url: undefined, stop: async () => {} };
  const server = await startMariadb();
  const connection = await createConnection(server.url);
  await connection.query('CREATE DATABASE timing');
  await connection.end();
  return { url: `${server.url}/timing`, stop: server.stop };
}

async function createPairs(service: TestService, client: ReturnType<typeof createClient>, seconds: number) {
  const { domain } = service;
  const known = ['with.password', 'disabled'].map((name) => `${name}@example.com`);
  for (const email of known) await domain.accounts.create({ email, password });
  const [withPassword = '', disabled = ''] = known;
  await domain.accounts.setDisabled(disabled, true, 'operator');
  const bare = await createAccount(domain, 'without.password@example.com');
  const stale = await createAccount(domain, 'disabled.token@example.com');
  await domain.accounts.setDisabled('disabled.token@example.com', true, 'operator');
  const push = await client.create({ passphrase: 'open sesame' }, bearer(bare.token));

  const form = await createForms(domain, client).loadForm('/sign-in');
  const headers = { ...asForm, ...form.headers, ...sameOrigin };
  const signIn = (email: string) => () =>
    client.send('POST', '/sign-in', {
      headers,
      body: String(new URLSearchParams({ ...form.fields, email, password: 'wrong horse battery' })),
    });
  let strangers = 0;
  const signInUnknown = () => signIn(`stranger${strangers++}@example.com`)();
  const list = (token: () => string) => () => client.get('/p/active.json', bearer(token()));
  const securityLog = (token: () => string) => () =>
    client.get('/api/v1/account/security.json', bearer(token()));
  const preview = (token: () => string) => () => client.get(`/p/${token()}/preview.json`);
  const guess = (passphrase: string) => () => client.get(`${push.json}?passphrase=${passphrase}`);

  const secured = await createSecured(service, client);
  const passkeys = await createPasskeys(service, client);
  const callback = await createCallbacks(client);
  const typed = await createTypedCodes(service, client);
  const mails = await createMailPages(service, client);
  const { deviceCode } = await domain.deviceSignIn.begin({ name: 'laptop', scope: 'create' }, someClient);
  const poll = (code: () => string) => () =>
    client.send('POST', '/oauth/token', {
      headers: asForm,
      body: String(
        new URLSearchParams({
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          device_code: code(),
        }),
      ),
    });

  const slow = Math.max(20, 2 * seconds);
  const fast = 10 * slow;
  const pairs: Pair[] = [
    // Before the slow ones, since a challenge lasts five minutes.
    {
      name: 'passkey: disabled, unknown',
      rounds: fast,
      one: passkeys.disabled,
      other: passkeys.unknown,
    },
    {
      name: 'passkey challenge: nearly right, wrong',
      rounds: fast,
      one: passkeys.nearlyAsked,
      other: passkeys.neverAsked,
    },
    ...mails.map((pair) => ({ ...pair, rounds: fast })),
    { name: 'sign-in: known, unknown', rounds: slow, one: signIn(withPassword), other: signInUnknown },
    { name: 'sign-in: disabled, unknown', rounds: slow, one: signIn(disabled), other: signInUnknown },
    {
      name: 'sign-in: no password, unknown',
      rounds: slow,
      one: signIn(bare.account.email),
      other: signInUnknown,
    },
    {
      name: 'sign-in: with a second factor, unknown',
      rounds: slow,
      one: signIn(secured.email),
      other: signInUnknown,
    },
    {
      name: 'recovery code: nearly right, wrong',
      rounds: slow,
      one: secured.finish(nearly(secured.recoveryCode)),
      other: secured.finish(secured.recoveryCode.split('').reverse().join('')),
    },
    {
      name: 'device code: nearly right, unknown',
      rounds: fast,
      one: poll(() => nearly(deviceCode)),
      other: poll(() => newSecret()),
    },
    {
      name: 'typed device code: nearly right, unknown',
      rounds: fast,
      one: typed.nearly,
      other: typed.unknown,
    },
    {
      name: 'answer of a provider: nearly right, unknown state',
      rounds: fast,
      one: callback.nearly,
      other: callback.unknown,
    },
    {
      name: 'security log: disabled, unknown',
      rounds: fast,
      one: securityLog(() => stale.token),
      other: securityLog(newApiToken),
    },
    {
      name: 'API token: disabled, unknown',
      rounds: fast,
      one: list(() => stale.token),
      other: list(newApiToken),
    },
    {
      name: 'url token: nearly right, unknown',
      rounds: fast,
      one: preview(() => nearly(push.token)),
      other: preview(newUrlToken),
    },
    {
      name: 'passphrase: nearly right, wrong',
      rounds: slow,
      one: guess('open+sesamf'),
      other: guess('xxxxxxxxxxx'),
    },
  ];
  return pairs;
}

/** An account with a second factor, in a browser that has done the first step. */
async function createSecured({ domain }: TestService, client: ReturnType<typeof createClient>) {
  const email = 'with.factor@example.com';
  const account = await domain.accounts.create({ email, password });
  const { recoveryCodes } = await setUpApp(domain, await freshlySignedIn(domain, account));
  const step = await domain.signIn
    .signIn({ email, password }, someClient)
    .catch((error) => String(error.step));
  const cookie = `hushpush-second-factor=${step}`;
  const form = await createForms(domain, client).loadForm('/second-factor', { cookie });
  const finish = (code: string) => () =>
    client.send('POST', '/second-factor', {
      headers: { ...asForm, ...form.headers, ...sameOrigin },
      body: String(new URLSearchParams({ ...form.fields, recoveryCode: code })),
    });
  return { email, recoveryCode: recoveryCodes[0] ?? '', finish };
}

/** Pages that write mails down: to addresses that have an account, and to those that have none. */
async function createMailPages(
  { domain, database }: TestService,
  client: ReturnType<typeof createClient>,
): Promise<Omit<Pair, 'rounds'>[]> {
  const { loadForm, submit } = createForms(domain, client);
  const known = 'with.mail@example.com';
  const account = await domain.accounts.create({ email: known, password });
  await database.execute('UPDATE accounts SET email_verified_at = 1 WHERE email = $known', { known });
  await database.transaction((tx) => domain.mailAddresses.save(known, null, tx));
  const other = await domain.accounts.create({ email: 'other.with.mail@example.com', password });
  const session = await domain.sessions.create(account, someClient, byPassword);
  const apiToken = await domain.apiTokens.issue(account, { name: 'test' });
  let strangers = 0;
  const stranger = () => `nobody${strangers++}@example.com`;

  /** Sends the form of a page with an address. Fails unless it is accepted. */
  async function sending(page: string, action = page, cookie?: string) {
    const form = await loadForm(page, cookie === undefined ? {} : { cookie });
    return (email: () => string) => async () => {
      const { status, headers } = await submit(action, form, { email: email() });
      if (status !== 200 && headers.location !== '/account?done=sent')
        throw new Error(`${action} answered ${status}`);
    };
  }

  async function askingFor(path: string) {
    const form = await loadForm(path);
    return async () => {
      const { status } = await submit(path, form);
      if (status !== 303) throw new Error(`no code was sent: ${status}`);
    };
  }

  const [reset, signUp] = [await sending('/reset'), await sending('/sign-up')];
  const change = await sending('/account', '/account/address', `hushpush-session=${session}`);
  const recipients = [known, stranger()];
  const { push } = await client.create({ recipients }, bearer(apiToken));
  const [toKnown, toStranger] = recipients.map((name) => {
    const links = push.recipients as { name: string; html_url: string }[];
    return new URL(links.find((link) => link.name === name)?.html_url ?? '').pathname;
  });
  const again = stranger();
  return [
    { name: 'mail for a new password: known, unknown', one: reset(() => known), other: reset(stranger) },
    { name: 'mail to sign up: known, unknown', one: signUp(() => known), other: signUp(stranger) },
    { name: 'mail to sign up, again: known, unknown', one: signUp(() => known), other: signUp(() => again) },
    { name: 'mail to another address: taken, free', one: change(() => other.email), other: change(stranger) },
    {
      name: 'mail with a code: for an account, for none',
      one: await askingFor(toKnown ?? ''),
      other: await askingFor(toStranger ?? ''),
    },
  ];
}

/** Answers of passkeys that sign nobody in: of a disabled account, of none, and to challenges that the browser did not ask for. */
async function createPasskeys({ domain }: TestService, client: ReturnType<typeof createClient>) {
  const email = 'with.passkey@example.com';
  const account = await freshlySignedIn(domain, await domain.accounts.create({ email, password }));
  const [device, stranger] = [openDevice(site), openDevice(site)];
  await addPasskey(domain, account, device);
  stranger.create({ rp: { id: 'localhost' } }, 'x');
  await domain.accounts.setDisabled(email, true, 'operator');
  const form = await createForms(domain, client).loadForm('/sign-in');
  const options = await domain.passkeys.optionsOf();
  const { challenge } = JSON.parse((await client.get('/passkeys/challenge', form.headers)).text);
  const asked = Buffer.from(challenge, 'base64url').toString();
  const answer = (from: typeof device, to: string) => {
    const passkey = from.get(options, Buffer.from(to).toString('base64url'));
    const body = String(new URLSearchParams({ ...form.fields, passkey }));
    const headers = { ...asForm, ...form.headers, ...sameOrigin };
    return () => client.send('POST', '/passkeys/sign-in', { headers, body });
  };
  return {
    disabled: answer(device, asked),
    unknown: answer(stranger, asked),
    nearlyAsked: answer(stranger, nearly(asked)),
    neverAsked: answer(
      stranger,
      asked.replace(/[^.]*$/, (signature) => signature.split('').reverse().join('')),
    ),
  };
}

/** Answers of a provider to a browser that asked, with a state that is its own but for the last character, or none at all. */
async function createCallbacks(client: ReturnType<typeof createClient>) {
  const begun = await client.get('/sign-in/okta');
  const state = new URL(begun.headers.location ?? '').searchParams.get('state') ?? '';
  const cookie = begun.headers['set-cookie']?.map((line) => line.split(';')[0]).join('; ') ?? '';
  const answer = (given: () => string) => () =>
    client.get(`/sign-in/okta/callback?code=x&state=${given()}`, { cookie });
  return { nearly: answer(() => nearly(state)), unknown: answer(newSecret) };
}

/** Codes of programs that somebody types who is signed in: one that differs in a character from one that waits, and any. */
async function createTypedCodes({ domain }: TestService, client: ReturnType<typeof createClient>) {
  const account = await domain.accounts.create({ email: 'types.codes@example.com', password });
  const cookie = `hushpush-session=${await domain.sessions.create(account, someClient, byPassword)}`;
  const form = await createForms(domain, client).loadForm('/device', { cookie });
  const { userCode } = await domain.deviceSignIn.begin({ name: 'laptop' }, someClient);
  const type = (code: () => string) => () =>
    client.send('POST', '/device', {
      headers: { ...asForm, ...form.headers, ...sameOrigin },
      body: String(new URLSearchParams({ ...form.fields, code: code() })),
    });
  const other = userCode.endsWith('B') ? 'C' : 'B';
  return { nearly: type(() => `${userCode.slice(0, -1)}${other}`), unknown: type(newUserCode) };
}

/** A text that differs from this one in its last character alone. */
const nearly = (token: string) => `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;

/** Takes turns, so that both see the same machine; the first rounds only warm up. */
async function measure({ rounds, one, other }: Pair): Promise<{ one: number[]; other: number[] }> {
  const times = { one: [] as number[], other: [] as number[] };
  for (let round = -5; round < rounds; round++) {
    const isSwapped = round % 2 === 0;
    for (const side of isSwapped ? (['other', 'one'] as const) : (['one', 'other'] as const)) {
      const startedAt = performance.now();
      await (side === 'one' ? one : other)();
      if (round >= 0) times[side].push(performance.now() - startedAt);
    }
  }
  return times;
}

/** The medians, and the chance that the first takes longer: 50 % if nothing tells them apart (Mann and Whitney's U). */
function compare({ one, other }: { one: number[]; other: number[] }) {
  const wins = one.reduce((sum, mine) => sum + other.filter((theirs) => mine > theirs).length, 0);
  const chance = wins / (one.length * other.length);
  const error = Math.sqrt((one.length + other.length + 1) / (12 * one.length * other.length));
  const [first, second] = [median(one), median(other)];
  const isDifferent = Math.abs(chance - 0.5) > significant * error && Math.abs(first - second) > negligibleMs;
  const text = `${first.toFixed(2)} and ${second.toFixed(2)} ms; the first is slower in ${Math.round(chance * 100)} % ± ${Math.round(significant * error * 100)} (${one.length} rounds)`;
  return { text, isDifferent };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
