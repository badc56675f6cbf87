import type { CreatedPush } from '../../../test/harness/api.ts';
import type { Random } from '../history/random.ts';
import { long, phrase, upTo, words } from './words.ts';

/** What the requests of a class try to break. */
export const parserClasses = [
  'request lines',
  'headers',
  'chunks',
  'multipart',
  'JSON',
  'forms',
  'cookies',
  'queries',
  'sign-in',
  'passkeys',
  'settings',
] as const;
export type ParserClass = (typeof parserClasses)[number];

/** What exists on the service. */
export type FuzzFixture = {
  open: CreatedPush;
  /** A header line that authenticates an account that may attach files. */
  credential: string;
  /** The name of an identity provider. */
  provider: string;
  /** What a signed-in browser sends with a form of its settings; it is also in the second step of another sign-in. */
  signedIn: { cookie: string; csrf: string };
  /** Right answers of that browser's passkeys, as JSON: a new one, and one of the account. */
  passkeys: { created: string; answered: string };
};

/** Builds a hostile request. Some are changed in a few bytes, so that they are no valid HTTP any more. */
export function buildRequest(parserClass: ParserClass, random: Random, fixture: FuzzFixture): Buffer {
  const whole = requests[parserClass](random, fixture);
  return random.chance(0.3) ? mutate(whole, random) : whole;
}

/** Changes, removes, repeats or inserts some bytes anywhere. */
function mutate(bytes: Buffer, random: Random): Buffer {
  const { pick, chance } = random;
  const below = (limit: number) => upTo(random, limit);
  const at = below(bytes.length);
  const length = 1 + below(chance(0.5) ? 4 : 64);
  const slice = bytes.subarray(at, at + length);
  const inserted = pick([
    Buffer.alloc(0),
    Buffer.from([below(256)]),
    Buffer.concat([slice, slice]),
    Buffer.concat(Array.from({ length: 1 + below(500) }, () => slice)),
    Buffer.from(pick(words), 'latin1'),
  ]);
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + length)]);
}

const head = (line: string, headers: string[]) =>
  `${[line, 'Host: x', 'Connection: close', ...headers.filter((header) => header !== '')].join('\r\n')}\r\n\r\n`;

const post = (path: string, headers: string[], body: string) =>
  Buffer.from(head(`POST ${path} HTTP/1.1`, [...headers, `Content-Length: ${body.length}`]) + body, 'latin1');

const forms = [
  ...['/p.json', '/', '/sign-in', '/sign-up', '/r.json', '/api/v1/webhooks.json'],
  ...['/oauth/token', '/oauth/device_authorization'],
] as const;
/** The forms of an account's settings, except for those that end its session. */
const settings = [
  ...['/account/language', '/account/notices', '/account/delete', '/account/password'],
  ...['/account/tokens', '/account/tokens/replace', '/account/tokens/revoke'],
  ...['/account/rules', '/account/rules/remove', '/account/chats/disconnect', '/account/chats/confirm'],
  ...['/account/webhooks', '/account/webhooks/types', '/account/webhooks/remove', '/account/webhooks/test'],
  ...[
    '/account/second-factor/app',
    '/account/second-factor/app/confirm',
    '/account/second-factor/recovery-codes',
    '/account/second-factor/passkeys',
    '/account/second-factor/app/remove',
    '/account/second-factor/passkeys/new',
    '/account/second-factor/passkeys/rename',
    '/account/second-factor/passkeys/remove',
  ],
  ...['/account/providers/confirm', '/account/providers/disconnect', '/account/sessions/revoke'],
  ...['/device', '/device/allow', '/device/deny'],
] as const;
const urlencoded = 'Content-Type: application/x-www-form-urlencoded';

