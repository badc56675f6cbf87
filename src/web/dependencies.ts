import type { Router } from '@koa/router';
import type { Domain } from '../domain/index.ts';
import type { Http } from '../http/http.ts';
import type { ReadOpenApi } from '../http/openApi.ts';
import type { PageRoutes } from './pageRoutes.ts';
import type { RevealNonces } from './revealNonce.ts';

/** What the routes of the pages work with. */
export type WebDependencies = Pick<
  Http,
  'auth' | 'cookies' | 'csrf' | 'links' | 'operator' | 'lookFolder'
> & {
  router: Router;
  domain: Domain;
  readOpenApi: ReadOpenApi;
  pages: PageRoutes;
  revealNonces: RevealNonces;
};
