import type Koa from 'koa';
import { createApi } from './api/api.ts';
import { buildOpenApi } from './api/openapi/document.ts';
import type { ChatEndpoint } from './bots/endpoint.ts';
import type { Domain } from './domain/index.ts';
import { createHttpApp } from './http/app.ts';
import { createHttp } from './http/http.ts';
import { type MonitoringDependencies, monitoring } from './monitoringApp.ts';
import { packageVersion } from './runtime/package.ts';
import { createAssets, createWeb } from './web/web.ts';

type AppDependencies = MonitoringDependencies & {
  domain: Domain;
  /** The endpoints of the chats. */
  mounted?: ChatEndpoint[];
};

/** The app of a process that serves people: the JSON API and the pages over one domain, with health and metrics. */
export function createApp(dependencies: AppDependencies): Koa {
  const { domain, settings } = dependencies;
  const version = packageVersion();
  const openApi = buildOpenApi(
    {
      pushSchema: domain.pushes.schema,
      webhookSchema: domain.webhooks.schema,
      requestSchema: domain.chat.requestSchema,
    },
    { baseUrl: settings.baseUrl, version },
  );
  const http = createHttp(domain, settings);
  const mounted = dependencies.mounted?.map(({ isSigned, ...endpoint }) => ({
    ...endpoint,
    admit: isSigned ? undefined : http.auth.anonymous,
  }));
  const web = createWeb({ domain, openApi, ...http });
  return createHttpApp(
    { ...monitoring(dependencies), mounted },
    {
      always: [createAssets()],
      whenReady: [createApi({ domain, version, openApi, ...http }), web.router],
      errors: web.errors,
    },
  );
}
