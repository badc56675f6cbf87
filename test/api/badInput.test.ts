import { expect } from 'chai';
import fc from 'fast-check';
import {
  type ApiResponse,
  asForm,
  asJson,
  asMultipart,
  bearer,
  type Client,
  type CreatedPush,
  createClient,
  type Fields,
  multipart,
  sendRaw,
} from '../harness/api.ts';
import { createAccount, startService, type TestService } from '../harness/service.ts';

/** Whatever is sent carries this, so that whatever leaks it shows. */
const canary = 'CANARY';
const missing = 'param is missing or the value is empty or invalid: password';
const blank = 'payload must not be blank';
const payloadMax = 1_048_576;
const unknownToken = '0'.repeat(26);

/** One request and what has to come of it. In paths, OPEN and LOCKED stand for two live pushes, the latter with a passphrase. */
type Row = {
  name: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  /** Whether the owner of the two pushes asks. */
  asOwner?: boolean;
  body?: string | Buffer | (() => string | Buffer);
  /** The bytes of the whole request, where it is none that a client would send. */
  raw?: string | Buffer;
  status: number;
  error?: string | RegExp;
  /** Fields of the answer. */
  answer?: Fields;
  /** How many pushes it makes and audit rows it writes; none unless said. No row spends a view or ends a push. */
  makes?: number;
  writes?: number;
};

let service: TestService;
let api: Client;
let account: { authorization: string };
let open: CreatedPush;
let locked: CreatedPush;

/** What the database holds, as far as a refused request must not change it. */
async function stock(): Promise<{ pushes: number; views: number; ended: number; written: number }> {
  const [row] = await service.database.select<Record<string, unknown>>(
    `SELECT COUNT(*) AS pushes, SUM(views_used) AS views, COUNT(expired_on) AS ended,
       (SELECT COUNT(*) FROM audit_rows) AS written FROM pushes`,
    {},
  );
  const number = (name: string) => Number(row?.[name]);
  return {
    pushes: number('pushes'),
    views: number('views'),
    ended: number('ended'),
    written: number('written'),
  };
}

function send({
  method = 'POST',
  path = '/p.json',
  headers = {},
  asOwner,
  body,
  raw,
}: Row): Promise<ApiResponse> {
  if (raw !== undefined) return sendRaw(service.port, raw);
  return api.send(method, path.replace('OPEN', open.token).replace('LOCKED', locked.token), {
    headers: { ...headers, ...(asOwner ? account : {}) },
    body: typeof body === 'function' ? body() : body,
  });
}

function expectRefusal(row: Row, { status, headers, body, text }: ApiResponse): void {
  if (row.method === 'HEAD') return;
  expect(status).to.be.within(400, 499);
  expect(headers['content-type']).to.equal('application/json; charset=utf-8');
  expect(headers['cache-control']).to.equal('no-store');
  expect(body.error, text).to.be.a('string').that.is.not.empty;
  if (row.error instanceof RegExp) expect(body.error).to.match(row.error);
  else if (row.error !== undefined) expect(body.error).to.equal(row.error);
}

const json = (value: unknown): Pick<Row, 'headers' | 'body'> => ({
  headers: asJson,
  body: JSON.stringify(value),
});
const fields = (values: object) => json({ password: { payload: canary, ...values } });
const made = { status: 201, makes: 1 } as const;

/** The rows of what a creator wants to be told of. */
function notices(): Row[] {
  const notify = 'notify must be an object';
  const viewed = 'notify.viewed must be one of first, every, none';
  const wrong: [string, unknown, string][] = [
    ['text', 'none', notify],
    ['a list', ['viewed'], notify],
    ['a truth', true, notify],
    ['a number', 1, notify],
    ['views: another word', { viewed: 'second' }, viewed],
    ['views: a number', { viewed: 1 }, viewed],
    ['views: a truth', { viewed: true }, viewed],
    ['its end: no truth', { expired: 'maybe' }, 'notify.expired must be true or false'],
    ['its end: an object', { expired: {} }, 'notify.expired must be true or false'],
    [
      'wrong passphrases: no truth',
      { failed_passphrase: 2 },
      'notify.failed_passphrase must be true or false',
    ],
    ['a reminder: no truth', { reminder: [] }, 'notify.reminder must be true or false'],
    ['a new one: no truth', { asked_again: 'perhaps' }, 'notify.asked_again must be true or false'],
  ];
  const right: [string, unknown][] = [
    ['nothing', null],
    ['no wish', {}],
    [
      'every wish',
      { viewed: 'first', expired: 'no', failed_passphrase: 1, reminder: false, asked_again: 'on' },
    ],
    ['blanks and nulls', { viewed: '', expired: null, failed_passphrase: '', reminder: null }],
    ['a wish that is not known', { tulip: 'yes' }],
  ];
  return [
    ...wrong.map(([name, value, error]) => ({
      name: `notify: ${name}`,
      ...fields({ notify: value }),
      status: 422,
      error,
    })),
    ...right.map(([name, value]) => ({ name: `notify: ${name}`, ...fields({ notify: value }), ...made })),
    {
      name: 'notify: as a form',
      headers: asForm,
      body: `password[payload]=${canary}&password[notify][viewed]=first&password[notify][failed_passphrase]=off`,
      ...made,
    },
    {
      name: 'notify: as a form, text',
      headers: asForm,
      body: `password[payload]=${canary}&password[notify]=first`,
      status: 422,
      error: notify,
    },
  ];
}

