import { asForm, asJson, asMultipart, multipart } from '../../harness/api.ts';
import { canary, describeRows, goodJson, made, missing, type Row } from './rows.ts';

describeRows('POST /p.json', [...types(), ...sizes()]);

function types(): Row[] {
  const unsupported: [string, Record<string, string>][] = [
    ...[
      'text/plain',
      'text/json',
      'text/html',
      'application/xml',
      'application/octet-stream',
      'application/x-ndjson',
      'application/jsonp',
      'application/json-seq',
      'multipart/mixed; boundary=B',
      'multipart/related; boundary=B',
      'json',
      '*/*',
      '/',
      ';',
      'application/',
      'application/json, text/plain',
      'application/json; charset=iso-8859-1',
      'application/json; charset=utf-16',
      'application/json; charset=CANARY',
      'application/x-www-form-urlencoded; charset=windows-1252',
      'ÿþ',
    ].map((type): [string, Record<string, string>] => [`Content-Type: ${type}`, { 'content-type': type }]),
    ...[
      'gzip',
      'br',
      'deflate',
      'compress',
      'zstd',
      'x-gzip',
      'identity, gzip',
      'GZIP',
      'CANARY',
      '*',
      ',',
    ].map((encoding): [string, Record<string, string>] => [
      `Content-Encoding: ${encoding}`,
      { ...asJson, 'content-encoding': encoding },
    ]),
  ];
  return [
    ...unsupported.map(([name, headers]) => ({ name, headers, body: goodJson, status: 415 })),
    {
      name: 'Content-Type: a quote without an end',
      headers: { 'content-type': 'application/json; charset="utf-8' },
      body: goodJson,
      status: 400,
    },
    {
      name: 'Content-Type: two charsets',
      headers: { 'content-type': 'application/json; charset=utf-8; charset=ascii' },
      body: goodJson,
      status: 400,
    },
    { name: 'Content-Type: JSON without a Content-Type', body: goodJson, status: 400, error: missing },
    {
      name: 'Content-Encoding: identity',
      headers: { ...asJson, 'content-encoding': 'identity' },
      body: goodJson,
      ...made,
    },
  ];
}

function sizes(): Row[] {
  const limit = 6 * 1024 * 1024;
  const over: [string, Record<string, string>, () => string | Buffer][] = [
    ['JSON', asJson, () => `{"password":{"payload":"${canary.repeat(limit / 6)}"}}`],
    ['a form', asForm, () => `password[payload]=${canary.repeat(limit / 6)}`],
    ['parts', asMultipart, () => multipart({ 'password[payload]': canary.repeat(1 + limit / 6) })],
    ['a body without a Content-Type', {}, () => canary.repeat(1 + limit / 6)],
    ['JSON of blanks', asJson, () => goodJson + ' '.repeat(limit)],
  ];
  return [
    ...over.map(([name, headers, body]) => ({ name: `too large: ${name}`, headers, body, status: 413 })),
    ...over.slice(0, 3).map(([name, headers, body]) => ({
      name: `too large: ${name}, of a length not told`,
      headers: { ...headers, 'transfer-encoding': 'chunked' },
      body,
      status: 413,
    })),
    {
      name: 'too large: a body of a terabyte, by its own account',
      headers: { ...asJson, 'content-length': '1099511627776', connection: 'close' },
      body: '{',
      status: 413,
    },
    {
      name: 'large: JSON of blanks up to the limit',
      headers: asJson,
      body: () => goodJson + ' '.repeat(limit - goodJson.length),
      ...made,
    },
  ];
}
