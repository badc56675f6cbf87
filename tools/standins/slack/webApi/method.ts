import type { Fields } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';
import type { App, Grant } from '../things.ts';

/** A refusal in the Web API's words. A `complaint` marks the request as the app's mistake. */
export class Refused extends Error {
  readonly code: string;
  readonly more: Fields;
  readonly complaint: string | undefined;

  constructor(code: string, { more = {}, complaint }: { more?: Fields; complaint?: string } = {}) {
    super(code);
    this.code = code;
    this.more = more;
    this.complaint = complaint;
  }
}

/** Slack's response to too many requests. */
export class TooMany extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('ratelimited');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type BotMethod = {
  by: 'bot';
  /** Scopes, of which any one is sufficient. */
  scopes?: string[];
  run(platform: Platform, grant: Grant, args: Fields): Fields;
};
type AppMethod = { by: 'app'; scopes: string[]; run(platform: Platform, app: App): Fields };
type OpenMethod = { by: 'anyone'; run(platform: Platform, args: Fields): Fields };
export type Method = BotMethod | AppMethod | OpenMethod;
export type Methods = Record<string, Method>;

/** Refuses arguments, with the errors in `response_metadata.messages` as Slack does. */
export function refuseArguments(code: string, method: string, errors: string[]): never {
  throw new Refused(code, {
    more: { errors, response_metadata: { messages: errors.map((error) => `[ERROR] ${error}`) } },
    complaint: `${method}: ${errors.join('; ')}`,
  });
}

/** One page of a list, and the cursor for the next. */
export function pageOf<T>(all: T[], { limit, cursor }: Fields) {
  const start =
    cursor === undefined || cursor === '' ? 0 : Number(Buffer.from(String(cursor), 'base64').toString());
  if (!Number.isInteger(start)) throw new Refused('invalid_cursor');
  const end = start + (Number(limit) || 100);
  const next = end < all.length ? Buffer.from(String(end)).toString('base64') : '';
  return { items: all.slice(start, end), response_metadata: { next_cursor: next } };
}
