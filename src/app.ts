import type Koa from 'koa';
import { createApi } from './api/api.ts';
import type { ChatEndpoint } from './bots/endpoint.ts';
import type { Domain } from './domain/index.ts';
import { createHttpApp } from './http/app.ts';
import { createHttp } from './http/http.ts';
import type { ReadOpenApi } from './http/openApi.ts';
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
  const readOpenApi = createOpenApiReader(domain, { baseUrl: settings.baseUrl, version });
  const http = createHttp(domain, settings);
  const mounted = dependencies.mounted?.map(({ isSigned, ...endpoint }) => ({
    ...endpoint,
    admit: isSigned ? undefined : http.auth.anonymous,
  }));
  const web = createWeb({ domain, readOpenApi, ...http });
  return createHttpApp(
    { ...monitoring(dependencies), mounted },
    {
      always: [createAssets()],
      whenReady: [...createApi({ domain, version, readOpenApi, ...http }), web.router],
      errors: web.errors,
    },
  );
}

/** Builds the OpenAPI document when it is first asked for, which most processes never are. */
function createOpenApiReader(
  { pushes, webhooks, chat }: Domain,
  about: { baseUrl: string; version: string },
): ReadOpenApi {
  async function build() {
    const { buildOpenApi } = await import('./api/openapi/document.ts');
    return buildOpenApi(
      { pushSchema: pushes.schema, webhookSchema: webhooks.schema, requestSchema: chat.requestSchema },
      about,
    );
  }
  let document: ReturnType<ReadOpenApi> | undefined;
  return () => {
    document ??= build();
    return document;
  };
}