/** The rows of one whole number, which JSON or a form may write as a number or as text. */
function numbers(field: string, min: number, max: number, byDefault: number | undefined): Row[] {
  const error = `${field} must be between ${min} and ${max}`;
  const wrong: [string, unknown][] = [
    ['nought', 0],
    ['one less than the least', min - 1],
    ['one more than the most', max + 1],
    ['a negative number', -1],
    ['a negative nought', '-0'],
    ['a fraction', min + 0.5],
    ['a fraction as text', `${min}.5`],
    ['a fraction of nothing, as text', `${min}.0`],
    ['an exponent as text', '1e1'],
    ['a hexadecimal number', '0x10'],
    ['a huge number', 1e300],
    ['a huge number as text', '9'.repeat(400)],
    ['more than 64 bits', '18446744073709551617'],
    ['a word', canary],
    ['a number and a word', `10${canary}`],
    ['a number and NUL', '10\0'],
    ['infinity', 'Infinity'],
    ['no number at all', 'NaN'],
    ['thousands with a comma', '1,0'],
    ['digits of another script', '١٠'],
    ['true', true],
    ['false', false],
    ['a list', [10]],
    ['an empty list', []],
    ['an object', { a: canary }],
  ];
  const right: [string, unknown, number | undefined][] = [
    ['the least', min, min],
    ['the most', max, max],
    ['the least as text', String(min), min],
    ['the most as text', String(max), max],
    ['null for the default', null, byDefault],
    ['empty text for the default', '', byDefault],
    ['blanks for the default', ' \t ', byDefault],
  ];
  return [
    ...wrong.map(([name, value]) => ({
      name: `${field}: ${name}`,
      ...fields({ [field]: value }),
      status: 422,
      error,
    })),
    {
      name: `${field}: an infinite number of JSON`,
      headers: asJson,
      body: `{"password":{"payload":"${canary}","${field}":1e999}}`,
      status: 422,
      error,
    },
    {
      name: `${field}: a list in a form`,
      headers: asForm,
      body: `password[payload]=${canary}&password[${field}][]=10`,
      status: 422,
      error,
    },
    ...right.map(([name, value, effective]) => ({
      name: `${field}: ${name}`,
      ...fields({ [field]: value }),
      ...made,
      answer: effective === undefined ? {} : { [field]: effective },
    })),
  ];
}

function truths(field: string): Row[] {
  const row = (value: unknown) => ({
    name: `${field}: ${JSON.stringify(value)}`,
    ...fields({ [field]: value }),
  });
  const yes = [true, 'true', 'True', 'on', 'yes', 'checked', '1', 1];
  const no = [false, 'false', 'False', 'off', 'no', '0', 0, ''];
  const neither = [2, -1, 0.5, 'TRUE', 'FALSE', 'On', 't', 'y', '2', ' true', 'null', canary, [], [true], {}];
  return [
    ...yes.map((value) => ({ ...row(value), ...made, answer: { [field]: true } })),
    ...no.map((value) => ({ ...row(value), ...made, answer: { [field]: false } })),
    { ...row(null), ...made, answer: { [field]: true } },
    {
      name: `${field}: empty in a form`,
      headers: asForm,
      body: `password[payload]=${canary}&password[${field}]=`,
      ...made,
      answer: { [field]: false },
    },
    ...neither.map((value) => ({ ...row(value), status: 422, error: `${field} must be true or false` })),
  ];
}

function payloads(): Row[] {
  const wrong: [string, object, RegExp | string][] = [
    ['none', { payload: undefined }, blank],
    ['null', { payload: null }, blank],
    ['empty', { payload: '' }, blank],
    ['spaces', { payload: '   ' }, blank],
    ['all kinds of white space', { payload: ' \t\r\n\v\f\u00a0\u2003\u2028\u3000' }, blank],
    ['a number', { payload: 5 }, /^payload /],
    ['true', { payload: true }, /^payload /],
    ['false', { payload: false }, /^payload /],
    ['a list', { payload: [canary] }, /^payload /],
    ['an object', { payload: { a: canary } }, /^payload /],
    ['a half of a surrogate pair', { payload: `${canary}\ud800` }, /^payload /],
    ['the other half', { payload: `\udc00${canary}` }, /^payload /],
    ['halves in the wrong order', { payload: `\ude00\ud83d${canary}` }, /^payload /],
    ['an unknown kind', { kind: 'password' }, /^kind /],
    ['a kind in capitals', { kind: 'TEXT' }, /^kind /],
    ['a kind that every object has', { kind: 'constructor' }, /^kind /],
    ['a kind that is a number', { kind: 0 }, /^kind /],
    ['a kind that is a list', { kind: ['text'] }, /^kind /],
    ['a kind that is an object', { kind: { text: 1 } }, /^kind /],
    ['one character too many for a QR code', { kind: 'qr', payload: canary.repeat(171) }, /^payload /],
    ['an empty QR code', { kind: 'qr', payload: '' }, /^payload /],
    ['no URL', { kind: 'url' }, /^payload /],
    ['no scheme', { kind: 'url', payload: `${canary}.example.com` }, /^payload /],
    ['no scheme but slashes', { kind: 'url', payload: `//${canary}.example.com` }, /^payload /],
    ['no host', { kind: 'url', payload: 'http://' }, /^payload /],
    ['a path', { kind: 'url', payload: `/${canary}` }, /^payload /],
    ['a script as URL', { kind: 'url', payload: `javascript:${canary}` }, /^payload /],
    ['a script as URL, disguised', { kind: 'url', payload: ' javascript://a/%0aalert(1)' }, /^payload /],
    ['data as URL', { kind: 'url', payload: `data:text/html,${canary}` }, /^payload /],
    ['a file as URL', { kind: 'url', payload: 'file:///etc/passwd' }, /^payload /],
    ['another protocol', { kind: 'url', payload: `ftp://example.com/${canary}` }, /^payload /],
    ['a URL with a space', { kind: 'url', payload: `http://example.com/ ${canary}` }, /^payload /],
    ['a URL with a line break', { kind: 'url', payload: `http://example.com/\n${canary}` }, /^payload /],
    ['a URL of an impossible port', { kind: 'url', payload: 'http://example.com:99999/' }, /^payload /],
    ['a URL that is too long', { kind: 'url', payload: `http://a/${'x'.repeat(2_040)}` }, /^payload /],
  ];
  return [
    ...wrong.map(([name, values, error]) => ({
      name: `payload: ${name}`,
      ...fields(values),
      status: 422,
      error,
    })),
    ...['x', '😀'].map((character) => ({
      name: `payload: one ${character} more than 1,048,576`,
      headers: asMultipart,
      body: () => multipart({ 'password[payload]': character.repeat(payloadMax + 1) }),
      status: 422,
      error: 'payload must have at most 1048576 characters',
    })),
    {
      name: 'payload: a list in a form',
      headers: asForm,
      body: `password[payload][]=${canary}`,
      status: 422,
      error: /^payload /,
    },
    {
      name: 'payload: an object in a form',
      headers: asForm,
      body: `password[payload][a]=${canary}`,
      status: 422,
      error: /^payload /,
    },
    { name: 'payload: the longest QR code', ...fields({ kind: 'qr', payload: '😀'.repeat(1_024) }), ...made },
    {
      name: 'payload: the longest URL',
      ...fields({ kind: 'url', payload: `http://a/${'x'.repeat(2_039)}` }),
      ...made,
    },
    {
      name: 'payload: a URL in capitals',
      ...fields({ kind: 'url', payload: 'HTTPS://EXAMPLE.COM' }),
      ...made,
    },
    { name: 'payload: a kind of null', ...fields({ kind: null }), ...made, answer: { kind: 'text' } },
  ];
}

