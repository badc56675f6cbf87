import { App, type Receiver } from '@slack/bolt';
import type { Domain, Messenger } from '../../domain/index.ts';
import type { Commands } from '../commands.ts';
import type { ChatEndpoint } from '../endpoint.ts';
import { type Authorization, createAuthorization } from './authorization.ts';
import { onComponents } from './components.ts';
import { redacted } from './errors.ts';
import { createHome } from './home.ts';
import { createHttpReceiver } from './httpReceiver.ts';
import { createInstaller, workspaceOf } from './installations.ts';
import { createInstallPages } from './installPages.ts';
import { createSlackMessenger } from './messenger.ts';
import { createSlackModals } from './modals.ts';
import { createSlackReplies } from './replies.ts';
import { clientOptions, silentLogger } from './restClient.ts';
import type { SlackSettings } from './settings.ts';
import { onShortcuts } from './shortcuts.ts';
import { onSlashCommands } from './slashCommands.ts';
import { createSocketReceiver } from './socketReceiver.ts';
import { onSubmissions } from './submissions.ts';
import { refuseUnauthorized } from './unauthorized.ts';

type Dependencies = {
  settings: SlackSettings;
  domain: Domain;
  commands: Commands;
  /** Told of what failed and nobody else hears of. */
  onError: (error: unknown) => void;
};

/** Slack: people's commands, and the notices that they get. Nothing is asked of Slack before it is used. */
export function createSlack({ settings, domain, commands, onError: told }: Dependencies) {
  const onError = (error: unknown) => told(redacted(error));
  const { chat } = domain;
  const installer = settings.botToken === undefined ? createInstaller({ chat, settings }) : undefined;
  const authorization = createAuthorization({ settings, installer, chat });

  /** Hears what people do: over HTTP at the endpoints, or over a web socket from `start` to `stop`. */
  function listen() {
    const replies = createSlackReplies(onError);
    const http = createHttpReceiver({ signingSecret: settings.signingSecret ?? '', onError });
    const socket = settings.mode === 'socket' ? createSocketReceiver({ settings, onError }) : undefined;
    const app = createApp(socket ?? http.receiver, authorization, settings);
    app.error(async (error) => onError(error));
    app.use((args) => refuseUnauthorized(args, replies));
    const modals = createSlackModals({ commands, onError });
    const home = createHome({ commands, onError });
    onSlashCommands(app, { commands, modals, replies, onError });
    onShortcuts(app, { modals, replies, onError });
    onSubmissions(app, { commands, replies, onError });
    onComponents(app, { commands, modals, replies, home, onError });
    home.onHomeOpened(app);
    onRemoval(app);
    chat.onComposed(({ replyTo }, push) => {
      if (replyTo !== undefined) void replies.respondAt(replyTo, commands.pushCreated(push));
    });
    const pages =
      installer && createInstallPages({ installer, onInstalled: authorization.clearCache, onError });

    const endpoints: ChatEndpoint[] = [
      ...(socket === undefined ? [{ method: 'POST', path: '/slack/events', handle: http.handle }] : []),
      ...(pages === undefined
        ? []
        : [
            { method: 'GET', path: '/slack/install', handle: pages.install },
            { method: 'GET', path: '/slack/oauth_redirect', handle: pages.callback },
          ]),
    ];

    return {
      endpoints,
      start: async () => void (await socket?.start()),
      stop: async () => void (await socket?.stop()),
    };
  }

  /** What was removed is forgotten, however often Slack tells so. */
  function onRemoval(app: App): void {
    app.event('app_uninstalled', async ({ context, body }) => {
      if (!(await chat.deduplication.isNew(`slack ${body.event_id}`))) return;
      await chat.installations.remove('slack', workspaceOf(context));
      authorization.clearCache(workspaceOf(context));
    });
    app.event('tokens_revoked', async ({ context, body, event }) => {
      if (!(await chat.deduplication.isNew(`slack ${body.event_id}`))) return;
      const isWhole = (event.tokens.bot ?? []).length > 0;
      await chat.installations.remove(
        'slack',
        workspaceOf(context),
        isWhole ? undefined : event.tokens.oauth,
      );
      authorization.clearCache(workspaceOf(context));
    });
  }

  return {
    messenger: createSlackMessenger({ domain, authorization, linkTo: commands.linkTo }) satisfies Messenger,
    listen,
  };
}

function createApp(receiver: Receiver, authorization: Authorization, settings: SlackSettings): App {
  return new App({
    receiver,
    authorize: authorization.authorize,
    clientOptions: clientOptions(settings),
    logger: silentLogger,
  });
}
