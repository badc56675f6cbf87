import type Koa from 'koa';
import { createApi } from './api/api.ts';
import type { ChatEndpoint } from './bots/endpoint.ts';
import { publicUrl } from './config.ts';
import type { Domain } from './domain/index.ts';
import { createHttpApp, type HttpAppDependencies } from './http/app.ts';
import { createHttp, type HttpSettings } from './http/http.ts';
import type { ReadOpenApi } from './http/openApi.ts';
import { monitored, openServer, type ServeDependencies, type Serving, stopDelayMs } from './monitoring.ts';
import { firstRunBanner } from './runtime/banner.ts';
import { listeningTurn } from './runtime/listeningTurn.ts';
import { packageVersion } from './runtime/package.ts';
import { createAssets, createWeb } from './web/web.ts';

/** Listens for people, programs and chats. */
export async function serveWeb(dependencies: ServeDependencies): Promise<Serving> {
  const { config, service, bots, readiness, logger } = dependencies;
  await service.requirePlaces();
  const chats = bots.listen();
  const settings = { ...monitored(dependencies), look: await service.openLook() };
  const app = createApp(service.domain, settings, chats.endpoints);
  if (!(await listeningTurn(readiness.settled))) return { stop: chats.stop };
  const server = await openServer(app, config, 'PORT');
  const url = publicUrl(config);
  logger.info({ url, port: server.port, chats: bots.names }, 'listening');
  await chats.start(readiness.settled);
  if (service.createdFile) announceKeys(service.createdFile);

  /** Instructions for a person at a terminal; elsewhere one line of the log, which programs read. */
  function announceKeys(keyFile: string): void {
    if (process.stdout.isTTY) process.stdout.write(firstRunBanner(url, keyFile));
    else logger.warn({ keyFile }, 'the encryption keys were created now: back up that file');
  }

  return {
    async stop() {
      await Promise.all([server.drain(stopDelayMs(config)), chats.stop()]);
    },
  };
}

/** The JSON API and the pages over one domain, with the endpoints of chats, health and metrics. */
export function createApp(
  domain: Domain,
  dependencies: Omit<HttpAppDependencies, 'mounted'> & HttpSettings,
  endpoints: ChatEndpoint[] = [],
): Koa {
  const version = packageVersion();
  const readOpenApi = createOpenApiReader(domain, { baseUrl: dependencies.baseUrl, version });
  const http = createHttp(domain, dependencies);
  const mounted = endpoints.map(({ isSigned, ...endpoint }) => ({
    ...endpoint,
    admit: isSigned ? undefined : http.auth.anonymous,
  }));
  const web = createWeb({ domain, readOpenApi, ...http });
  return createHttpApp(
    { ...dependencies, mounted },
    {
      always: [createAssets(http.look)],
      whenReady: [createApi({ domain, version, readOpenApi, ...http }), web.router],
      errors: web.errors,
    },
  );
}

/** Builds the OpenAPI document when it is first asked for, which most processes never are. */
function createOpenApiReader(
  { pushes, webhooks, chat, requestLinks, trustRules, mailLinks }: Domain,
  about: { baseUrl: string; version: string },
): ReadOpenApi {
  async function build() {
    const { buildOpenApi } = await import('./api/openapi/document.ts');
    return buildOpenApi(
      {
        pushSchema: pushes.schema,
        webhookSchema: webhooks.schema,
        requestSchema: chat.requestSchema,
        requestLinkSchema: requestLinks.schema,
        trustRuleSchema: trustRules.schema,
      },
      { ...about, hasMail: mailLinks.isOn },
    );
  }
  let document: ReturnType<ReadOpenApi> | undefined;
  return () => {
    document ??= build();
    return document;
  };
}
