import { setTimeout as sleep } from 'node:timers/promises';
import type { AckFn, App, Receiver } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';
import { clientOptions, silent } from './restClient.ts';
import type { SlackSettings } from './settings.ts';

type Parts = {
  settings: SlackSettings;
  failed: (error: unknown) => void;
};

type Arrived = {
  ack: AckFn<unknown>;
  body: Record<string, unknown>;
  retry_num?: number;
  retry_reason?: string;
};

const againAfterMs = 500;
const againAfterMaxMs = 30_000;

/**
 * A Bolt receiver over a web socket. It connects again by itself, at once when Slack renews the connection and ever more
 * slowly while it cannot: the client's own way of doing so leaves five seconds without a connection, and rejections that
 * nobody handles when Slack is away for longer.
 */
export function createSocketReceiver({ settings, failed }: Parts): Receiver {
  const client = new SocketModeClient({
    appToken: settings.appToken ?? '',
    autoReconnectEnabled: false,
    logger: silent,
    clientOptions: clientOptions(settings),
  });
  let isStopping = false;
  let wake = () => {};
  const stopped = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let staying: Promise<void> | undefined;

  function init(app: App): void {
    client.on('slack_event', ({ ack, body, retry_num, retry_reason }: Arrived) => {
      const retry = {
        ...(retry_num && { retryNum: retry_num }),
        ...(retry_reason && { retryReason: retry_reason }),
      };
      app.processEvent({ body, ack, ...retry }).catch(failed);
    });
  }

  async function stay(): Promise<void> {
    for (let waitMs = againAfterMs; !isStopping; ) {
      const gone = new Promise((resolve) => client.once('disconnected', resolve));
      try {
        await client.start();
        waitMs = againAfterMs;
        await gone;
      } catch (error) {
        if (isStopping) return;
        failed(error);
        await Promise.race([sleep(waitMs), stopped]);
        waitMs = Math.min(2 * waitMs, againAfterMaxMs);
      }
    }
  }

  return {
    init,
    async start() {
      staying = stay();
    },
    async stop() {
      isStopping = true;
      wake();
      await client.disconnect();
      await staying;
    },
  };
}
