import type { AckFn, App, Receiver } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import { type Dispatcher, EnvHttpProxyAgent, getGlobalDispatcher } from 'undici';
import { growingDelay } from '../../retry.ts';
import { createConnection } from '../connection.ts';
import { silentLogger, slackClientOptions } from './restClient.ts';
import type { SlackSettings } from './settings.ts';

/** Whether requests go through a proxy. The client's own dispatcher would go around it. */
const isProxied = (dispatcher: Dispatcher): boolean => dispatcher instanceof EnvHttpProxyAgent;

type Dependencies = { settings: SlackSettings; onError: (error: unknown) => void };

type SocketEvent = { ack: AckFn<unknown>; body: Record<string, unknown> };

const retryMinMs = 500;
const retryMaxMs = 30_000;

/**
 * A Bolt receiver over Socket Mode. It reconnects at once when Slack renews the connection, and with back-off while it
 * cannot. The client's own reconnecting leaves five seconds without a connection, and unhandled rejections in an outage.
 */
export function createSocketReceiver({ settings, onError }: Dependencies): Receiver {
  const dispatcher = getGlobalDispatcher();
  const client = new SocketModeClient({
    appToken: settings.SLACK_APP_TOKEN ?? '',
    autoReconnectEnabled: false,
    ...(isProxied(dispatcher) && { dispatcher }),
    logger: silentLogger,
    clientOptions: slackClientOptions(settings),
  });

  /** Connects, and resolves when the connection is lost. */
  async function connect(): Promise<void> {
    const disconnected = new Promise((resolve) => client.once('disconnected', resolve));
    await client.start();
    await disconnected;
  }

  const connection = createConnection(connect, { delayMs: growingDelay(retryMinMs, retryMaxMs), onError });
  return {
    init(app: App): void {
      client.on('slack_event', ({ ack, body }: SocketEvent) => {
        app.processEvent({ body, ack }).catch(onError);
      });
    },
    start: async () => connection.start(),
    stop: () => connection.stop(() => client.disconnect()),
  };
}
