import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { getDefaultHighWaterMark } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Body, BodyError, type BodyOptions, readBody } from '../../src/http/body/body.ts';

type Outcome = { body: Body } | { error: unknown };
type Sent = { status: number | undefined; outcome: Outcome };

const canary = 'CANARY';
const statusOf = { malformed: 400, too_large: 413, unsupported_media_type: 415, timeout: 408, aborted: 400 };

let server: Server;
let options: BodyOptions = {};
let outcomes: Outcome[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function statusFor(error: unknown): number {
  return error instanceof BodyError ? statusOf[error.code] : 500;
}

function port(): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Sends each piece as one chunk of the transfer, so that the parsers see exactly these borders. */
async function post(headers: OutgoingHttpHeaders, ...pieces: (Buffer | string)[]): Promise<Sent> {
  outcomes = [];
  const req = request({ port: port(), host: '127.0.0.1', method: 'POST', headers, agent });
  const answered = once(req, 'response');
  for (const piece of pieces) if (piece.length > 0) req.write(piece);
  req.end();
  const [res]: IncomingMessage[] = await answered;
  if (res) await readText(res);
  const [outcome = { error: new Error('no outcome') }] = outcomes;
  return { status: res?.statusCode, outcome };
}

async function values(headers: OutgoingHttpHeaders, ...pieces: (Buffer | string)[]): Promise<unknown> {
  return (await body(headers, ...pieces)).values;
}

async function body(headers: OutgoingHttpHeaders, ...pieces: (Buffer | string)[]): Promise<Body> {
  const { outcome } = await post(headers, ...pieces);
  if ('error' in outcome) throw outcome.error;
  return outcome.body;
}

async function refusal(headers: OutgoingHttpHeaders, ...pieces: (Buffer | string)[]): Promise<BodyError> {
  const { outcome } = await post(headers, ...pieces);
  if ('body' in outcome) throw new Error(`accepted: ${JSON.stringify(outcome.body)}`);
  return requireBodyError(outcome.error);
}

function requireBodyError(error: unknown): BodyError {
  if (!(error instanceof BodyError)) throw error;
  expect(error.message)
    .to.match(/^[A-Z][ -~]*\.$/)
    .and.not.include(canary);
  return error;
}

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const multipart = { 'content-type': 'multipart/form-data; boundary=B' };

/** A multipart body of parts that are written as `header block, content`. */
function parts(...list: [string, Buffer | string][]): Buffer {
  const pieces = list.flatMap(([head, content]) => [`--B\r\n${head}\r\n\r\n`, content, '\r\n']);
  return Buffer.concat([...pieces, '--B--\r\n'].map((piece) => Buffer.from(piece)));
}

function named(name: string, content: Buffer | string): [string, Buffer | string] {
  const quoted = name.replaceAll(/["\\]/g, '\\$&');
  return [`Content-Disposition: form-data; name="${quoted}"`, content];
}

/** Objects without their prototypes' fingerprints, for comparing. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('a request body', () => {
  before(async () => {
    server = createServer(async (req, res) => {
      const outcome = await readBody(req, { timeoutMs: 2_000, ...options }).then(
        (body) => ({ body }),
        (error: unknown) => ({ error }),
      );
      outcomes.push(outcome);
      res.statusCode = 'body' in outcome ? 200 : statusFor(outcome.error);
      res.end('answer');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  beforeEach(() => {
    options = {};
    outcomes = [];
  });

  after(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  describe('by its headers', () => {
    const jsonBody = '{"password":{"payload":"tulip"}}';
    const formBody = 'password[payload]=tulip';
    const multipartBody = parts(named('password[payload]', 'tulip'));
    const accepted: [string, OutgoingHttpHeaders, string | Buffer][] = [
      ['JSON', json, jsonBody],
      ['JSON with a charset', { 'content-type': 'application/json; charset=utf-8' }, jsonBody],
      [
        'JSON in odd letters and spacing',
        { 'content-type': ' Application/JSON ;Charset = "UTF-8" ; x' },
        jsonBody,
      ],
      ['JSON as US-ASCII', { 'content-type': 'application/json;charset=us-ascii' }, jsonBody],
      ['JSON under another name', { 'content-type': 'application/vnd.api+json' }, jsonBody],
      [
        'JSON with one charset twice',
        { 'content-type': 'application/json; charset=utf-8; charset=utf-8' },
        jsonBody,
      ],
      ['a form', form, formBody],
      [
        'a form with a charset',
        { 'content-type': 'application/x-www-form-urlencoded;charset=UTF8' },
        formBody,
      ],
      ['a form without a Content-Type', {}, formBody],
      ['a form with a blank Content-Type', { 'content-type': ' ' }, formBody],
      ['an identity encoding', { ...json, 'content-encoding': 'Identity' }, jsonBody],
      ['multipart', multipart, multipartBody],
      [
        'multipart, boundary quoted',
        { 'content-type': 'Multipart/Form-Data; charset=utf-8; boundary="B"' },
        multipartBody,
      ],
    ];
    for (const [name, headers, content] of accepted) {
      it(`takes ${name}`, async () => {
        expect(plain(await values(headers, content))).to.deep.equal({ password: { payload: 'tulip' } });
      });
    }

    const refused: [string, OutgoingHttpHeaders][] = [
      ['text/plain', { 'content-type': 'text/plain' }],
      ['text/json', { 'content-type': 'text/json' }],
      ['application/jsonp', { 'content-type': 'application/jsonp' }],
      ['multipart/mixed', { 'content-type': 'multipart/mixed; boundary=B' }],
      ['Latin-1 JSON', { 'content-type': 'application/json; charset=iso-8859-1' }],
      ['a UTF-16 form', { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' }],
      ['a nameless charset', { 'content-type': 'application/json; charset=' }],
      ['gzip', { ...json, 'content-encoding': 'gzip' }],
      ['two encodings', { ...json, 'content-encoding': 'identity, br' }],
    ];
    for (const [name, headers] of refused) {
      it(`refuses ${name}`, async () => {
        const { status, outcome } = await post(headers, '{}');
        expect(outcome).to.have.nested.property('error.code', 'unsupported_media_type');
        expect(status).to.equal(415);
      });
    }

    it('finds nothing in an empty body without a Content-Type', async () => {
      expect(plain(await body({}))).to.deep.equal({ values: {}, files: [] });
    });

    it('reads on POST only', async () => {
      const req = request({
        port: port(),
        method: 'DELETE',
        headers: { ...json, 'content-length': 4 },
        agent,
      }).end('null');
      const [res]: IncomingMessage[] = await once(req, 'response');
      res?.resume();
      expect(outcomes).to.deep.equal([{ body: { values: {}, files: [] } }]);
    });
  });

  describe('that is malformed', () => {
    const head = 'Content-Disposition: form-data; name="a"';
    const latin1 = Buffer.from([0x74, 0xfc, 0x72]);
    const cases: [string, OutgoingHttpHeaders, string | Buffer][] = [
      ['empty JSON', json, ''],
      ['cut JSON', json, `{"a":"${canary}`],
      ['JSON with a tail', json, `{}${canary}`],
      ['JSON null', json, 'null'],
      ['a JSON array', json, `["${canary}"]`],
      ['a JSON string', json, `"${canary}"`],
      ['a JSON number', json, '1'],
      ['Latin-1 in JSON', json, Buffer.concat([Buffer.from(`{"${canary}":"`), latin1, Buffer.from('"}')])],
      ['a cut character in JSON', json, Buffer.from('{"a":"é"}').subarray(0, 7)],
      ['an encoded surrogate in JSON', json, Buffer.from('7b2261223a22eda08022 7d'.replace(' ', ''), 'hex')],
      ['an overlong character in JSON', json, Buffer.from('7b2261223a22c08022 7d'.replace(' ', ''), 'hex')],
      ['UTF-16 JSON', json, Buffer.from('\ufeff{}', 'utf16le')],
      ['JSON of 33 levels', json, `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
      ['100 KB of [', json, '['.repeat(100_000)],
      ['6 MB of nested arrays', json, `{"a":${'['.repeat(3_000_000)}${']'.repeat(3_000_000)}}`],
      ['Latin-1 in a form', form, latin1],
      ['Latin-1 percent-encoded in a value', form, `a=${canary}%FC`],
      ['Latin-1 percent-encoded in a name', form, `%FC${canary}=1`],
      ['half a character at the end of a value', form, 'a=%C3&b=%A9'],
      ['1,001 values', form, 'a=1&'.repeat(1001)],
      ['a name of 33 levels', form, `a${'[b]'.repeat(32)}=1`],
      ['a list of 33 levels', form, `a${'[b]'.repeat(31)}[]=1`],
      ['a name of 2 million levels', form, `a${'[b]'.repeat(2_000_000)}=1`],
      ['a value, then its child', form, 'a=1&a[b]=2'],
      ['a child, then its parent', form, 'a[b]=2&a=1'],
      ['a value, then a list', form, 'a=1&a[]=2'],
      ['a list, then a value', form, 'a[]=2&a=1'],
      ['a list, then a tree', form, 'a[]=2&a[b]=1'],
      ['a tree, then a list', form, 'a[b]=2&a[]=1'],
      ['no boundary', { 'content-type': 'multipart/form-data' }, parts(named('a', '1'))],
      ['an empty boundary', { 'content-type': 'multipart/form-data; boundary=""' }, parts(named('a', '1'))],
      ['an endless boundary', { 'content-type': `multipart/form-data; boundary=${'b'.repeat(300)}` }, ''],
      [
        'two boundaries',
        { 'content-type': 'multipart/form-data; boundary=A; boundary=B' },
        parts(named('a', '1')),
      ],
      ['an unclosed quote', { 'content-type': 'multipart/form-data; boundary="B' }, parts(named('a', '1'))],
      ['another boundary', { 'content-type': 'multipart/form-data; boundary=C' }, parts(named('a', canary))],
      ['empty multipart', multipart, ''],
      ['multipart that is only garbage', multipart, canary],
      ['multipart cut in a value', multipart, `--B\r\n${head}\r\n\r\n${canary}`],
      ['multipart cut in a file', multipart, `--B\r\n${head}; filename="f"\r\n\r\n${canary}`],
      ['multipart cut in headers', multipart, '--B\r\nContent-Dispo'],
      ['multipart cut after a part', multipart, `--B\r\n${head}\r\n\r\n1\r\n--B\r\n`],
      ['multipart cut in its last boundary', multipart, `--B\r\n${head}\r\n\r\n1\r\n--B-`],
      ['a part without headers', multipart, '--B\r\n\r\n1\r\n--B--'],
      ['a part without an end of headers', multipart, `--B\r\n${head}\r\n--B--`],
      ['a part without a Content-Disposition', multipart, parts(['Content-Type: text/plain', '1'])],
      ['a nameless part', multipart, parts(['Content-Disposition: form-data', '1'])],
      ['a nameless file', multipart, parts(['Content-Disposition: form-data; filename="f"', '1'])],
      ['an attachment', multipart, parts(['Content-Disposition: attachment; name="a"', '1'])],
      ['a part with two names', multipart, parts([`${head}; name="b"`, '1'])],
      ['a part with two dispositions', multipart, parts([`${head}\r\n${head}`, '1'])],
      ['a name that is never closed', multipart, parts(['Content-Disposition: form-data; name="a', '1'])],
      [
        'a bare line break in a header',
        multipart,
        parts(['Content-Disposition: form-data; name="a\nb"', '1']),
      ],
      [
        'a part in Latin-1',
        multipart,
        parts([`${head}\r\nContent-Type: text/plain; charset=iso-8859-1`, '1']),
      ],
      ['a part in base64', multipart, parts([`${head}\r\nContent-Transfer-Encoding: base64`, 'MQ=='])],
      ['a file with bytes but no name', multipart, parts([`${head}; filename=""`, canary])],
      ['Latin-1 in a part', multipart, parts(named('a', latin1))],
      ['a Latin-1 file name by RFC 5987', multipart, parts([`${head}; filename*=iso-8859-1''t%FCr`, '1'])],
      ['a file name by half of RFC 5987', multipart, parts([`${head}; filename*=t%FCr`, '1'])],
      ['invalid UTF-8 by RFC 5987', multipart, parts([`${head}; filename*=UTF-8''t%FCr`, '1'])],
      ['headers of 16 KiB', multipart, parts([`${head}\r\nX-Long: ${'x'.repeat(16_400)}`, '1'])],
      ['a name of 16 KiB', multipart, parts(named('n'.repeat(16_400), '1'))],
      ['61 parts', multipart, parts(...Array.from({ length: 61 }, () => named('a', '1')))],
      ['a value and its child in parts', multipart, parts(named('a', '1'), named('a[b]', '1'))],
    ];
    for (const [name, headers, content] of cases) {
      it(`is refused: ${name}`, async () => {
        expect(await refusal(headers, content)).to.have.property('code', 'malformed');
        expect(plain(await values(json, '{"next":"served"}'))).to.deep.equal({ next: 'served' });
      });
    }

    it('is refused: Latin-1 in the name of a part', async () => {
      const raw = Buffer.from(parts(named('t\u00fcr', '1')).toString(), 'latin1');
      expect(await refusal(multipart, raw)).to.include({
        code: 'malformed',
        message: 'A name in the form is not valid UTF-8.',
      });
    });

    it('is told apart by the message', async () => {
      expect(await refusal(json, '{')).to.have.property('message', 'The body is not valid JSON.');
      expect(await refusal(json, latin1)).to.have.property('message', 'The body is not valid UTF-8.');
      expect(await refusal(json, '[')).to.have.property('message', 'The body is not valid JSON.');
      expect(await refusal(json, '['.repeat(33))).to.have.property('message', 'The JSON nests too deeply.');
    });
  });

  describe('in JSON', () => {
    const cases: [string, string, unknown][] = [
      ['a byte order mark before it', '\ufeff{"a":1}', { a: 1 }],
      ['a byte order mark in a value', '{"a":"\ufeffx"}', { a: '\ufeffx' }],
      ['a lone surrogate', '{"a":"\\ud800"}', { a: '\ud800' }],
      ['NUL, CRLF and an emoji', '{"a":"\\u0000\\r\\n😀"}', { a: '\0\r\n😀' }],
      [
        'brackets in strings',
        `{"a":"${'[{'.repeat(50)}","b":"\\"${'['.repeat(50)}\\\\"}`,
        { a: '[{'.repeat(50), b: `"${'['.repeat(50)}\\` },
      ],
      ['wide nesting', `{"a":[${'[],'.repeat(50)}[]]}`, { a: Array.from({ length: 51 }, () => []) }],
    ];
    for (const [name, content, expected] of cases) {
      it(`may have ${name}`, async () => {
        expect(await values(json, content)).to.deep.equal(expected);
      });
    }

    it('may have 32 levels', async () => {
      expect(await values(json, `${'{"a":'.repeat(31)}[]${'}'.repeat(31)}`)).to.have.property('a');
    });

    it('comes through whatever the borders of its chunks', async () => {
      const bytes = Buffer.from('{"a":"😀ü"}');
      const pieces = Array.from(bytes, (byte) => Buffer.of(byte));
      expect(await values(json, ...pieces)).to.deep.equal({ a: '😀ü' });
    });
  });

  describe('in names and values', () => {
    const cases: [string, string, unknown][] = [
      ['nests', 'a[b]=1&a[c][d]=2', { a: { b: '1', c: { d: '2' } } }],
      ['makes lists', 'a[b][]=1&a[b][]=2&c[]=', { a: { b: ['1', '2'] }, c: [''] }],
      ['lets the last of equal names win', 'a[b]=0&a[b]=1', { a: { b: '1' } }],
      ['reads encoded brackets', 'a%5Bb%5D%5b%5d=1', { a: { b: ['1'] } }],
      [
        'takes other brackets as they stand',
        '[a]=1&a[=2&a[b=3&a[b]c=4&a[][b]=5&a]=6&a[[b]]=7',
        { '[a]': '1', 'a[': '2', 'a[b': '3', 'a[b]c': '4', 'a[][b]': '5', 'a]': '6', 'a[[b]]': '7' },
      ],
      ['decodes', 'a=%26%3D%2B%2541+%20%00%0D%0A%F0%9F%98%80', { a: '&=+%41  \0\r\n😀' }],
      [
        'leaves what is not percent-encoding',
        'a=100%&b=%4&c=%zz%&d=%%34%31',
        { a: '100%', b: '%4', c: '%zz%', d: '%41' },
      ],
      ['takes raw UTF-8', 'ü=😀', { ü: '😀' }],
      ['keeps a byte order mark', '\ufeffa=\ufeff', { '\ufeffa': '\ufeff' }],
      ['allows missing pieces', '&&a&b=&=c&d=e=f&', { a: '', b: '', '': 'c', d: 'e=f' }],
      ['takes 1,000 values', 'a[]=1&'.repeat(1000), { a: Array.from({ length: 1000 }, () => '1') }],
    ];
    for (const [name, content, expected] of cases) {
      it(name, async () => {
        expect(plain(await values(form, content))).to.deep.equal(expected);
      });
    }

    it('takes 32 levels', async () => {
      expect(await values(form, `a${'[b]'.repeat(31)}=1`)).to.have.property('a');
      expect(await values(form, `a${'[b]'.repeat(30)}[]=1`)).to.have.property('a');
    });
  });

  describe('with keys of Object.prototype', () => {
    const keys = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf'];
    const pollution = keys.flatMap((key) => [
      [`${key}`, 'x'],
      [`a${key}[polluted]`, 'x'],
      [`root[${key}][polluted]`, 'x'],
      [`list[${key}][]`, 'x'],
    ]);
    const trees = keys.flatMap((key) => [
      [`${key}[prototype][polluted]`, 'x'],
      [`${key}[__proto__][polluted]`, 'x'],
    ]);
    const clean = Reflect.ownKeys(Object.prototype);

    for (const pairs of [pollution, trees]) {
      it('takes them in forms as keys like any other', async () => {
        const encoded = pairs
          .map((pair) => pair.map((part) => encodeURIComponent(part ?? '')).join('='))
          .join('&');
        const fromForm = await values(form, encoded);
        const fromParts = await values(
          multipart,
          parts(...pairs.map(([name = '', value = '']) => named(name, value))),
        );
        expect(plain(fromForm)).to.deep.equal(plain(fromParts));
        expect(fromForm).to.have.all.keys(...new Set(pairs.map(([name = '']) => name.replace(/\[.*/, ''))));
      });
    }

    it('takes them in JSON', async () => {
      const content = `{${keys.map((key) => `"${key}":{"${key}":{"polluted":1}}`).join()}}`;
      expect(Object.keys(Object(await values(json, content)))).to.have.members(keys);
    });

    it('takes __proto__ as the header of a part', async () => {
      const head = 'Content-Disposition: form-data; name="a"\r\n__proto__: polluted\r\nconstructor: x';
      expect(plain(await values(multipart, parts([head, '1'])))).to.deep.equal({ a: '1' });
    });

    afterEach(() => {
      expect({}).not.to.have.property('polluted');
      expect(Reflect.ownKeys(Object.prototype)).to.deep.equal(clean);
    });
  });

  describe('in parts', () => {
    const head = 'Content-Disposition: form-data; name="f"';
    const files: [string, string | Buffer, unknown][] = [
      [
        'a file',
        `${head}; filename="a.txt"\r\nContent-Type: Text/Plain; charset=latin1`,
        { filename: 'a.txt', contentType: 'text/plain' },
      ],
      [
        'a file without a Content-Type',
        `${head}; filename="a"`,
        { filename: 'a', contentType: 'application/octet-stream' },
      ],
      [
        'a file with nonsense as Content-Type',
        `${head}; filename="a"\r\nContent-Type: <b>`,
        { contentType: 'application/octet-stream' },
      ],
      ['raw UTF-8 in its name', `${head}; filename="Tür 😀.txt"`, { filename: 'Tür 😀.txt' }],
      ['RFC 5987', `${head}; filename*=utf-8'de'T%C3%BCr%20%F0%9F%98%80.txt`, { filename: 'Tür 😀.txt' }],
      [
        'RFC 5987 beside a plain name',
        `${head}; filename="T_r"; filename*=UTF-8''T%C3%BCr`,
        { filename: 'Tür' },
      ],
      [
        'an unquoted name (.NET)',
        'content-disposition:form-data;name=f;filename=a.txt',
        { filename: 'a.txt' },
      ],
      ['escaped quotes (curl)', `${head}; filename="a\\"\\\\; b\\c"`, { filename: 'c' }],
      ['semicolons and quotes', `${head}; filename="a;\\"b=;"`, { filename: 'a;"b=;' }],
      ['a path', `${head}; filename="C:\\dir\\a.txt"`, { filename: 'a.txt' }],
      ['another path', `${head}; filename="/../a.txt"`, { filename: 'a.txt' }],
      [
        'names in odd letters',
        'CONTENT-DISPOSITION:  Form-Data ; NAME = f ; FileName = a',
        { filename: 'a' },
      ],
    ];
    for (const [name, block, expected] of files) {
      it(`recognises ${name}`, async () => {
        const found = await body(multipart, parts([String(block), 'bytes \xff\r\n'], named('text', 'kept')));
        expect(found.files).to.have.length(1);
        expect(found.files[0]).to.include(expected).and.include({ field: 'f' });
        expect(plain(found.values)).to.deep.equal({ text: 'kept' });
      });
    }

    it('ignores a file input in which nothing was chosen', async () => {
      const found = await body(
        multipart,
        parts([`${head}; filename=""\r\nContent-Type: application/octet-stream`, ''], named('a', '')),
      );
      expect(plain(found)).to.deep.equal({ values: { a: '' }, files: [] });
    });

    it('takes every other part as text, whatever its Content-Type (PowerShell)', async () => {
      const typed = `${named('password[payload]', '')[0]}\r\nContent-Type: application/octet-stream`;
      const plainText = `${named('password[name]', '')[0]}\r\nContent-Type: text/plain; charset=UTF-8`;
      const found = await body(multipart, parts([typed, 'ü\0'], [plainText, 'n']));
      expect(plain(found)).to.deep.equal({ values: { password: { payload: 'ü\0', name: 'n' } }, files: [] });
    });

    it('takes an older name by RFC 5987, a preamble and an epilogue', async () => {
      const raw =
        "preamble\r\n--B\r\nContent-Disposition: form-data; name*=utf-8''%C3%BC\r\n\r\n1\r\n--B-- \r\nepilogue\r\n--B\r\n";
      expect(plain(await values(multipart, raw))).to.deep.equal({ ü: '1' });
      expect(plain(await values(multipart, ...raw))).to.deep.equal({ ü: '1' });
    });

    it('takes no parts at all, 60 parts, and lists in their order', async () => {
      expect(plain(await body(multipart, '--B--'))).to.deep.equal({ values: {}, files: [] });
      const contents = Array.from(
        { length: 60 },
        (_, index) => `${index}${'x'.repeat(index % 7 ? 3 : 40_000)}`,
      );
      const sent = parts(...contents.map((content) => named('a[]', content)));
      expect(plain(await values(multipart, sent))).to.deep.equal({ a: contents });
    });
  });

  describe('with files to keep', () => {
    const file: [string, Buffer] = [
      'Content-Disposition: form-data; name="f"; filename="f.bin"',
      Buffer.alloc(3_000_000, '\r\n--'),
    ];

    it('hands each file on while it arrives', async () => {
      const kept: Buffer[] = [];
      options = {
        limitBytes: 1000,
        onFile: async ({ stream, field, filename, contentType }) => {
          expect({ field, filename, contentType }).to.deep.equal({
            field: 'f',
            filename: 'f.bin',
            contentType: 'application/octet-stream',
          });
          for await (const bytes of stream) {
            kept.push(bytes);
            if (kept.length % 10 === 0) await sleep(1);
          }
        },
      };
      const found = await body(multipart, parts(named('a', '1'), file, named('b', '2')));
      expect(plain(found.values)).to.deep.equal({ a: '1', b: '2' });
      expect(Buffer.concat(kept).equals(file[1])).to.equal(true);
    });

    it('holds the client back while the reader is not ready', async () => {
      let waiting = 0;
      options = {
        onFile: async ({ stream }) => {
          await sleep(50);
          waiting = stream.readableLength;
        },
      };
      await body(multipart, parts(file, named('a', '1')));
      expect(waiting).to.be.within(1, 300_000);
    });

    it('lets a reader stop early', async () => {
      options = {
        onFile: async ({ stream }) => {
          for await (const _ of stream) break;
        },
      };
      expect(plain(await values(multipart, parts(file, named('a', '1'))))).to.deep.equal({ a: '1' });
    });

    it('reads away what a reader leaves', async () => {
      options = { onFile: async () => {} };
      expect((await body(multipart, parts(file, file))).files).to.have.length(2);
    });

    it('refuses the body with the very error of the reader', async () => {
      const error = new Error('forbidden');
      options = { onFile: () => Promise.reject(error) };
      const { outcome } = await post(multipart, parts(file, named('a', '1')));
      expect(outcome).to.have.property('error', error);
    });

    it('tells the reader when the body breaks, and waits for it', async () => {
      const seen: unknown[] = [];
      options = {
        onFile: async ({ stream }) => {
          try {
            for await (const _ of stream);
          } catch (error) {
            await sleep(20);
            seen.push(error);
            throw error;
          }
        },
      };
      const cut = parts(file).subarray(0, 2_000_000);
      expect(await refusal(multipart, cut)).to.have.property('code', 'malformed');
      expect(seen).to.have.length(1);
    });

    it('hands nothing on after a refusal', async () => {
      let calls = 0;
      options = {
        onFile: async () => {
          calls += 1;
        },
      };
      const texts = Array.from({ length: 61 }, () => named('a', '1'));
      expect(await refusal(multipart, parts(...texts, [file[0], 'x']))).to.have.property('code', 'malformed');
      expect(calls).to.equal(0);
    });

    it('bounds the files together', async () => {
      options = { limitBytes: 1000, filesLimitBytes: 4_000_000 };
      expect((await body(multipart, parts(file))).files).to.have.length(1);
      expect(await refusal(multipart, parts(file, file))).to.have.property('code', 'too_large');
    });
  });

  describe('over its limits', () => {
    const limit = 6 * 1024 * 1024;
    const payload = 'a'.repeat(limit);
    const bodies: [string, OutgoingHttpHeaders, string | Buffer][] = [
      ['JSON', json, `{"a":"${payload}"}`],
      ['a form', form, `a=${payload}`],
      ['parts together', multipart, parts(named('a', payload.slice(10)), named('b', '12345678901'))],
    ];
    for (const [name, headers, content] of bodies) {
      it(`is refused: ${name} with its length told, and without`, async () => {
        const told = await post({ ...headers, 'content-length': Buffer.byteLength(content) }, content);
        const untold = await post(headers, content);
        for (const { status, outcome } of [told, untold]) {
          expect(outcome).to.have.nested.property('error.code', 'too_large');
          expect(status).to.equal(413);
        }
      });
    }

    it('is refused: an epilogue', async () => {
      options = { limitBytes: 1000, filesLimitBytes: 0 };
      expect(await refusal(multipart, '--B--', 'x'.repeat(500), 'x'.repeat(600))).to.have.property(
        'code',
        'too_large',
      );
    });

    it('is taken up to the very limit', async () => {
      options = { limitBytes: 10 };
      expect(plain(await values(form, 'a=34567890'))).to.deep.equal({ a: '34567890' });
      expect(await refusal(form, 'a=345678901')).to.have.property('code', 'too_large');
      expect(plain(await values(multipart, parts(named('a', '12345'), named('b', '67890'))))).to.deep.equal({
        a: '12345',
        b: '67890',
      });
    });
  });

  describe('over a raw connection', () => {
    const start = (headers: string) => `POST / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`;
    const twentyMegabytes = 20_000_000;

    async function open(): Promise<Socket> {
      const socket = connect(port(), '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    }

    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=B']) {
      it(`answers a client that sends 20 MB of ${type} before it listens, and its next request`, async () => {
        options = { filesLimitBytes: 0 };
        const socket = await open();
        socket.pause();
        socket.write(start(`Content-Type: ${type}\r\nContent-Length: ${twentyMegabytes}`));
        await new Promise((resolve) => socket.write(Buffer.alloc(twentyMegabytes, 'x'), resolve));
        socket.write(`${start('Content-Length: 3\r\nConnection: close')}a=1`);
        const answer = await readText(socket);
        expect(answer.match(/HTTP\/1\.1 \d+/g)).to.deep.equal([
          type === 'text/plain' ? 'HTTP/1.1 415' : 'HTTP/1.1 413',
          'HTTP/1.1 200',
        ]);
      });
    }

    it('answers a client that sends 20 MB without telling how much, and its next request', async () => {
      const socket = await open();
      socket.pause();
      socket.write(start('Content-Type: application/json\r\nTransfer-Encoding: chunked'));
      const chunk = `${(twentyMegabytes / 20).toString(16)}\r\n${'x'.repeat(twentyMegabytes / 20)}\r\n`;
      await new Promise((resolve) => socket.write(`${chunk.repeat(20)}0\r\n\r\n`, resolve));
      socket.write(`${start('Content-Length: 3\r\nConnection: close')}a=1`);
      const answer = await readText(socket);
      expect(answer.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 413', 'HTTP/1.1 200']);
    });

    it('is refused by the length it tells, before it comes', async () => {
      const socket = await open();
      socket.write(start(`Content-Type: application/json\r\nContent-Length: ${twentyMegabytes}`));
      const [answer]: Buffer[] = await once(socket, 'data');
      socket.destroy();
      expect(String(answer)).to.match(/^HTTP\/1\.1 413/);
    });

    it('is cut off when the rest of a refused body does not end', async () => {
      options = { lingerMs: 50, timeoutMs: 50 };
      const socket = await open();
      socket.on('error', () => {});
      socket.write(start('Content-Type: text/plain\r\nContent-Length: 1000'));
      const trickle = setInterval(() => socket.write('x'), 10);
      await new Promise((resolve) => socket.resume().once('close', resolve));
      clearInterval(trickle);
      expect(outcomes).to.have.nested.property('0.error.code', 'unsupported_media_type');
    });

    for (const type of ['application/json', 'multipart/form-data; boundary=B']) {
      it(`waits for ${type} no longer than it may`, async () => {
        options = { timeoutMs: 60 };
        const socket = await open();
        socket.write(start(`Content-Type: ${type}\r\nContent-Length: 1000`));
        const trickle = setInterval(() => socket.write('{'), 10);
        const [answer]: Buffer[] = await once(socket, 'data');
        clearInterval(trickle);
        socket.destroy();
        expect(String(answer)).to.match(/^HTTP\/1\.1 408/);
        expect(outcomes).to.have.nested.property('0.error.code', 'timeout');
      });

      it(`is given up when the client of ${type} leaves`, async () => {
        for (const leave of ['end', 'resetAndDestroy'] as const) {
          outcomes = [];
          const socket = await open();
          socket.write(start(`Content-Type: ${type}\r\nContent-Length: 1000`));
          socket.write('--B\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nx', () =>
            socket[leave](),
          );
          for (let waited = 0; outcomes.length === 0 && waited < 1000; waited += 5) await sleep(5);
          expect(outcomes).to.have.nested.property('0.error.code', 'aborted');
        }
      });
    }

    it('tells the reader of a file that the client left', async () => {
      let failure: unknown;
      options = {
        onFile: async ({ stream }) => {
          for await (const _ of stream);
        },
      };
      const { onFile } = options;
      options.onFile = (part) =>
        Promise.resolve(onFile?.(part)).catch((error: unknown) => {
          failure = error;
        });
      const socket = await open();
      socket.write(start('Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 100000'));
      socket.write('--B\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nx', () =>
        socket.destroy(),
      );
      for (let waited = 0; outcomes.length === 0 && waited < 1000; waited += 5) await sleep(5);
      expect(failure).to.have.property('code', 'aborted');
    });

    it('is not locked when much arrives at once after a slow reader of a file', async () => {
      options = { onFile: () => sleep(20) };
      const buffer = getDefaultHighWaterMark(false);
      const file = `Content-Disposition: form-data; name="f"; filename="f"\r\n\r\n${'x'.repeat(buffer)}`;
      const content = `${'x'.repeat(buffer - 4)}\r\n--`;
      const first = `${named('a', '')[0]}\r\n\r\n${content}`;
      const last = `${named('b', '')[0]}\r\n\r\n1\r\n--B--`;
      const pieces = [`--B\r\n${file}`, `\r\n--B\r\n${first}`, '\r\n--B\r\n', last, ''];
      const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('');
      const socket = await open();
      socket.write(
        `${start(`Content-Type: ${multipart['content-type']}\r\nTransfer-Encoding: chunked`)}${chunks}`,
      );
      await once(socket, 'data');
      socket.destroy();
      expect(plain(outcomes)).to.have.nested.property('0.body.values').deep.equal({ a: content, b: '1' });
    });

    it('is given up when the service itself drops the request', async () => {
      server.once('request', (req: IncomingMessage) => setImmediate(() => req.destroy()));
      const socket = await open();
      socket.write(start('Content-Type: application/json\r\nContent-Length: 1000'));
      await once(socket.resume(), 'close');
      await sleep(1);
      expect(outcomes).to.have.nested.property('0.error.code', 'aborted');
    });

    it('is refused with broken chunks', async () => {
      const socket = await open();
      socket.write(
        `${start('Content-Type: application/json\r\nTransfer-Encoding: chunked')}2\r\n{}\r\nnonsense\r\n`,
      );
      await readText(socket);
      expect(outcomes).to.have.nested.property('0.error.code', 'aborted');
    });
  });

  describe('of random making', function () {
    this.timeout(20_000);

    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=B',
      undefined,
    ];
    const words = [
      '\r\n',
      '--B',
      '--B',
      '--B',
      '--',
      '-',
      '\r',
      '\n',
      '\r\n\r\n',
      '\r\n--B',
      '\r\n--B--',
      'Content-Disposition: form-data; name="a"',
      '; filename="b"',
      '; filename=""',
      'Content-Type: text/plain',
      ': ',
      '"',
      ';',
      '\\',
      '%',
      '%F',
      '[',
      ']',
      '=',
      '&',
      '{',
      '}',
      '\0',
      "name*=utf-8''",
      'x',
    ];
    const piece = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...words).map((word) => Buffer.from(word)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)) },
    );

    it('is always taken or refused with a BodyError', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...types),
          fc.array(piece, { maxLength: 40 }),
          fc.boolean(),
          async (type, pieces, opens) => {
            const headers = type === undefined ? {} : { 'content-type': type };
            const { outcome } = await post(
              headers,
              ...(opens ? ['--B\r\nContent-Disposition: form-data; name="a'] : []),
              ...pieces,
            );
            if ('error' in outcome) expect(requireBodyError(outcome.error).code).to.equal('malformed');
          },
        ),
        { numRuns: 1000 },
      );
    });

    it('is always refused with a BodyError when its Content-Type is nonsense', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...types),
          fc.string({ unit: 'grapheme-ascii' }),
          async (type, tail) => {
            const { outcome } = await post({ 'content-type': `${type};${tail}` }, 'x');
            if ('error' in outcome) requireBodyError(outcome.error);
          },
        ),
        { numRuns: 200 },
      );
    });

    /** Names become single values: brackets would nest, and are tested above. */
    const name = fc
      .string({ unit: 'binary', maxLength: 20 })
      .map((made) => made.replaceAll(/[[\]\r\n\uFEFF]/g, '_'));
    const hard = fc.array(
      fc.oneof(
        fc.constantFrom(...words, '\0', '+', '😀', 'ü', '\ufeff', '%41', '\r\n--'),
        fc.string({ unit: 'binary' }),
      ),
      { maxLength: 30 },
    );
    const value = hard.map((made) => made.join('').replaceAll('--B', '--b'));
    const pairs = fc.array(fc.tuple(name, value), { maxLength: 30 });
    const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 40 }));

    function cut(bytes: Buffer, sizes: Iterator<number>): Buffer[] {
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes.length; ) {
        const size: number = sizes.next().value;
        pieces.push(bytes.subarray(at, at + size));
        at += size;
      }
      return pieces;
    }

    function expectSame(found: unknown, sent: [string, string][]): void {
      expect(new Map(Object.entries(Object(found)))).to.deep.equal(new Map(sent));
    }

    it('comes through a form byte for byte', async () => {
      await fc.assert(
        fc.asyncProperty(pairs, cuts, async (sent, sizes) => {
          const encoded = Buffer.from(new URLSearchParams(sent).toString());
          expectSame(await values(form, ...cut(encoded, sizes)), sent);
        }),
        { numRuns: 300 },
      );
    });

    it('comes through parts byte for byte', async () => {
      await fc.assert(
        fc.asyncProperty(pairs, cuts, async (sent, sizes) => {
          expectSame(
            await values(
              multipart,
              ...cut(parts(...sent.map(([key, content]) => named(key, content))), sizes),
            ),
            sent,
          );
        }),
        { numRuns: 300 },
      );
    });

    it('comes through with a mebibyte in one value', async () => {
      const large = '\0\r\n--b😀%41+&=ü'.repeat(65_536).slice(0, 1_048_576);
      const sent: [string, string][] = [
        ['a', large],
        ['b', '\ufeff'],
      ];
      expectSame(await values(form, new URLSearchParams(sent).toString()), sent);
      expectSame(await values(multipart, parts(...sent.map(([key, content]) => named(key, content)))), sent);
      expectSame(await values(json, JSON.stringify(Object.fromEntries(sent))), sent);
    });
  });
});
