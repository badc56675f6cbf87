import type { Router } from '@koa/router';
import type { ApiDependencies } from '../../http/app.ts';
import { packageVersion } from '../../runtime/package.ts';

const apiVersion = '1.1';

/** What clients ask before they choose how to speak. A credential is of no interest here, be it right or wrong. */
export function versionRoutes(router: Router, { auth }: ApiDependencies): void {
  const body = { application_version: packageVersion(), api_version: apiVersion, edition: 'oss' };
  router.get(['/api/v1/version.json', '/api/v1/version'], async (ctx) => {
    await auth.anonymous(ctx);
    ctx.body = body;
  });
}
