import type { Fields } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';

/** A file that came with a request. */
export type Upload = { index: string; filename: string; contentType: string; bytes: Buffer };

export type Request = {
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  files: Upload[];
};

/** An answer; without a body it is 204. */
export type ResponseBody = Fields | Fields[] | undefined;

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As in Discord's OpenAPI document. */
  path: string;
  /** Whether it wants the bot's token; else what is in its path is enough. */
  isOpen?: true;
  run(platform: Platform, request: Request): ResponseBody;
};

/** By what Discord's OpenAPI document calls them. */
export type Routes = Record<string, Route>;