function labels(): Row[] {
  const wrong: [string, object, RegExp | string][] = [
    ['passphrase: 1,025 bytes', { passphrase: 'x'.repeat(1_025) }, 'passphrase must have at most 1024 bytes'],
    ['passphrase: 1,026 bytes of 513 letters', { passphrase: 'ü'.repeat(513) }, /^passphrase .*1024 bytes/],
    ['name: 256 letters', { name: 'x'.repeat(256) }, 'name must have at most 255 characters'],
    ['name: 256 emoji', { name: '😀'.repeat(256) }, /^name .*255/],
    ['note: 2,001 letters', { note: 'x'.repeat(2_001) }, 'note must have at most 2000 characters'],
    ...['passphrase', 'name', 'note'].flatMap((field): [string, object, RegExp][] => [
      [`${field}: a number`, { [field]: 5 }, new RegExp(`^${field} `)],
      [`${field}: true`, { [field]: true }, new RegExp(`^${field} `)],
      [`${field}: a list`, { [field]: [canary] }, new RegExp(`^${field} `)],
      [`${field}: an object`, { [field]: { a: canary } }, new RegExp(`^${field} `)],
      [`${field}: a half of a surrogate pair`, { [field]: `${canary}\udfff` }, new RegExp(`^${field} `)],
    ]),
    ['durations: days and hours', { expire_after_days: 1, expire_after_hours: 1 }, /^expire_after_/],
    ['durations: days and minutes', { expire_after_days: '1', expire_after_minutes: '5' }, /^expire_after_/],
    ['durations: hours and minutes', { expire_after_hours: 1, expire_after_minutes: 5 }, /^expire_after_/],
    [
      'durations: all three',
      { expire_after_days: 1, expire_after_hours: 1, expire_after_minutes: 5 },
      /^expire_after_/,
    ],
  ];
  return [
    ...wrong.map(([name, values, error]) => ({ name, ...fields(values), status: 422, error })),
    { name: 'passphrase: 1,024 bytes', ...fields({ passphrase: 'x'.repeat(1_024) }), ...made },
    { name: 'name: 255 emoji', ...fields({ name: '😀'.repeat(255) }), ...made },
    {
      name: 'name: NUL and line breaks',
      ...fields({ name: 'a\0\r\nb' }),
      ...made,
      answer: { name: 'a\0\r\nb' },
    },
    { name: 'note: 2,000 emoji', ...fields({ note: '😀'.repeat(2_000) }), ...made, asOwner: true },
    {
      name: 'durations: one, and two that are blank',
      ...fields({ expire_after_days: '', expire_after_hours: 1, expire_after_minutes: null }),
      ...made,
    },
  ];
}

function roots(): Row[] {
  const good = { payload: canary };
  const without: [string, unknown][] = [
    ['nothing', {}],
    ['null', { password: null }],
    ['text', { password: canary }],
    ['empty text', { password: '' }],
    ['a number', { password: 5 }],
    ['true', { password: true }],
    ['a list', { password: [good] }],
    ['an empty list', { password: [] }],
    ['another name', { push: good }],
    ['capitals', { Password: good }],
    ['a name of a form', { 'password[payload]': canary }],
    ['its fields bare', good],
    ['the roots of other endpoints', { url: good, file: good, file_push: good }],
    ['a thing that every object has', { constructor: good, toString: good, valueOf: good }],
  ];
  const forms: [string, string][] = [
    ['nothing', ''],
    ['text', `password=${canary}`],
    ['a list', `password[]=${canary}`],
    ['another name', `push[payload]=${canary}`],
    ['a prototype', `__proto__[password][payload]=${canary}`],
    ['a constructor', `constructor[prototype][payload]=${canary}`],
    ['half a bracket', `password[payload=${canary}`],
    ['a bracket too many', `password[[payload]]=${canary}`],
    ['separators only', '&&&===&;;'],
  ];
  return [
    ...without.map(([name, value]) => ({
      name: `root: ${name}`,
      ...json(value),
      status: 400,
      error: missing,
    })),
    {
      name: 'root: a prototype',
      headers: asJson,
      body: `{"__proto__":{"password":{"payload":"${canary}"}}}`,
      status: 400,
      error: missing,
    },
    ...forms.map(([name, body]) => ({
      name: `root of a form: ${name}`,
      headers: asForm,
      body,
      status: 400,
      error: missing,
    })),
    { name: 'root of a form without Content-Type: nothing', status: 400, error: missing },
    {
      name: 'root of a multipart form: no part',
      headers: asMultipart,
      body: '--B--\r\n',
      status: 400,
      error: missing,
    },
    {
      name: 'root of a multipart form: another name',
      headers: asMultipart,
      body: multipart({ payload: canary }),
      status: 400,
      error: missing,
    },
    { name: 'root: an empty object', ...json({ password: {} }), status: 422, error: blank },
    {
      name: 'root: a prototype with a payload inside',
      headers: asJson,
      body: `{"password":{"__proto__":{"payload":"${canary}"}}}`,
      status: 422,
      error: blank,
    },
    {
      name: 'root: a prototype beside the payload',
      headers: asJson,
      body: `{"password":{"payload":"${canary}","__proto__":{"kind":"x","expire_after_days":99},"constructor":1}}`,
      ...made,
      answer: { kind: 'text', expire_after_days: 7 },
    },
    {
      name: 'root of a form: a prototype inside',
      headers: asForm,
      body: `password[__proto__][payload]=${canary}&password[constructor][prototype][payload]=x`,
      status: 422,
      error: blank,
    },
    {
      name: 'root of a form: a value and a parent at once',
      headers: asForm,
      body: `password[payload]=${canary}&password=${canary}`,
      status: 400,
    },
    ...notices(),
    {
      name: 'several mistakes: every field is named',
      ...fields({ expire_after_views: 0, retrieval_step: 'x', name: 5 }),
      status: 422,
      answer: {
        errors: {
          expire_after_views: ['must be between 1 and 100'],
          retrieval_step: ['must be true or false'],
          name: ['must be text'],
        },
      },
    },
  ];
}

const good = `{"password":{"payload":"${canary}"}}`;
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

