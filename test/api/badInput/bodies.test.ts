import { asForm, asJson, asMultipart, multipart } from '../../harness/api.ts';
import { canary, describeRows, goodJson, made, type Row } from './rows.ts';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

/** Invalid UTF-8 of each kind. */
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

describeRows('POST /p.json', [...bodies(), ...multiparts()]);

function bodies(): Row[] {
  const broken: [string, string | Buffer][] = [
    ['nothing', ''],
    ['a blank', ' '],
    ['an opening brace', '{'],
    ['a closing brace', '}'],
    ['an object cut short', goodJson.slice(0, -1)],
    ['text cut short', goodJson.slice(0, -4)],
    ['something behind it', `${goodJson} ${canary}`],
    ['two objects', goodJson + goodJson],
    ['single quotes', goodJson.replaceAll('"', "'")],
    ['names without quotes', `{password:{payload:"${canary}"}}`],
    ['a comma too many', `{"password":{"payload":"${canary}",}}`],
    ['a comment', `/* */${goodJson}`],
    ['NaN', `{"password":{"payload":"${canary}","x":NaN}}`],
    ['a leading nought', '{"password":{"payload":"x","expire_after_days":07}}'],
    ['a hexadecimal number', '{"password":{"payload":"x","expire_after_days":0x7}}'],
    ['a bare line break in text', `{"password":{"payload":"${canary}\n"}}`],
    ['a bare NUL', `{"password":{"payload":"${canary}"}}\0`],
    ['an unknown escape', `{"password":{"payload":"${canary}\\x41"}}`],
    ['an escape cut short', `{"password":{"payload":"${canary}\\u00"}}`],
    ['null', 'null'],
    ['a list', `[${goodJson}]`],
    ['text', `"${canary}"`],
    ['a number', '5'],
    ['true', 'true'],
    ['a form', `password[payload]=${canary}`],
    ['UTF-16', Buffer.from(`\ufeff${goodJson}`, 'utf16le')],
    ['two byte order marks', `\ufeff\ufeff${goodJson}`],
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
    { name: 'JSON: one byte order mark', headers: asJson, body: `\ufeff${goodJson}`, ...made },
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
