import type { IncomingHttpHeaders } from 'node:http';
import { type Fields, fieldsOf, parseJson } from '../../shared/json.ts';

const nested = ['blocks', 'view', 'attachments', 'metadata'];
const flags = [
  ...['unfurl_links', 'unfurl_media', 'mrkdwn', 'link_names', 'reply_broadcast', 'return_im'],
  ...['include_locale', 'include_num_members', 'prevent_creation'],
];

/** The arguments of a call: from its query, and from its JSON or its form, where JSON and booleans are strings. */
export function argumentsOf(query: URLSearchParams, headers: IncomingHttpHeaders, body: string): Fields {
  const isJson = /^application\/json\b/.test(headers['content-type'] ?? '');
  const form = new URLSearchParams(isJson ? '' : body);
  const texts = Object.entries({ ...Object.fromEntries(query), ...Object.fromEntries(form) });
  const read = Object.fromEntries(texts.map(([name, value]) => [name, readValue(name, value)]));
  return isJson ? { ...read, ...fieldsOf(parseJson(body)) } : read;
}

/** The token of a call, from the header that web-api sends or from its arguments. */
export function tokenOf(headers: IncomingHttpHeaders, args: Fields): string | undefined {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  return bearer ?? (typeof args.token === 'string' ? args.token : undefined);
}

function readValue(name: string, value: string): unknown {
  if (nested.includes(name)) return parseJson(value) ?? value;
  if (flags.includes(name)) return { true: true, '1': true, false: false, '0': false }[value] ?? value;
  return value;
}