/** Sequences that are not UTF-8, each of another kind. */
const notUtf8: [string, number[]][] = [
  ['a byte that UTF-8 never has', [0xff]],
  ['a lone continuation byte', [0x80]],
  ['a cut sequence', [0xe2, 0x82]],
  ['an overlong NUL', [0xc0, 0x80]],
  ['an overlong slash', [0xe0, 0x80, 0xaf]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ['Latin-1', [0xfc]],
];

function bodies(): Row[] {
  const broken: [string, string | Buffer][] = [
    ['nothing', ''],
    ['a blank', ' '],
    ['an opening brace', '{'],
    ['a closing brace', '}'],
    ['an object cut short', good.slice(0, -1)],
    ['text cut short', good.slice(0, -4)],
    ['something behind it', `${good} ${canary}`],
    ['two objects', good + good],
    ['single quotes', good.replaceAll('"', "'")],
    ['names without quotes', `{password:{payload:"${canary}"}}`],
    ['a comma too many', `{"password":{"payload":"${canary}",}}`],
    ['a comment', `/* */${good}`],
    ['NaN', `{"password":{"payload":"${canary}","x":NaN}}`],
    ['a leading nought', '{"password":{"payload":"x","expire_after_days":07}}'],
    ['a hexadecimal number', '{"password":{"payload":"x","expire_after_days":0x7}}'],
    ['a bare line break in text', `{"password":{"payload":"${canary}\n"}}`],
    ['a bare NUL', `{"password":{"payload":"${canary}"}}\0`],
    ['an unknown escape', `{"password":{"payload":"${canary}\\x41"}}`],
    ['an escape cut short', `{"password":{"payload":"${canary}\\u00"}}`],
    ['null', 'null'],
    ['a list', `[${good}]`],
    ['text', `"${canary}"`],
    ['a number', '5'],
    ['true', 'true'],
    ['a form', `password[payload]=${canary}`],
    ['UTF-16', Buffer.from(`\ufeff${good}`, 'utf16le')],
    ['two byte order marks', `\ufeff\ufeff${good}`],
    ['objects 33 deep', `{"a":${'{"a":'.repeat(32)}1${'}'.repeat(33)}`],
    ['lists 100,000 deep', '['.repeat(100_000)],
    ['closed lists 100,000 deep', `{"password":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['100,000 parentheses', '('.repeat(100_000)],
  ];
  return [
    ...broken.map(([name, body]) => ({ name: `JSON: ${name}`, headers: asJson, body, status: 400 })),
    ...notUtf8.map(([name, rubbish]) => ({
      name: `JSON: ${name}`,
      headers: asJson,
      body: bytes(`{"password":{"payload":"${canary}`, rubbish, '"}}'),
      status: 400,
    })),
    {
      name: 'JSON: objects 33 deep beside the payload',
      headers: asJson,
      body: `{"password":{"payload":"${canary}","a":${'{"a":'.repeat(31)}1${'}'.repeat(31)}}}`,
      status: 400,
    },
    {
      name: 'JSON: objects 32 deep beside the payload',
      headers: asJson,
      body: `{"password":{"payload":"${canary}","a":${'{"a":'.repeat(30)}1${'}'.repeat(30)}}}`,
      ...made,
    },
    { name: 'JSON: one byte order mark', headers: asJson, body: `\ufeff${good}`, ...made },
    {
      name: 'JSON: a name twice, of which the last counts',
      headers: asJson,
      body: `{"password":{"payload":"${canary}","expire_after_days":1,"expire_after_days":2}}`,
      ...made,
      answer: { expire_after_days: 2 },
    },
    ...notUtf8.map(([name, rubbish]) => ({
      name: `form: ${name}`,
      headers: asForm,
      body: bytes(`password[payload]=${canary}`, rubbish),
      status: 400,
    })),
    ...notUtf8.map(([name, rubbish]) => ({
      name: `form: ${name}, percent-encoded`,
      headers: asForm,
      body: `password[payload]=${canary}${rubbish.map((byte) => `%${byte.toString(16)}`).join('')}`,
      status: 400,
    })),
    {
      name: 'form: a name that is not UTF-8',
      headers: asForm,
      body: `password[payload%ff]=${canary}`,
      status: 400,
    },
    {
      name: 'form: names 33 deep',
      headers: asForm,
      body: `password${'[a]'.repeat(33)}=${canary}`,
      status: 400,
    },
    {
      name: 'form: 100,000 brackets',
      headers: asForm,
      body: `password${'['.repeat(100_000)}=${canary}`,
      status: 400,
    },
    {
      name: 'form: 100,000 pairs of brackets',
      headers: asForm,
      body: `password${'[a]'.repeat(100_000)}=${canary}`,
      status: 400,
    },
    { name: 'form: 100,000 values', headers: asForm, body: `a=${canary}&`.repeat(100_000), status: 400 },
    {
      name: 'form: a bare per cent sign stands for itself',
      headers: asForm,
      body: `password[payload]=${canary}%`,
      ...made,
    },
  ];
}

function multiparts(): Row[] {
  const payload = `Content-Disposition: form-data; name="password[payload]"`;
  const one = (head: string, content: string | number[] = canary) =>
    bytes(`--B\r\n${head}\r\n\r\n`, content, '\r\n--B--\r\n');
  const broken: [string, string | Buffer][] = [
    ['nothing', ''],
    ['only a preamble', canary],
    ['another boundary', one(payload).toString().replaceAll('--B', '--C')],
    ['no end', one(payload).subarray(0, -9)],
    ['an end inside the head', `--B\r\n${payload}`],
    ['a part without a head', `--B\r\n\r\n${canary}\r\n--B--\r\n`],
    ['a part without a name', one('Content-Disposition: form-data')],
    ['a part without a disposition', one('Content-Type: text/plain')],
    ['a part of another disposition', one('Content-Disposition: attachment; name="password[payload]"')],
    ['a name without an end', one('Content-Disposition: form-data; name="password[payload]')],
    ['two dispositions', one(`${payload}\r\n${payload}`)],
    ['two names', one(`${payload}; name="b"`)],
    ['a transfer encoding', one(`${payload}\r\nContent-Transfer-Encoding: base64`)],
    ['another charset', one(`${payload}\r\nContent-Type: text/plain; charset=iso-8859-1`)],
    ['a head of 20 KB', one(`${payload}\r\nX-A: ${'a'.repeat(20_000)}`)],
    ['61 parts', multipart(Object.fromEntries(Array.from({ length: 61 }, (_, i) => [`a${i}`, canary])))],
    [
      '10,000 parts',
      multipart(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`a${i}`, canary]))),
    ],
    ['a file without a name but with content', one(`${payload}; filename=""`)],
    ['names 33 deep', multipart({ [`password${'[a]'.repeat(33)}`]: canary })],
    ['a value and a parent at once', multipart({ password: canary, 'password[payload]': canary })],
    ...notUtf8.map(([name, rubbish]): [string, Buffer] => [name, one(payload, rubbish)]),
    [
      'a name that is not UTF-8',
      bytes('--B\r\nContent-Disposition: form-data; name="', [0xff], '"\r\n\r\nx\r\n--B--\r\n'),
    ],
  ];
  const boundaries: [string, string][] = [
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['a quoted empty boundary', 'multipart/form-data; boundary=""'],
    ['a boundary without an end', 'multipart/form-data; boundary="B'],
    ['a boundary of 5,000 letters', `multipart/form-data; boundary=${'B'.repeat(5_000)}`],
    ['two boundaries', 'multipart/form-data; boundary=B; boundary=C'],
  ];
  return [
    ...broken.map(([name, body]) => ({
      name: `multipart: ${name}`,
      headers: asMultipart,
      body,
      status: 400,
    })),
    ...boundaries.map(([name, type]) => ({
      name: `multipart: ${name}`,
      headers: { 'content-type': type },
      body: one(payload),
      status: 400,
    })),
  ];
}

