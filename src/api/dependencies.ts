import type { Domain } from '../domain/index.ts';
import type { Http } from '../http/http.ts';
import type { ReadOpenApi } from '../http/openApi.ts';

/** What the routes of the API work with. */
export type ApiDependencies = Pick<Http, 'auth' | 'crossOrigin' | 'links'> & {
  domain: Domain;
  version: string;
  readOpenApi: ReadOpenApi;
};
