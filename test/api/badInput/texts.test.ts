import { asForm, asMultipart, multipart } from '../../harness/api.ts';
import { blank, canary, describeRows, fields, made, payloadMax, type Row } from './rows.ts';

describeRows('POST /p.json', [...payloads(), ...labels()]);

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
    ['an unknown kind', { kind: 'passwords' }, /^kind /],
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
