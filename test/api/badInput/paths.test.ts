import { canary, describeRows, type Row, unknownToken } from './rows.ts';

describeRows('The JSON API', [...tokens(), ...pages(), ...methods()]);

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
