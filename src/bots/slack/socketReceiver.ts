import { setTimeout as sleep } from 'node:timers/promises';
import type { AckFn, App, Receiver } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import { clientOptions, silentLogger } from './restClient.ts';
import type { SlackSettings } from './settings.ts';

type Dependencies = {
  settings: SlackSettings;
  onError: (error: unknown) => void;
};

type SocketEvent = {
  ack: AckFn<unknown>;
  body: Record<string, unknown>;
  retry_num?: number;
  retry_reason?: string;
};

const retryMinMs = 500;
const retryMaxMs = 30_000;

/**
 * A Bolt receiver over a web socket. It connects again by itself, at once when Slack renews the connection and ever more
 * slowly while it cannot: the client's own way of doing so leaves five seconds without a connection, and rejections that
 * nobody handles when Slack is away for longer.
 */
export function createSocketReceiver({ settings, onError }: Dependencies): Receiver {
  const client = new SocketModeClient({
    appToken: settings.appToken ?? '',
    autoReconnectEnabled: false,
    logger: silentLogger,
    clientOptions: clientOptions(settings),
  });
  let isStopping = false;
  let wake = () => {};
  const stopped = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let running: Promise<void> | undefined;

  function init(app: App): void {
    client.on('slack_event', ({ ack, body, retry_num, retry_reason }: SocketEvent) => {
      const retry = {
        ...(retry_num && { retryNum: retry_num }),
        ...(retry_reason && { retryReason: retry_reason }),
      };
      app.processEvent({ body, ack, ...retry }).catch(onError);
    });
  }

  async function run(): Promise<void> {
    for (let delayMs = retryMinMs; !isStopping; ) {
      const disconnected = new Promise((resolve) => client.once('disconnected', resolve));
      try {
        await client.start();
        delayMs = retryMinMs;
        await disconnected;
      } catch (error) {
        if (isStopping) return;
        onError(error);
        await Promise.race([sleep(delayMs), stopped]);
        delayMs = Math.min(2 * delayMs, retryMaxMs);
      }
    }
  }

  return {
    init,
    async start() {
      running = run();
    },
    async stop() {
      isStopping = true;
      wake();
      await client.disconnect();
      await running;
    },
  };
}
