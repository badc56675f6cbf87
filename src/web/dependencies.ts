import type { Domain } from '../domain/index.ts';
import type { Http } from '../http/http.ts';
import type { ReadOpenApi } from '../http/openApi.ts';
import type { PageHandlers } from './pageHandlers.ts';
import type { RevealNonces } from './revealNonce.ts';

/** What the routes of the pages work with. */
export type WebDependencies = Pick<Http, 'cookies' | 'links' | 'operator'> & {
  domain: Domain;
  readOpenApi: ReadOpenApi;
  pages: PageHandlers;
  revealNonces: RevealNonces;
};