/** Builds a request of each class, in Latin-1: one byte for each character. */
const requests: Record<ParserClass, (random: Random, target: FuzzFixture) => Buffer> = {
  'request lines'(random, { open }) {
    const method = random.pick([
      'GET',
      'POST',
      'HEAD',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PRI',
      'get',
      phrase(random, 2),
    ]);
    const start = random.pick([
      '/',
      '/p/',
      '/P/',
      '/p',
      open.page,
      open.json,
      '/assets/',
      '/en/p/',
      '*',
      'http://x/',
      '',
    ]);
    const version = random.pick([
      'HTTP/1.1',
      'HTTP/1.1',
      'HTTP/1.0',
      'HTTP/0.9',
      'HTTP/2.0',
      'HTTP/',
      '',
      phrase(random, 2),
    ]);
    return Buffer.from(head(`${method} ${start}${long(random, 12_000)} ${version}`, []), 'latin1');
  },
  headers(random, { open }) {
    const names = [
      'Accept-Language',
      'User-Agent',
      'Referer',
      'Range',
      'Authorization',
      'X-User-Token',
      'X-User-Email',
      'X-Forwarded-For',
      'Origin',
      'Sec-Fetch-Site',
      'Sec-Purpose',
      'If-Range',
      'Accept',
      'Host',
      'Expect',
      'Upgrade',
      'Content-Length',
      'Transfer-Encoding',
      'Content-Encoding',
      'Content-Type',
      phrase(random, 2),
    ] as const;
    const lines = Array.from(
      { length: upTo(random, 8) },
      () => `${random.pick(names)}: ${long(random, 4_000)}`,
    );
    const line = random.pick([
      'GET / HTTP/1.1',
      `HEAD ${open.json} HTTP/1.1`,
      'GET /sign-in HTTP/1.1',
      'POST /p.json HTTP/1.1',
    ]);
    return Buffer.from(head(line, lines), 'latin1');
  },
  chunks(random) {
    const chunk = () => {
      const content = long(random, 20_000);
      const size = random.chance(0.8) ? content.length.toString(16) : random.pick(words);
      const extension = random.chance(0.2) ? `;${phrase(random, 3)}` : '';
      return `${size}${extension}\r\n${content}\r\n`;
    };
    const chunks = Array.from({ length: upTo(random, 20) }, chunk).join('');
    const end = random.pick(['0\r\n\r\n', '0\r\n\r\n', '0\r\nX: y\r\n\r\n', '0', '', phrase(random)]);
    const headers = [
      'Content-Type: application/json',
      `Transfer-Encoding: ${random.pick(['chunked', 'chunked', 'CHUNKED', 'x, chunked', 'chunked, chunked'])}`,
    ];
    return Buffer.from(head('POST /p.json HTTP/1.1', headers) + chunks + end, 'latin1');
  },
  multipart(random, { credential }) {
    const part = () => {
      const name = random.pick([
        'password[payload]',
        'password[files][]',
        'password[name]',
        'files[]',
        phrase(random, 3),
      ]);
      const file = random.chance(0.4) ? `; filename="${phrase(random, 3)}"` : '';
      const type = random.chance(0.3)
        ? `\r\nContent-Type: ${random.pick(['text/plain', phrase(random, 2)])}`
        : '';
      return `--B\r\nContent-Disposition: form-data; name="${name}"${file}${type}\r\n\r\n${long(random, 100_000)}\r\n`;
    };
    const parts = Array.from({ length: upTo(random, random.chance(0.1) ? 80 : 6) }, part).join('');
    const boundary = random.pick(['B', 'B', 'B', 'B', '"B"', phrase(random, 2)]);
    const headers = [
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      random.chance(0.5) ? credential : '',
    ];
    return post(random.pick(['/p.json', '/f.json', '/']), headers, `${parts}--B--\r\n`);
  },
  JSON(random, { credential }) {
    const scalar = (): string =>
      random.pick([
        'null',
        'true',
        '0',
        '-1',
        '1e999',
        '"x"',
        `"${phrase(random, 2)}"`,
        `"${long(random, 300_000)}"`,
        '9'.repeat(1 + upTo(random, 5_000)),
        phrase(random, 2),
      ]);
    const value = (depth: number): string => {
      if (depth === 0 || random.chance(0.4)) return scalar();
      const many = Array.from({ length: upTo(random, 5) }, () => value(depth - 1));
      return random.chance(0.4)
        ? `[${many}]`
        : `{${many.map((each) => `"${random.pick(words).replaceAll(/["\\]/g, '')}":${each}`)}}`;
    };
    const names = [
      'payload',
      'kind',
      'passphrase',
      'name',
      'note',
      'expire_after_days',
      'expire_after_views',
      'retrieval_step',
      'notify',
      'files',
      ...['issuer', 'audience', 'claims', 'scope', 'minutes', 'device_name'],
      '__proto__',
    ] as const;
    const fields = Array.from({ length: upTo(random, 6) }, () => `"${random.pick(names)}":${value(3)}`);
    const body = random.chance(0.8)
      ? `{"${random.pick(['password', 'url', 'webhook', 'trust_rule'])}":{${[...fields, ...(random.chance(0.6) ? ['"payload":"x"'] : [])]}}}`
      : value(4);
    const unit = random.pick(['1,', '[],', '{},', '"",', '"a":1,', '[', '{"a":', ' ', '"']);
    const repeated = random.chance(0.1)
      ? `{"password":{"payload":"x","a":[${unit.repeat(1 + upTo(random, 100_000))}1]}}`
      : body;
    return post(
      random.pick([
        ...['/p.json', '/p.json', '/oauth/token', '/oauth/device_authorization'],
        ...['/api/v1/webhooks.json', '/api/v1/trust-rules.json'],
      ]),
      ['Content-Type: application/json', random.chance(0.3) ? credential : ''],
      repeated,
    );
  },
  forms(random) {
    const name = () =>
      random.pick([
        'password[payload]',
        'password[notify][viewed]',
        'password[]',
        'csrf',
        'nonce',
        'word',
        'email',
        'next',
        ...['grant_type', 'subject_token', 'client_id', 'device_code', 'scope'],
        long(random, 20_000),
      ]);
    const pairs = Array.from(
      { length: upTo(random, random.chance(0.1) ? 300 : 8) },
      () => `${name()}=${long(random, 300_000)}`,
    );
    const headers = [random.chance(0.8) ? urlencoded : '', 'Sec-Fetch-Site: same-origin'];
    return post(
      random.pick(forms),
      headers,
      `${random.chance(0.5) ? 'password[payload]=x&' : ''}${pairs.join(random.pick(['&', '&', '&', ';', '&&']))}`,
    );
  },
  cookies(random, { open }) {
    const cookie = () =>
      `${random.pick(['hushpush-session', 'hushpush-form', '__Host-session', 'reveal-0', phrase(random, 2)])}=${long(random, 4_000)}`;
    const cookies = Array.from({ length: upTo(random, random.chance(0.1) ? 400 : 6) }, cookie).join(
      random.pick(['; ', ';', ',', ';;']),
    );
    const path = random.pick(['/', '/sign-in', '/pushes', '/account', '/admin', open.page]);
    if (random.chance(0.3))
      return post('/sign-in', [urlencoded, `Cookie: ${cookies}`], `csrf=${phrase(random)}&email=a`);
    return Buffer.from(head(`GET ${path} HTTP/1.1`, [`Cookie: ${cookies}`]), 'latin1');
  },
  queries(random, { open, credential, signedIn }) {
    const name = () =>
      random.pick([
        'passphrase',
        'page',
        'locale',
        'next',
        'done',
        'search',
        'state',
        'id',
        'page[]',
        phrase(random, 2),
      ]);
    const pairs = Array.from(
      { length: upTo(random, random.chance(0.2) ? 2_000 : 6) },
      () => `${name()}=${random.pick(words)}`,
    );
    const path = random.pick([
      ...[`/p/${open.token}/preview.json`, '/p/active.json', `/p/${open.token}/audit.json`],
      ...[`/p/${open.token}`, '/p/expired.json'],
      ...['/api/v1/account/security.json', '/api/v1/account/identities.json', '/api/v1/trust-rules.json'],
      ...['/account/security/log', '/account/second-factor', '/device', '/second-factor'],
    ]);
    const query = pairs.join('&').replaceAll(/[\s\0]/g, '+');
    return Buffer.from(
      head(`GET ${path}?${query} HTTP/1.1`, [random.pick(['', credential, `Cookie: ${signedIn.cookie}`])]),
      'latin1',
    );
  },
  'sign-in'(random, { provider }) {
    const path = `/sign-in/${random.pick([provider, provider, provider, phrase(random, 2), ''])}`;
    const names = [
      'code',
      'state',
      'iss',
      'error',
      'error_description',
      'next',
      'connect',
      'fresh',
      'state[]',
    ] as const;
    const pairs = Array.from(
      { length: upTo(random, 6) },
      () => `${random.pick(names)}=${long(random, 4_000)}`,
    );
    const query = pairs.join('&').replaceAll(/[\s\0]/g, '+');
    const cookies = ['sign-in', 'join', 'link-chat', 'second-factor', 'browser']
      .filter(() => random.chance(0.5))
      .map((name) => `hushpush-${name}=${long(random, 600)}`);
    const headers = [urlencoded, 'Sec-Fetch-Site: same-origin', `Cookie: ${cookies.join('; ')}`];
    const jwt = () =>
      Array.from({ length: 3 }, () =>
        random.pick(['eyJhbGciOiJub25lIn0', 'e30', '', long(random, 4_000)]),
      ).join('.');
    return random.pick([
      () => Buffer.from(head(`GET ${path}?${query} HTTP/1.1`, headers.slice(1)), 'latin1'),
      () => Buffer.from(head(`GET ${path}/callback?${query} HTTP/1.1`, headers.slice(1)), 'latin1'),
      () => post(`${path}/logout`, headers, `logout_token=${jwt()}`),
      () =>
        post(
          '/second-factor',
          headers,
          `csrf=${phrase(random)}&code=${long(random, 4_000)}&recoveryCode=${phrase(random)}`,
        ),
      () => Buffer.from(head(`GET /second-factor?${query} HTTP/1.1`, headers.slice(1)), 'latin1'),
      () =>
        post(
          '/oauth/token',
          headers,
          `grant_type=${encodeURIComponent(random.pick(grants))}&subject_token=${jwt()}&assertion=${jwt()}&device_code=${phrase(random)}&client_id=${phrase(random)}`,
        ),
    ])();
  },
  passkeys(random, { signedIn: { cookie, csrf }, passkeys: { created, answered } }) {
    const headers = [urlencoded, 'Sec-Fetch-Site: same-origin', `Cookie: ${cookie}`];
    const send = (path: string, passkey: string) =>
      post(path, headers, `csrf=${csrf}&name=x&passkey=${encodeURIComponent(passkey)}`);
    return random.pick([
      () => send('/passkeys/sign-in', bend(answered, random)),
      () => send('/second-factor', bend(answered, random)),
      () => send('/account/second-factor/passkeys', bend(created, random)),
      () => {
        const cookies = `Cookie: ${random.pick(['hushpush-session', 'hushpush-form'])}=${long(random, 4_000)}`;
        return Buffer.from(head('GET /passkeys/challenge HTTP/1.1', [cookies]), 'latin1');
      },
    ])();
  },
  settings(random, { signedIn }) {
    const names = [
      ...[
        'id',
        'name',
        'scope',
        'days',
        'hours',
        'url',
        'types',
        'code',
        'current',
        'next',
        'confirm',
        'password',
      ],
      ...['issuer', 'audience', 'claims', 'minutes', 'enrolment', 'language', 'viewed', 'endAccess'],
      ...['stepUpPassword', 'stepUpCode', 'stepUpRecovery', 'stepUpPasskey', 'passkey'],
      ...['__proto__', phrase(random, 2)],
    ] as const;
    const pairs = Array.from(
      { length: upTo(random, 12) },
      () => `${random.pick(names)}=${long(random, 20_000)}`,
    );
    const headers = [urlencoded, 'Sec-Fetch-Site: same-origin', `Cookie: ${signedIn.cookie}`];
    return post(random.pick(settings), headers, [`csrf=${signedIn.csrf}`, ...pairs].join('&'));
  },
};

/** Changes some bytes of one part of a passkey's answer, or of all of it. */
function bend(answer: string, random: Random): string {
  if (random.chance(0.1)) return mutate(Buffer.from(answer), random).toString('latin1');
  const { response, ...rest } = JSON.parse(answer);
  const part = random.pick(Object.keys(response).filter((name) => name !== 'transports'));
  const bytes = random.chance(0.1)
    ? Buffer.from(long(random, 20_000), 'latin1')
    : mutate(Buffer.from(response[part], 'base64url'), random);
  return JSON.stringify({ ...rest, response: { ...response, [part]: bytes.toString('base64url') } });
}

const grants = [
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
