import { expect } from 'chai';
import fc from 'fast-check';
import { asForm, asJson } from '../../harness/api.ts';
import { api, payloadMax, useTwoPushes } from './rows.ts';

describe('A payload', () => {
  useTwoPushes();

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

  /** Percent-encoded, unless that exceeds the limit of a body. */
  function formOf(payload: string): string {
    const encoded = encodeURIComponent(payload).replaceAll('%20', '+');
    return `password[payload]=${encoded.length > 6_000_000 ? payload : encoded}`;
  }

  function partsOf(payload: string): string {
    return `--boundary\r\nContent-Disposition: form-data; name="password[payload]"\r\n\r\n${payload}\r\n--boundary--\r\n`;
  }

  for (const [form, headers, encode] of forms) {
    for (const [name, payload] of payloads) {
      it(`is returned exactly as it was sent by ${form}: ${name}`, async () => {
        const created = await api.send('POST', '/p.json', { headers, body: encode(payload) });
        expect(created.status, created.text).to.equal(201);
        const { body } = await api.get(`/p/${created.body.url_token}.json`);
        expect(Buffer.from(String(body.payload)).equals(Buffer.from(payload))).to.equal(true);
      });
    }
  }

  it('is returned exactly as it was sent, whatever it contains', async () => {
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
