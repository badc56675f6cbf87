import { canary, describeRows, type Row } from './rows.ts';

describeRows('The JSON API', [...heads()]);

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
    ['HTTP/0.9', 'GET /api/v1/version\r\n\r\n', 400],
    ['two hosts', get('Host: y'), 400],
    ['one host twice', get('Host: x'), 400],
    ['two hosts in capitals', get('HOST: y'), 400],
    ['no host', 'GET /api/v1/version HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'no host, and more than its chunks',
      `POST /p.json HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\nzz`,
      400,
    ],
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
