import { App, type Receiver } from '@slack/bolt';
import type { Domain, Messenger } from '../../domain/index.ts';
import type { Commands } from '../commands.ts';
import type { Endpoint } from '../endpoint.ts';
import { type Authorization, createAuthorization } from './authorization.ts';
import { onButtons } from './components.ts';
import { describable } from './errors.ts';
import { createHome } from './home.ts';
import { createHttpReceiver } from './httpReceiver.ts';
import { createInstaller, workspaceOf } from './installations.ts';
import { createInstallPages } from './installPages.ts';
import { createSlackMessenger } from './messenger.ts';
import { createOpening } from './modals.ts';
import { createConversation } from './replies.ts';
import { clientOptions, silent } from './restClient.ts';
import type { SlackSettings } from './settings.ts';
import { onShortcuts } from './shortcuts.ts';
import { onSlashCommand } from './slashCommands.ts';
import { createSocketReceiver } from './socketReceiver.ts';
import { onSubmissions } from './submissions.ts';
import { tellObstacle } from './unauthorized.ts';

type Parts = {
  settings: SlackSettings;
  domain: Domain;
  commands: Commands;
  /** Told of what failed and nobody else hears of. */
  failed: (error: unknown) => void;
};

/** Slack: people's commands, and the notices that they get. Nothing is asked of Slack before it is used. */
export function createSlack({ settings, domain, commands, failed: told }: Parts) {
  const failed = (error: unknown) => told(describable(error));
  const { chat } = domain;
  const installer = settings.botToken === undefined ? createInstaller({ chat, settings }) : undefined;
  const authorization = createAuthorization({ settings, installer, chat });

  /** Hears what people do: over HTTP at the endpoints, or over a web socket from `start` to `stop`. */
  function listen() {
    const conversation = createConversation(failed);
    const http = createHttpReceiver({ signingSecret: settings.signingSecret ?? '', failed });
    const socket = settings.mode === 'socket' ? createSocketReceiver({ settings, failed }) : undefined;
    const app = createApp(socket ?? http.receiver, authorization, settings);
    app.error(async (error) => failed(error));
    app.use((args) => tellObstacle(args, conversation));
    const opening = createOpening({ commands, failed });
    const home = createHome({ commands, failed });
    onSlashCommand(app, { commands, opening, conversation, failed });
    onShortcuts(app, { opening, conversation, failed });
    onSubmissions(app, { commands, conversation, failed });
    onButtons(app, { commands, opening, conversation, home, failed });
    home.listen(app);
    onRemoval(app);
    chat.whenComposed(({ replyTo }, push) => {
      if (replyTo !== undefined) void conversation.reply(replyTo, commands.made(push));
    });
    const pages = installer && createInstallPages({ installer, installed: authorization.drop, failed });

    const endpoints: Endpoint[] = [
      ...(socket === undefined ? [{ method: 'POST', path: '/slack/events', answer: http.handle }] : []),
      ...(pages === undefined
        ? []
        : [
            { method: 'GET', path: '/slack/install', answer: pages.begin },
            { method: 'GET', path: '/slack/oauth_redirect', answer: pages.end },
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
      authorization.drop(workspaceOf(context));
    });
    app.event('tokens_revoked', async ({ context, body, event }) => {
      if (!(await chat.deduplication.isNew(`slack ${body.event_id}`))) return;
      const isWhole = (event.tokens.bot ?? []).length > 0;
      await chat.installations.remove(
        'slack',
        workspaceOf(context),
        isWhole ? undefined : event.tokens.oauth,
      );
      authorization.drop(workspaceOf(context));
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
    logger: silent,
  });
}
