import type Koa from 'koa';
import { createApi } from './api/api.ts';
import { buildOpenApi } from './api/openapi/document.ts';
import type { ChatEndpoint } from './bots/endpoint.ts';
import type { Domain } from './domain/index.ts';
import { createHttpApp, type HttpAppDependencies } from './http/app.ts';
import type { HealthChecks } from './http/health.ts';
import { createHttp, type HttpSettings } from './http/http.ts';
import { packageVersion } from './runtime/package.ts';
import { createAssets, createWeb } from './web/web.ts';

type AppDependencies = Pick<HttpAppDependencies, 'log' | 'metrics'> &
  HealthChecks & {
    domain: Domain;
    /** The endpoints of the chats. */
    mounted?: ChatEndpoint[];
    settings: HttpSettings & Pick<HttpAppDependencies, 'requestsPerClient'>;
  };

/** The app of a process that serves people: the JSON API and the pages over one domain, with health and metrics. */
export function createApp(dependencies: AppDependencies): Koa {
  const { domain, settings } = dependencies;
  const version = packageVersion();
  const openApi = buildOpenApi(
    { pushSchema: domain.pushes.schema, webhookSchema: domain.webhooks.schema },
    { baseUrl: settings.baseUrl, version },
  );
  const http = createHttp(domain, settings);
  const mounted = dependencies.mounted?.map(({ isSigned, ...endpoint }) => ({
    ...endpoint,
    admit: isSigned ? undefined : http.auth.anonymous,
  }));
  return createHttpApp(
    { ...base(dependencies), mounted },
    {
      always: [createAssets()],
      whenReady: [createApi({ domain, version, openApi, ...http }), createWeb({ domain, openApi, ...http })],
    },
  );
}

/** The app of a process that runs the jobs alone: health and metrics. */
export function createMonitoringApp(dependencies: AppDependencies): Koa {
  return createHttpApp(base(dependencies));
}

function base({ settings, log, metrics, requireReady, checkDatabase }: AppDependencies): HttpAppDependencies {
  return { log, metrics, ...settings, health: { requireReady, checkDatabase } };
}
