import type { OutgoingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import {
  body,
  canary,
  form,
  json,
  multipart,
  named,
  parts,
  plain,
  post,
  reading,
  refusal,
  send,
  useBodyServer,
  values,
} from './server.ts';

describe('A request body', () => {
  useBodyServer();

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
      it(`is accepted: ${name}`, async () => {
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
      it(`is refused: ${name}`, async () => {
        const { status, outcome } = await post(headers, '{}');
        expect(outcome).to.have.nested.property('error.code', 'unsupported_media_type');
        expect(status).to.equal(415);
      });
    }

    it('has no values when it is empty and has no Content-Type', async () => {
      expect(plain(await body({}))).to.deep.equal({ values: {}, files: [] });
    });

    it('is read for POST only', async () => {
      await send('DELETE', { ...json, 'content-length': 4 }, 'null');
      expect(reading.outcomes).to.deep.equal([{ body: { values: {}, files: [] } }]);
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
      ['201 values', form, 'a=1&'.repeat(201)],
      ['201 pairs without a value', form, '&'.repeat(201)],
      ['201 JSON values', json, `{"a":[${'1,'.repeat(199)}1]}`],
      ['201 JSON objects', json, `{"a":${'{"a":1},'.repeat(101)}`],
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

    it('tells structure from text, wherever quotes and backslashes are in a long string', async () => {
      for (const length of [0, 1, 126, 127, 128, 129, 130, 5000]) {
        for (const tail of ['', '"', '\\', '\\"', '\\\\"x']) {
          const a = `${'x'.repeat(length)}${tail}${'[,'.repeat(201)}${tail}`;
          expect(plain(await values(json, JSON.stringify({ a })))).to.deep.equal({ a });
          const large = JSON.stringify({ a, b: Array(201).fill(1) });
          expect(await refusal(json, large)).to.have.property(
            'message',
            'The JSON has more than 200 values.',
          );
        }
      }
    });

    it('is refused: Latin-1 in the name of a part', async () => {
      const raw = Buffer.from(parts(named('t\u00fcr', '1')).toString(), 'latin1');
      expect(await refusal(multipart, raw)).to.include({
        code: 'malformed',
        message: 'A name in the form is not valid UTF-8.',
      });
    });

    it('is described by its error message', async () => {
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
      it(`is accepted with ${name}`, async () => {
        expect(await values(json, content)).to.deep.equal(expected);
      });
    }

    it('is accepted with 32 levels', async () => {
      expect(await values(json, `${'{"a":'.repeat(31)}[]${'}'.repeat(31)}`)).to.have.property('a');
    });

    it('is parsed alike, however it is split into chunks', async () => {
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
      ['takes 200 values', 'a[]=1&'.repeat(200), { a: Array.from({ length: 200 }, () => '1') }],
    ];
    for (const [name, content, expected] of cases) {
      it(name, async () => {
        expect(plain(await values(form, content))).to.deep.equal(expected);
      });
    }

    it('is accepted with 32 levels', async () => {
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
      it('has them in forms as keys like any other', async () => {
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

    it('has them in JSON', async () => {
      const content = `{${keys.map((key) => `"${key}":{"${key}":{"polluted":1}}`).join()}}`;
      expect(Object.keys(Object(await values(json, content)))).to.have.members(keys);
    });

    it('is accepted with __proto__ as the header of a part', async () => {
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
      it(`recognizes ${name}`, async () => {
        const found = await body(multipart, parts([String(block), 'bytes \xff\r\n'], named('text', 'kept')));
        expect(found.files).to.have.length(1);
        expect(found.files[0]).to.include(expected).and.include({ field: 'f' });
        expect(plain(found.values)).to.deep.equal({ text: 'kept' });
      });
    }

    it('ignores a file input without a file', async () => {
      const found = await body(
        multipart,
        parts([`${head}; filename=""\r\nContent-Type: application/octet-stream`, ''], named('a', '')),
      );
      expect(plain(found)).to.deep.equal({ values: { a: '' }, files: [] });
    });

    it('reads every other part as text, whatever its Content-Type (PowerShell)', async () => {
      const typed = `${named('password[payload]', '')[0]}\r\nContent-Type: application/octet-stream`;
      const plainText = `${named('password[name]', '')[0]}\r\nContent-Type: text/plain; charset=UTF-8`;
      const found = await body(multipart, parts([typed, 'ü\0'], [plainText, 'n']));
      expect(plain(found)).to.deep.equal({ values: { password: { payload: 'ü\0', name: 'n' } }, files: [] });
    });

    it('is accepted with an RFC 5987 name, a preamble and an epilogue', async () => {
      const raw =
        "preamble\r\n--B\r\nContent-Disposition: form-data; name*=utf-8''%C3%BC\r\n\r\n1\r\n--B-- \r\nepilogue\r\n--B\r\n";
      expect(plain(await values(multipart, raw))).to.deep.equal({ ü: '1' });
      expect(plain(await values(multipart, ...raw))).to.deep.equal({ ü: '1' });
    });

    it('is accepted without parts, with 60 parts, and with lists in their order', async () => {
      expect(plain(await body(multipart, '--B--'))).to.deep.equal({ values: {}, files: [] });
      const contents = Array.from(
        { length: 60 },
        (_, index) => `${index}${'x'.repeat(index % 7 ? 3 : 40_000)}`,
      );
      const sent = parts(...contents.map((content) => named('a[]', content)));
      expect(plain(await values(multipart, sent))).to.deep.equal({ a: contents });
    });
  });
});