function types(): Row[] {
  const unsupported: [string, Record<string, string>][] = [
    ...[
      'text/plain',
      'text/json',
      'text/html',
      'application/xml',
      'application/octet-stream',
      'application/x-ndjson',
      'application/jsonp',
      'application/json-seq',
      'multipart/mixed; boundary=B',
      'multipart/related; boundary=B',
      'json',
      '*/*',
      '/',
      ';',
      'application/',
      'application/json, text/plain',
      'application/json; charset=iso-8859-1',
      'application/json; charset=utf-16',
      'application/json; charset=CANARY',
      'application/x-www-form-urlencoded; charset=windows-1252',
      'ÿþ',
    ].map((type): [string, Record<string, string>] => [`Content-Type: ${type}`, { 'content-type': type }]),
    ...[
      'gzip',
      'br',
      'deflate',
      'compress',
      'zstd',
      'x-gzip',
      'identity, gzip',
      'GZIP',
      'CANARY',
      '*',
      ',',
    ].map((encoding): [string, Record<string, string>] => [
      `Content-Encoding: ${encoding}`,
      { ...asJson, 'content-encoding': encoding },
    ]),
  ];
  return [
    ...unsupported.map(([name, headers]) => ({ name, headers, body: good, status: 415 })),
    {
      name: 'Content-Type: a quote without an end',
      headers: { 'content-type': 'application/json; charset="utf-8' },
      body: good,
      status: 400,
    },
    {
      name: 'Content-Type: two charsets',
      headers: { 'content-type': 'application/json; charset=utf-8; charset=ascii' },
      body: good,
      status: 400,
    },
    { name: 'Content-Type: JSON without a Content-Type', body: good, status: 400, error: missing },
    {
      name: 'Content-Encoding: identity',
      headers: { ...asJson, 'content-encoding': 'identity' },
      body: good,
      ...made,
    },
  ];
}

function sizes(): Row[] {
  const limit = 6 * 1024 * 1024;
  const over: [string, Record<string, string>, () => string | Buffer][] = [
    ['JSON', asJson, () => `{"password":{"payload":"${canary.repeat(limit / 6)}"}}`],
    ['a form', asForm, () => `password[payload]=${canary.repeat(limit / 6)}`],
    ['parts', asMultipart, () => multipart({ 'password[payload]': canary.repeat(1 + limit / 6) })],
    ['a body without a Content-Type', {}, () => canary.repeat(1 + limit / 6)],
    ['JSON of blanks', asJson, () => good + ' '.repeat(limit)],
  ];
  return [
    ...over.map(([name, headers, body]) => ({ name: `too large: ${name}`, headers, body, status: 413 })),
    ...over.slice(0, 3).map(([name, headers, body]) => ({
      name: `too large: ${name}, of a length not told`,
      headers: { ...headers, 'transfer-encoding': 'chunked' },
      body,
      status: 413,
    })),
    {
      name: 'too large: a body of a terabyte, by its own account',
      headers: { ...asJson, 'content-length': '1099511627776', connection: 'close' },
      body: '{',
      status: 413,
    },
    {
      name: 'large: JSON of blanks up to the limit',
      headers: asJson,
      body: () => good + ' '.repeat(limit - good.length),
      ...made,
    },
  ];
}

function tokens(): Row[] {
  const malformed: [string, string][] = [
    ['one letter', 'x'],
    ['25 letters', '0'.repeat(25)],
    ['27 letters', '0'.repeat(27)],
    ['10,000 letters', '0'.repeat(10_000)],
    ['capitals', 'A'.repeat(26)],
    ['the letter i', `${'0'.repeat(25)}i`],
    ['the letter l', `${'0'.repeat(25)}l`],
    ['the letter o', `${'0'.repeat(25)}o`],
    ['the letter u', `${'0'.repeat(25)}u`],
    ['a line break behind it', `${unknownToken}%0a`],
    ['a header behind it', `${unknownToken}%0d%0aSet-Cookie:%20a=b`],
    ['NUL', '%00'],
    ['NUL behind it', `${unknownToken}%00`],
    ['a byte that is not UTF-8', '%ff'],
    ['an overlong slash', '%c0%af'],
    ['a per cent sign', '%'],
    ['no hexadecimal digits', '%zz'],
    ['a per cent sign behind it', `${unknownToken}%`],
    ['a per cent sign, encoded twice', '%2525'],
    ['letters of another script', encodeURIComponent('тест')],
    ['digits of full width', encodeURIComponent('０'.repeat(26))],
    ['an emoji', encodeURIComponent('😀')],
    ['a dot', '.'],
    ['two dots', '..'],
    ['a way up', '..%2f..%2fetc%2fpasswd'],
    ['a way up in backslashes', '..%5c..%5cwindows'],
    ['a slash', `%2f${unknownToken}`],
    ['a blank', '%20'],
    ['SQL', encodeURIComponent("' OR '1'='1")],
    ['a comment of SQL', encodeURIComponent('x"; DROP TABLE pushes; --')],
    ['a tag', encodeURIComponent(`<script>${canary}</script>`)],
    ['a tag as it is', `<b>"${canary}"`],
    ['a word of its own', canary],
    ['a prototype', '__proto__'],
    ['a constructor', 'constructor'],
    ['a semicolon', `${unknownToken};a=b`],
    ['an asterisk', '*'],
    ['a pattern', '(.*)'],
  ];
  const everywhere = ['%00', '%ff', '%zz', `${unknownToken}%0a`, unknownToken];
  const elsewhere: [string, string, boolean][] = [
    ['DELETE', '/p/TOKEN.json', true],
    ['HEAD', '/p/TOKEN.json', false],
    ['GET', '/p/TOKEN/preview.json', false],
    ['GET', '/p/TOKEN/audit.json', true],
    ['GET', '/f/TOKEN.json', false],
    ['DELETE', '/r/TOKEN.json', true],
  ];
  return [
    ...malformed.map(([name, token]) => ({
      name: `token: ${name}`,
      method: 'GET',
      path: `/p/${token}.json`,
      status: 404,
      error: 'not-found',
    })),
    ...elsewhere.flatMap(([method, path, asOwner]) =>
      everywhere.map((token) => ({
        name: `token: ${token} for ${method} ${path}`,
        method,
        path: path.replace('TOKEN', token),
        asOwner,
        status: 404,
        error: 'not-found',
      })),
    ),
  ];
}

