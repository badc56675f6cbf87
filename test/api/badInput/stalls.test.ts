import { asForm, asJson, asMultipart, multipart } from '../../harness/api.ts';
import { canary, describeRows, made, type Row } from './rows.ts';

// Small texts that are dear to parse, and large ones up to the limit of 6 MiB.

const bodyMax = 6 * 1024 * 1024;

/** Normalizing text takes time by the square of a run of these. */
const marks = '\u0300\u0316';

describeRows('POST /p.json', [...manyValues(), ...dearJson(), ...dearForms(), ...dearParts()]);
describeRows('GET /p/TOKEN.json', dearQueries());

/** Repeats a unit up to the limit of a body, with some space left for what surrounds it. */
function upToLimit(unit: string, surroundings = 100): string {
  return unit.repeat(Math.floor((bodyMax - surroundings) / Buffer.byteLength(unit)));
}

/** As `upToLimit`, for pieces that differ by a number. */
function numbered(piece: (index: number) => string, bytes = bodyMax - 100): string {
  const pieces: string[] = [];
  for (let length = 0, index = 0; length < bytes; index += 1) {
    const next = piece(index);
    length += next.length;
    if (length < bytes) pieces.push(next);
  }
  return pieces.join('');
}

const push = (fields: string) => `{"password":{"payload":"${canary}",${fields}}}`;

function manyValues(): Row[] {
  const json: [string, () => string][] = [
    ['201 values', () => push(`${numbered((index) => `"k${index}":1,`, 1_700)}"last":1`)],
    ['6 MiB of keys', () => push(`${numbered((index) => `"k${index}":1,`)}"last":1`)],
    ['6 MiB of keys in its notices', () => push(`"notify":{${numbered((i) => `"k${i}":1,`)}"last":1}`)],
    ['6 MiB of numbers', () => push(`"a":[${upToLimit('1,')}1]`)],
    ['6 MiB of empty lists', () => push(`"a":[${upToLimit('[],')}1]`)],
    [
      '6 MiB of lists, each 20 deep',
      () => push(`"a":[${upToLimit(`${'['.repeat(20)}${']'.repeat(20)},`)}1]`),
    ],
    ['6 MiB of objects, each of another shape', () => push(`"a":[${numbered((i) => `{"k${i}":1},`)}1]`)],
  ];
  const forms: [string, string][] = [
    ['201 values', 'a=1&'.repeat(201)],
    ['6 MiB of values', upToLimit('a&')],
    ['201 names', numbered((index) => `password[${index}]=1&`, 4_000)],
  ];
  return [
    ...json.map(([name, body]) => ({ name: `JSON: ${name}`, headers: asJson, body, status: 400 })),
    ...forms.map(([name, body]) => ({ name: `a form: ${name}`, headers: asForm, body, status: 400 })),
  ];
}

function dearJson(): Row[] {
  const ignored: [string, () => string][] = [
    ['a name of 6 MiB in capitals', () => push(`"${upToLimit('A')}":1`)],
    ['a name of 6 MiB of words', () => push(`"${upToLimit('_a')}":1`)],
    ['text of 6 MiB in an unknown field', () => push(`"a":"${upToLimit('\\"')}"`)],
    ['a number of 6 MiB in an unknown field', () => push(`"a":${upToLimit('9')}`)],
    ['6 MiB of line breaks', () => push(`${upToLimit('\r\n')}"a":1`)],
  ];
  const refused: [string, () => string][] = [
    ['a number of 6 MiB', () => push(`"expire_after_days":${upToLimit('9')}`)],
    ['a number of 6 MiB, as text', () => push(`"expire_after_days":"${upToLimit('9')}x"`)],
    ['a number of 6 MiB of blanks, as text', () => push(`"expire_after_days":"1${upToLimit(' ')}x"`)],
    ['a passphrase of 6 MiB of marks', () => push(`"passphrase":"a${upToLimit(marks)}"`)],
    ['a name of 6 MiB of marks', () => push(`"name":"a${upToLimit(marks)}"`)],
    ['a kind of 6 MiB', () => push(`"kind":"${upToLimit('text')}"`)],
    ['a boolean of 6 MiB', () => push(`"retrieval_step":"${upToLimit('true')}"`)],
    ['a payload of 6 MiB', () => `{"password":{"payload":"${upToLimit('\\n')}"}}`],
    ['a URL of 6 MiB', () => `{"password":{"kind":"url","payload":"https://a/${upToLimit('%')}"}}`],
  ];
  const accepted: [string, () => string][] = [
    ['a payload in escapes', () => `{"password":{"payload":"${upToLimit('\\u0061')}"}}`],
    ['a payload of 1 MiB of marks', () => `{"password":{"payload":"a${marks.repeat(500_000)}"}}`],
  ];
  return [
    ...ignored.map(([name, body]) => ({ name: `JSON: ${name}`, headers: asJson, body, ...made })),
    ...refused.map(([name, body]) => ({ name: `JSON: ${name}`, headers: asJson, body, status: 422 })),
    ...accepted.map(([name, body]) => ({ name: `JSON: ${name}`, headers: asJson, body, ...made })),
  ];
}

