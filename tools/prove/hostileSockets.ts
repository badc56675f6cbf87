/** What a hostile peer sends at first, and then once a second. It never closes, and reads only where that is said. */
export type Abuse = { sends: string; trickles?: string; reads?: boolean };

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (headers: string) => `POST /p.json HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

const half = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\na=`;

export const abuses: Record<string, Abuse> = {
  'half of a token exchange': { sends: half('/oauth/token'), trickles: 'x' },
  'half of a device request': { sends: half('/oauth/device_authorization'), trickles: 'x' },
  'half of a logout by a provider': { sends: half('/sign-in/okta/logout'), trickles: 'x' },
  'half of an answer of a passkey': { sends: half('/passkeys/sign-in'), trickles: 'x' },
  'half of a second step': { sends: half('/second-factor'), trickles: 'x' },
  'idle from the start': { sends: '' },
  'half of a header': { sends: 'GET / HTTP/1.1\r\nHost' },
  'slow headers': { sends: 'GET / HTTP/1.1\r\n', trickles: 'X-Tulip: tulip\r\n' },
  'half of a body': { sends: post('Content-Length: 1000\r\n') },
  'slow body': { sends: post('Content-Type: application/json\r\nContent-Length: 1000\r\n'), trickles: ' ' },
  'a body after its refusal': {
    sends: post('Content-Type: text/xml\r\nContent-Length: 1000\r\n'),
    trickles: ' ',
  },
  'Expect: 100-continue': { sends: post('Expect: 100-continue\r\nContent-Length: 1000\r\n') },
  'an upgrade': { sends: get('/livez', 'Connection: upgrade\r\nUpgrade: websocket\r\n') },
  CONNECT: { sends: 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n' },
  'malformed HTTP': { sends: 'nonsense\r\n\r\n' },
  'half-open after the last response': { sends: get('/livez', 'Connection: close\r\n'), reads: true },
  'idle after a response': { sends: get('/livez'), reads: true },
  'responses that nobody reads': { sends: get('/api/v1/openapi.json').repeat(100) },
  'challenges that nobody reads': {
    sends: get('/passkeys/challenge', 'Cookie: hushpush-form=x\r\n').repeat(100),
  },
};
