import { createApp } from './app.ts';
import { firstRunBanner } from './cli/banner.ts';
import { publicUrl } from './config.ts';
import { listeningTurn } from './runtime/listeningTurn.ts';
import { appDependencies, openServer, type ServeDependencies, type Serving } from './server.ts';

/** Listens for people, programs and chats. */
export async function serveWeb(dependencies: ServeDependencies): Promise<Serving> {
  const { config, service, bots, readiness, logger } = dependencies;
  await service.requirePlaces();
  const chats = bots.listen();
  const app = createApp({ ...appDependencies(dependencies), mounted: chats.endpoints });
  if (!(await listeningTurn(readiness.settled))) return { stop: chats.stop };
  const server = await openServer(app, config, 'PORT');
  const url = publicUrl(config);
  logger.info({ url, port: server.port, chats: bots.names }, 'listening');
  await chats.start(readiness.settled);
  if (service.createdFile) process.stdout.write(firstRunBanner(url, service.createdFile));
  return {
    async stop() {
      await Promise.all([server.drain(), chats.stop()]);
    },
  };
}
