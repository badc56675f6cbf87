import type { Fields } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';

/** An uploaded file. */
export type Upload = { index: string; filename: string; contentType: string; bytes: Buffer };

export type Request = {
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  files: Upload[];
};

/** A response. Without a body it is a 204. */
export type ResponseBody = Fields | Fields[] | undefined;

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path in Discord's OpenAPI document. */
  path: string;
  /** Whether it needs the bot's token. Otherwise its path is sufficient. */
  isOpen?: true;
  run(platform: Platform, request: Request): ResponseBody;
};

/** Routes by their names in Discord's OpenAPI document. */
export type Routes = Record<string, Route>;
