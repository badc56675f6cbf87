import { asJson } from '../../harness/api.ts';
import { canary, describeRows, goodJson, type Row } from './rows.ts';

describeRows('The JSON API', [...credentials(), ...queries()]);

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
      body: goodJson,
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
