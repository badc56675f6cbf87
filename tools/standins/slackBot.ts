import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { App, type AppOptions, type Logger, LogLevel, SocketModeReceiver, webApi } from '@slack/bolt';
import type { Slack } from './slack/slack.ts';

/** A real web client for a token, without retries. */
export function clientOf(
  slack: Slack,
  token: string,
  options: webApi.WebClientOptions = {},
): webApi.WebClient {
  return new webApi.WebClient(token, { ...clientOptions(slack), ...options });
}

function clientOptions(slack: Slack): webApi.WebClientOptions {
  return {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: silent,
  };
}

const nothing = () => {};
const silent = {
  ...{ debug: nothing, info: nothing, warn: nothing, error: nothing },
  ...{ setLevel: nothing, setName: nothing, getLevel: () => LogLevel.ERROR },
};

/** Runs a real Bolt app, which Slack reaches over HTTP. */
export async function startBot(
  slack: Slack,
  listen: (app: App) => void,
  options: AppOptions = {},
  as = slack.app,
) {
  const app = new App({
    signingSecret: as.signingSecret,
    clientOptions: clientOptions(slack),
    logger: silent,
    ...options,
  });
  listen(app);
  const server = (await app.start({ port: 0, host: '127.0.0.1' })) as unknown as Server;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  slack.deliversTo(`${url}/slack/events`, as);
  return { app, url, stop: async () => void (await app.stop()) };
}

/** A token for one workspace, or a function that finds the token of any workspace. */
export type SocketOptions = {
  token?: string;
  authorize?: NonNullable<AppOptions['authorize']>;
  logger?: Logger;
  /** The delay before a reconnect, and the time after which a connection without pongs is given up. */
  clientPingTimeout?: number;
};

/** Runs a real Bolt app that connects to Slack over Socket Mode. */
export async function startSocketBot(
  slack: Slack,
  listen: (app: App) => void,
  { clientPingTimeout = 5000, logger = silent, ...auth }: SocketOptions,
) {
  const receiver = new SocketModeReceiver({
    appToken: slack.app.appToken,
    clientPingTimeout,
    installerOptions: { clientOptions: clientOptions(slack) },
    logger,
  });
  const app = new App({ receiver, ...auth, clientOptions: { ...clientOptions(slack), logger }, logger });
  listen(app);
  await app.start();
  return { app, stop: () => receiver.client.disconnect() };
}

/** A server with given responses, for behaviour that no Bolt app shows. */
export async function startRaw(answer: (res: ServerResponse, body: string, req: IncomingMessage) => void) {
  const server = createServer(async (req, res) => answer(res, await text(req), req));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The error that a promise rejects with. Throws if it does not reject. */
export async function failure(action: Promise<unknown>): Promise<Error & { data?: Record<string, unknown> }> {
  try {
    await action;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it did not fail');
}

export const plain = (words: string) => ({ type: 'plain_text' as const, text: words });
export const section = (words: string) => ({
  type: 'section' as const,
  text: { type: 'mrkdwn' as const, text: words },
});
export const button = (label: string, actionId: string, more: { value?: string; url?: string } = {}) => ({
  ...{ type: 'button' as const, text: plain(label), action_id: actionId },
  ...more,
});
export const actions = (...elements: ReturnType<typeof button>[]) => ({ type: 'actions' as const, elements });

/** A modal with fields for a secret, users and the number of views. */
export const pushModal = {
  type: 'modal' as const,
  callback_id: 'push',
  title: plain('New push'),
  submit: plain('Push'),
  notify_on_close: true,
  blocks: [
    {
      type: 'input' as const,
      block_id: 'secret',
      label: plain('Secret'),
      element: { type: 'plain_text_input' as const, action_id: 'value', multiline: true, max_length: 50 },
    },
    {
      type: 'input' as const,
      block_id: 'people',
      optional: true,
      label: plain('Recipients'),
      element: { type: 'multi_users_select' as const, action_id: 'value', max_selected_items: 2 },
    },
    {
      type: 'input' as const,
      block_id: 'views',
      label: plain('Views'),
      element: {
        type: 'static_select' as const,
        action_id: 'value',
        options: ['1', '5'].map((value) => ({ text: plain(value), value: `views-${value}` })),
        initial_option: { text: plain('1'), value: 'views-1' },
      },
    },
    actions(button('Compose in browser', 'compose', { url: 'https://push.test/compose' })),
  ],
};