function pages(): Row[] {
  const bad = [
    '201',
    '1.0',
    '1e1',
    'x',
    '+1',
    '0x1',
    '%00',
    '%ff',
    '%EF%BC%91',
    '1;2',
    '1%20',
    "1'--",
    '9'.repeat(9_000),
  ];
  return ['/p/active.json', '/p/OPEN/audit.json'].flatMap((path) =>
    bad.map((page) => ({
      name: `page: ${page.slice(0, 20)} of ${path}`,
      method: 'GET',
      path: `${path}?page=${page}`,
      asOwner: true,
      status: 400,
      error: 'Invalid page parameter',
    })),
  );
}

function methods(): Row[] {
  const strange = ['PROPFIND', 'TRACE', 'MKCOL', 'SEARCH', 'PATCH', 'PUT', 'LOCK', 'PURGE', 'M-SEARCH'];
  return [
    ...['/p.json', '/p/OPEN.json', '/p/OPEN/audit.json', '/api/v1/version'].flatMap((path) =>
      strange.map((method) => ({
        name: `method: ${method} ${path}`,
        method,
        path,
        asOwner: true,
        status: 405,
      })),
    ),
    ...['get', 'FOO', 'GETT', 'G\0T', 'É'].map((method) => ({
      name: `method: ${JSON.stringify(method)}, which is none`,
      raw: `${method} /p/active.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      status: 400,
    })),
    { name: 'method: HEAD where only POST is', method: 'HEAD', path: '/p.json', status: 405 },
  ];
}

function credentials(): Row[] {
  const wrong: [string, Record<string, string>][] = [
    ['a token that was never made', { authorization: `Bearer hp_${'a'.repeat(38)}` }],
    ['no token', { authorization: 'Bearer' }],
    ['two tokens', { authorization: `Bearer ${canary} ${canary}` }],
    ['a bare token', { authorization: canary }],
    ['another scheme', { authorization: 'Basic Q0FOQVJZOkNBTkFSWQ==' }],
    ['odd bytes', { authorization: 'Bearer \xff\xfe\x80' }],
    ['10,000 letters', { authorization: `Bearer ${'x'.repeat(10_000)}` }],
    ['SQL', { authorization: "Bearer '--" }],
    ['a token without an e-mail', { 'x-user-token': canary }],
    ['a pair of nonsense', { 'x-user-email': canary, 'x-user-token': canary }],
    ['a pair of odd bytes', { 'x-user-email': '\xff', 'x-user-token': '\xff' }],
  ];
  const requests: [string, string][] = [
    ['GET', '/p/OPEN.json'],
    ['POST', '/p.json'],
    ['GET', '/p/active.json'],
  ];
  return requests.flatMap(([method, path]) =>
    wrong.map(([name, headers]) => ({
      name: `credential: ${name}, for ${method} ${path}`,
      method,
      path,
      headers: { ...asJson, ...headers },
      body: good,
      status: 401,
    })),
  );
}

function queries(): Row[] {
  const guesses = [
    'passphrase=%ff',
    'passphrase=%',
    'passphrase=%00',
    `passphrase=${canary}`,
    `passphrase=${'x'.repeat(10_000)}`,
    'passphrase=open+sesame%00',
    'passphrase=open+sesame&passphrase=x',
    'passphrase=%ed%a0%80',
  ];
  const noGuesses = [
    '',
    '?',
    '&&&',
    '=',
    'passphrase',
    'passphrase=',
    'passphrase[]=open+sesame',
    'passphrase[$ne]=x',
    'Passphrase=open+sesame',
    '__proto__[passphrase]=open+sesame',
    'open+sesame',
    '%',
    '<script>',
  ];
  return [...guesses, ...noGuesses].map((query) => ({
    name: `query: ${query.slice(0, 40)}`,
    method: 'GET',
    path: `/p/LOCKED.json?${query}`,
    status: 401,
    error: 'That passphrase is incorrect.',
    writes: 1,
  }));
}

function heads(): Row[] {
  const get = (lines: string) =>
    Buffer.from(`GET /api/v1/version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n\r\n`, 'latin1');
  const post = (lines: string, body = '') =>
    `POST /p.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n\r\n${body}`;
  const broken: [string, string | Buffer, number][] = [
    ['a name with a blank', get('X Y: z'), 400],
    ['a line without a colon', get(canary), 400],
    ['a value with NUL', get('X-A: a\0b'), 400],
    ['a value with a bare line feed', get('X-A: a\nb'), 400],
    ['a value with a bell', get('X-A: a\x07b'), 400],
    ['an empty name', get(': x'), 400],
    ['17 KB in one line', get(`X-A: ${'a'.repeat(17_000)}`), 431],
    ['17 KB in many lines', get(`X-A: ${'a'.repeat(97)}\r\n`.repeat(170).trim()), 431],
    [
      '17 KB of path',
      `GET /p/${'a'.repeat(17_000)}.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      431,
    ],
    ['two lengths', post('Content-Length: 1\r\nContent-Length: 2', 'ab'), 400],
    ['a negative length', post('Content-Length: -1'), 400],
    ['a length in letters', post(`Content-Length: ${canary}`), 400],
    ['a length and chunks', post('Content-Length: 3\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), 400],
    ['an unknown transfer', post('Transfer-Encoding: gzip'), 400],
    ['chunks of no size', post('Transfer-Encoding: chunked', `${canary}\r\n`), 400],
    ['a path of raw UTF-8', `GET /p/ü.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 400],
    ['a path with a blank', 'GET /p/a b.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['no path', 'GET HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['another protocol', `${canary}\r\n\r\n`, 400],
    ['a TLS greeting', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0, 13, 10, 13, 10]), 400],
  ];
  const harmless: [string, Record<string, string>][] = [
    ['a User-Agent of odd bytes', { 'user-agent': `\xff\xfe\x80 ${canary}` }],
    ['a User-Agent of 10,000 letters', { 'user-agent': 'x'.repeat(10_000) }],
    ['a Referer that is no address', { referer: `javascript:${canary}` }],
    ['addresses of nonsense', { 'x-forwarded-for': `${canary}, 999.999.999.999, ::::`, forwarded: 'for=_x' }],
    ['another host', { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'gopher' }],
    ['a Host of nonsense', { host: '<script>' }],
    ['cookies of nonsense', { cookie: `${'a=b; '.repeat(500)};;;=` }],
    [
      'an Accept of nonsense',
      { accept: `;;q=${canary}`, 'accept-language': '\xff', 'accept-encoding': '*;q=x' },
    ],
    ['conditions of nonsense', { 'if-none-match': '*', 'if-modified-since': canary, range: 'bytes=0-0' }],
    ['another method in a header', { 'x-http-method-override': 'DELETE' }],
  ];
  return [
    ...broken.map(([name, raw, status]) => ({ name: `head: ${name}`, raw, status })),
    ...harmless.map(([name, headers]) => ({
      name: `head: ${name}`,
      method: 'GET',
      path: '/p/OPEN/preview.json',
      headers,
      status: 200,
    })),
  ];
}

const table: Row[] = [
  ...numbers('expire_after_days', 1, 90, 7),
  ...numbers('expire_after_views', 1, 100, 5),
  ...numbers('expire_after_hours', 1, 2_160, undefined).map(withoutEcho),
  ...numbers('expire_after_minutes', 5, 129_600, undefined).map(withoutEcho),
  ...truths('deletable_by_viewer'),
  ...truths('retrieval_step'),
  ...payloads(),
  ...labels(),
  ...roots(),
  ...bodies(),
  ...multiparts(),
  ...types(),
  ...sizes(),
  ...tokens(),
  ...pages(),
  ...methods(),
  ...credentials(),
  ...queries(),
  ...heads(),
];

/** Answers tell days only. */
function withoutEcho(row: Row): Row {
  const { answer: _, ...rest } = row;
  return rest;
}

describe('good and bad input', () => {
  before(async () => {
    service = await startService();
    api = createClient(service.port);
    const { token } = await createAccount(service.domain, 'owner@example.com');
    account = bearer(token);
    const options = { payload: canary, deletable_by_viewer: false, expire_after_views: 100 };
    open = await api.create(options, account);
    locked = await api.create({ ...options, passphrase: 'open sesame' }, account);
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  describe('the API, to every kind of input', () => {
    let stockBefore: Awaited<ReturnType<typeof stock>> | undefined;

    for (const row of table) {
      it(`answers ${row.status} to ${row.name}`, async () => {
        const { pushes, views, ended, written } = stockBefore ?? (await stock());
        stockBefore = undefined;
        const loggedBefore = service.logged().length;

        const answer = await send(row);
        expect(answer.status, answer.text.slice(0, 300)).to.equal(row.status);
        if (row.status >= 400) expectRefusal(row, answer);
        if (row.answer !== undefined) expect(answer.body).to.deep.include(row.answer);
        expect(answer.text).to.not.include(canary);
        expect(JSON.stringify(answer.headers)).to.not.include(canary);
        expect(service.logged().slice(loggedBefore)).to.not.include(canary);

        const [after, good] = await Promise.all([stock(), api.get(`/p/${open.token}/preview.json`)]);
        expect(after).to.deep.equal({
          pushes: pushes + (row.makes ?? 0),
          views,
          ended,
          written: written + (row.writes ?? 0),
        });
        expect(good).to.nested.include({ status: 200, 'body.url': open.push.html_url });
        stockBefore = after;
      });
    }

    it('names a bad payload and clashing durations beside other mistakes', async () => {
      const durations = { expire_after_days: 1, expire_after_hours: 1 };
      const password = { payload: '', ...durations, expire_after_views: 0, retrieval_step: 'maybe' };
      const { body } = await api.post('/p.json', { password });
      expect(Object.keys(Object(body.errors))).to.have.members([
        'payload',
        'expire_after_hours',
        'expire_after_views',
        'retrieval_step',
      ]);
    });

    it('tells every rule of a field to those who break it, under the names that they used', async () => {
      const { body } = await api.post('/p.json', {
        password: {
          payload: 'x',
          expire_after_days: 91,
          expire_after_hours: 0,
          deletable_by_viewer: 'maybe',
        },
      });
      expect(body.errors).to.have.all.keys('expire_after_days', 'expire_after_hours', 'deletable_by_viewer');
      expect(body.error).to.equal('expire_after_days must be between 1 and 90');
    });

    it('writes no url token to its log', async () => {
      const { token, json: path } = await api.create();
      await api.get(path);
      await api.get(`/p/${token}`);
      await api.get(`/p/${token}/nowhere`);
      await api.send('DELETE', path);
      await api.send('PUT', path);
      expect(service.logged()).to.not.include(token);
    });
  });

  describe('a payload', () => {
    const payloads: [string, string][] = [
      ['one letter', 'x'],
      ['one emoji', '😀'],
      ['NUL', 'a\0b\0'],
      ['line breaks of all kinds', '\r\na\rb\nc\r\n\r\n'],
      ['white space at both ends', ' \t tulip \u00a0\n'],
      ['a byte order mark', '\ufefftulip\ufeff'],
      ['percent encodings', '%41%zz%%25%00%'],
      ['what forms are made of', 'a+b c&d=e;f[g]=h#i?j'],
      ['quotes and backslashes', `"'\`\\"\\n\\u0041\\`],
      ['separators of lines and paragraphs', '\u2028a\u2029\u0085'],
      ['combining characters in either form', 'e\u0301 \u00e9 n\u0303 ﬁ 각'],
      ['emoji of several code points', '👩‍👩‍👧‍👦🏳️‍🌈🇩🇪'],
      ['the first and last of every plane', '\u0001\u007f\u0080\ud7ff\ue000\uffff\u{10000}\u{10ffff}'],
      ['controls and directions', '\x1b[31m\u202eabc\u200b\u00ad'],
      ['tags', '<script>alert(1)</script>&amp;<!--'],
      ['a boundary', '\r\n--B\r\nContent-Disposition: form-data; name="x"\r\n\r\n--B-'],
      ['JSON', '{"password":{"payload":"x"}}'],
      ['a value for SQL', `'; DROP TABLE pushes; -- $1 :a ? \${b} {{c}}`],
      ['1,048,576 letters', 'x'.repeat(payloadMax)],
      ['1,048,576 emoji', '😀'.repeat(payloadMax)],
      ['1,048,576 quotes', '"'.repeat(payloadMax)],
    ];
    const forms: [string, Record<string, string>, (payload: string) => string | Buffer][] = [
      ['JSON', asJson, (payload) => JSON.stringify({ password: { payload } })],
      ['a form', asForm, formOf],
      ['parts', { 'content-type': 'multipart/form-data; boundary=boundary' }, partsOf],
    ];

    /** Percent-encoded as clients do, but where that would make it larger than a body may be. */
    function formOf(payload: string): string {
      const encoded = encodeURIComponent(payload).replaceAll('%20', '+');
      return `password[payload]=${encoded.length > 6_000_000 ? payload : encoded}`;
    }

    function partsOf(payload: string): string {
      return `--boundary\r\nContent-Disposition: form-data; name="password[payload]"\r\n\r\n${payload}\r\n--boundary--\r\n`;
    }

    for (const [form, headers, encode] of forms) {
      for (const [name, payload] of payloads) {
        it(`comes out as it went in by ${form}: ${name}`, async () => {
          const created = await api.send('POST', '/p.json', { headers, body: encode(payload) });
          expect(created.status, created.text).to.equal(201);
          const { body } = await api.get(`/p/${created.body.url_token}.json`);
          expect(Buffer.from(String(body.payload)).equals(Buffer.from(payload))).to.equal(true);
        });
      }
    }

    it('comes out as it went in, whatever it is', async () => {
      const text = fc
        .string({ unit: 'binary', minLength: 1, maxLength: 200 })
        .filter((made) => /\S/.test(made));
      await fc.assert(
        fc.asyncProperty(text, fc.constantFrom(...forms), async (payload, [, headers, encode]) => {
          const created = await api.send('POST', '/p.json', { headers, body: encode(payload) });
          const { body } = await api.get(`/p/${created.body.url_token}.json`);
          expect(body.payload).to.equal(payload);
        }),
        { numRuns: 60 },
      );
    });
  });

  describe('the service, to requests of random making', () => {
    const token = () =>
      fc.constantFrom(open.token, locked.token, unknownToken, 'active', '%', '..', '%00', '');
    const latin1 = fc
      .array(fc.constantFrom(...'aB0 ;=,"%/\\[]{}:<\t\x80\xff'), { maxLength: 30 })
      .map((characters) => characters.join('').trim());

    it('answers each, never with a failure of its own', async () => {
      const path = fc
        .tuple(
          fc.constantFrom('/p', '/f', '/r', '/P', '/api/v1', '/', '/assets', '/docs', '/readyz'),
          fc.array(fc.oneof(token(), latin1.map(encodeURIComponent)), { maxLength: 3 }),
          fc.constantFrom('', '.json', '/', '/audit.json', '/preview.json'),
          fc.constantFrom('', '?', '?page=0', '?page=-', '?passphrase=%', '?passphrase=a&passphrase[]=b'),
        )
        .map(([first, rest, suffix, query]) => [first, ...rest].join('/') + suffix + query);
      const headers = fc.dictionary(
        fc.constantFrom(
          'authorization',
          'x-user-email',
          'x-user-token',
          'content-encoding',
          'cookie',
          'user-agent',
          'referer',
          'origin',
          'sec-fetch-site',
          'sec-purpose',
          'x-forwarded-for',
          'accept',
          'host',
          'range',
        ),
        latin1,
        { maxKeys: 4 },
      );
      const types = fc.constantFrom<Record<string, string>>(asJson, asForm, asMultipart, {});
      const values = fc.record(
        {
          payload: fc.anything(),
          kind: fc.anything(),
          expire_after_days: fc.anything(),
          name: fc.anything(),
        },
        { requiredKeys: [] },
      );
      const body = fc.oneof(
        fc.constant(undefined),
        values.map((password) => jsonOf({ password })),
        fc.anything().map(jsonOf),
        fc.string({ unit: 'binary' }),
        fc.uint8Array({ maxLength: 100 }).map((made) => Buffer.from(made)),
        latin1.map((made) => `password[payload]=${made}&password[${made}]=x`),
        latin1.map((made) => multipart({ [`password[${made.replaceAll('"', '')}]`]: made })),
      );
      const method = fc.constantFrom('GET', 'POST', 'POST', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'PATCH');
      await fc.assert(
        fc.asyncProperty(method, path, headers, types, body, async (method, path, headers, type, body) => {
          const answer = await api.send(method, path, { headers: { ...type, ...headers }, body });
          expect(answer.status).to.be.within(200, 499);
          const isPage = /^\/(?:p\/[^/?]*)?(?:\?|$)/.test(path);
          if (answer.status >= 400 && method !== 'HEAD' && !isPage) {
            expect(answer.body.error, answer.text).to.be.a('string');
          }
        }),
        { numRuns: 500 },
      );
      expect((await api.get(`/p/${open.token}/preview.json`)).status).to.equal(200);
    });

    it('survives bytes that are hardly HTTP', async () => {
      const words = fc.constantFrom(
        'GET ',
        'POST ',
        '/p.json',
        '/p/active.json',
        ' HTTP/1.1',
        '\r\n',
        '\r\n',
        'Host: x\r\n',
        '\r\n\r\n',
        'Content-Length: 5\r\n',
        'Content-Type: application/json\r\n',
        'Transfer-Encoding: chunked\r\n',
        'Expect: 100-continue\r\n',
        'Upgrade: x\r\nConnection: upgrade\r\n',
        '{"password":',
        '0\r\n\r\n',
        '\0',
        '\xff',
        ': ',
      );
      await fc.assert(
        fc.asyncProperty(fc.array(words, { maxLength: 20 }), async (pieces) => {
          const answer = await sendRaw(service.port, Buffer.from(`${pieces.join('')}\r\n\r\n`, 'latin1'), {
            closesAfterSending: true,
          });
          expect(answer.status).to.be.below(500);
        }),
        { numRuns: 150 },
      );
      expect((await api.get(`/p/${open.token}/preview.json`)).status).to.equal(200);
    });

    /** JSON of whatever has one. */
    function jsonOf(value: unknown): string {
      try {
        return JSON.stringify(value) ?? 'undefined';
      } catch {
        return 'circular';
      }
    }
  });
});
