import type { Router } from '@koa/router';
import type { ApiDependencies } from '../dependencies.ts';

const apiVersion = '1.1';
const features = [
  'device-sign-in',
  'idempotency-key',
  'list-filters',
  'repeatable-retrieval',
  'request-links',
  'sealed-answers',
  'x-passphrase',
];

/** What clients ask for before they use the API: its version, and its description. Both ignore credentials, even wrong ones. */
export function descriptionRoutes(
  router: Router,
  { domain, auth, version, readOpenApi }: ApiDependencies,
): void {
  const versions = {
    application_version: version,
    api_version: apiVersion,
    edition: 'oss',
    features: domain.mailLinks.isOn ? [...features, 'recipient-mail'].sort() : features,
  };

  router.get(['/api/v1/version.json', '/api/v1/version'], async (ctx) => {
    await auth.anonymous(ctx);
    ctx.body = versions;
  });

  router.get('/api/v1/openapi.json', async (ctx) => {
    await auth.anonymous(ctx);
    ctx.body = await readOpenApi();
  });
}