function dearForms(): Row[] {
  const units: [string, string, number][] = [
    ['plus signs', '+', 422],
    ['percent signs', '%', 422],
    ['percent-encoded letters', '%41', 422],
    ['percent-encoded umlauts', '%C3%A9', 201],
    ['percent-encoded line breaks', '%0D%0A', 422],
  ];
  return [
    ...units.map(([name, unit, status]) => ({
      name: `a form: 6 MiB of ${name}`,
      headers: asForm,
      body: () => `password[payload]=${upToLimit(unit)}`,
      ...(status === 201 ? made : { status }),
    })),
    ...['[', '[x]', ']', 'a['].map((unit) => ({
      name: `a form: a name of 6 MiB of ${unit}`,
      headers: asForm,
      body: () => `a${upToLimit(unit)}=1`,
      status: 400,
    })),
  ];
}

function dearParts(): Row[] {
  const units: [string, number][] = [
    ['\r\n--', 422],
    ['\r', 422],
    ['-', 422],
    ['\r\n', 422],
    ['--B', 422],
    ['\r\n--B\r', 400],
    ['\r\n--B\r\n\r\n', 400],
  ];
  return [
    ...units.map(([unit, status]) => ({
      name: `parts: 6 MiB of ${JSON.stringify(unit)}`,
      headers: asMultipart,
      body: () => multipart({ 'password[note]': `a${upToLimit(unit, 400)}` }),
      status,
    })),
    {
      name: 'parts: 60 names of 16 KB',
      headers: asMultipart,
      body: () =>
        multipart(
          Object.fromEntries(
            Array.from({ length: 60 }, (_, index) => [`password[${'_a'.repeat(8_000)}${index}]`, '1']),
          ),
        ),
      status: 422,
    },
  ];
}

function dearQueries(): Row[] {
  const guesses: [string, string][] = [
    ['marks', encodeURIComponent(marks.repeat(1_300))],
    ['plus signs', '+'.repeat(15_000)],
    ['percent signs', '%'.repeat(15_000)],
  ];
  return [
    ...guesses.map(([name, guess]) => ({
      name: `a passphrase of 15 KB of ${name}`,
      method: 'GET',
      path: `/p/LOCKED.json?passphrase=${guess}`,
      status: 401,
      writes: 1,
    })),
    ...['a&', 'a=b&', '&', 'a[]&', '=&', '%&'].map((unit) => ({
      name: `a query of 14 KB of ${unit}`,
      method: 'GET',
      path: `/p/LOCKED.json?${unit.repeat(14_000 / unit.length)}`,
      status: 400,
    })),
    {
      name: 'a query of 200 parameters',
      method: 'GET',
      path: `/p/LOCKED.json?${'a&'.repeat(199)}passphrase=x`,
      status: 401,
      writes: 1,
    },
  ];
}
