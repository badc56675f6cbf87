import { App } from '@slack/bolt';
import type { AdapterDependencies, ChatAdapter, ChatListener } from '../chatModule.ts';
import type { ChatTransport } from '../directMessages.ts';
import { cardsOf } from '../language.ts';
import { createAuthorization, onRemoval } from './authorization.ts';
import { addressOf } from './caller.ts';
import { onComponents } from './components.ts';
import {
  isInvalidToken,
  isSlackMessageMissing,
  isSlackUnreachable,
  redactSlackError,
  slackDeliveryOf,
} from './errors.ts';
import { createFileAccess } from './files.ts';
import { createHttpReceiver } from './httpReceiver.ts';
import { createInstaller, workspaceOf } from './installations.ts';
import { createInstallPages } from './installPages.ts';
import { createSlackModals } from './modals.ts';
import type { SlackParts } from './parts.ts';
import { createSlackPeople } from './people.ts';
import { renderSlackMessage } from './render.ts';
import { createSlackReplies, postCard } from './replies.ts';
import { silentLogger, slackClientOptions } from './restClient.ts';
import type { SlackSettings } from './settings.ts';
import { onShortcuts } from './shortcuts.ts';
import { onSlashCommands } from './slashCommands.ts';
import { createSocketReceiver } from './socketReceiver.ts';
import { onSubmissions } from './submissions.ts';
import { refuseUnauthorized } from './unauthorized.ts';
import { createUserGroups } from './userGroups.ts';

type Dependencies = AdapterDependencies & { settings: SlackSettings };

/** Slack: interactions and notices. Nothing is requested of Slack before it is needed. */
export function createSlack({ settings, domain, commands, onError: report }: Dependencies): ChatAdapter {
  const onError = (error: unknown) => report(redactSlackError(error));
  const { chat } = domain;
  const installer = settings.botToken === undefined ? createInstaller({ chat, settings }) : undefined;
  const authorization = createAuthorization({ settings, installer, chat });
  const people = createSlackPeople(authorization);

  /** Serves interactions: over HTTP at the endpoints, or over Socket Mode from `start` to `stop`. */
  function listen(): ChatListener {
    const http = createHttpReceiver({ signingSecret: settings.signingSecret ?? '', onError });
    const socket = settings.mode === 'socket' ? createSocketReceiver({ settings, onError }) : undefined;
    const app = new App({
      receiver: socket ?? http.receiver,
      authorize: authorization.authorize,
      clientOptions: slackClientOptions(settings),
      logger: silentLogger,
    });
    const replies = createSlackReplies(onError);
    onInteractions(app, replies);
    onRemoval(app, { chat, authorization });
    chat.access.connect('slack', people.standings);
    chat.onComposed('slack', ({ replyTo, locale }, push) => {
      if (replyTo !== undefined) void replies.respondAt(replyTo, commands.pushCreated(push, { locale }));
    });
    const events = { method: 'POST', path: '/slack/events', isSigned: true, handle: http.handle };
    return {
      endpoints: [...(socket === undefined ? [events] : []), ...installEndpoints()],
      start: async () => socket?.start(),
      stop: async () => socket?.stop(),
    };
  }

  /** Handles everything that users do in Slack. */
  function onInteractions(app: App, replies: SlackParts['replies']): void {
    const userGroups = createUserGroups(settings);
    const modals = createSlackModals({
      commands,
      fileAccess: createFileAccess(settings),
      userGroups,
      onError,
    });
    const installUrl = installer && `${settings.baseUrl}/slack/install`;
    const parts = { commands, modals, replies, people, userGroups, installUrl, onError };
    app.error(async (error) => onError(error));
    app.use((args) => refuseUnauthorized(args, parts));
    app.use(async ({ context, client, next }) => {
      const { userId } = context;
      if (userId !== undefined)
        context.profile = await people.profileOf(client, addressOf(workspaceOf(context), userId));
      await next();
    });
    for (const on of [onSlashCommands, onShortcuts, onSubmissions, onComponents]) on(app, parts);
  }

  function installEndpoints(): ChatListener['endpoints'] {
    if (installer === undefined) return [];
    const pages = createInstallPages({ installer, onInstalled, onError });
    return [
      { method: 'GET', path: '/slack/install', isSigned: false, handle: pages.install },
      { method: 'GET', path: '/slack/oauth_redirect', isSigned: false, handle: pages.callback },
    ];
  }

  /** Tells whoever installed the app what to do first. */
  async function onInstalled(workspace: string, user: string): Promise<void> {
    authorization.clearCache(workspace);
    const client = await authorization.maybeClient(workspace);
    if (client === undefined) return;
    const { locale } = await people.profileOf(client, addressOf(workspace, user));
    await postCard(client, user, cardsOf({ locale }).installed());
  }

  const transport: ChatTransport = {
    async maybeOpen(address) {
      const [workspace = '', user = ''] = address.split(':');
      const client = await authorization.maybeClient(workspace);
      if (client === undefined) return undefined;
      return {
        locale: (await people.profileOf(client, address)).locale,
        send: (card) => postCard(client, user, card),
        async edit({ channel, message: ts }, card) {
          await client.chat.update({ channel, ts, ...renderSlackMessage(card) });
        },
        reply: ({ channel, message }, card) => postCard(client, channel, card, message),
        async onError(error) {
          if (isInvalidToken(error)) await authorization.removeInstallation(workspace, client.token);
        },
      };
    },
    isLost: isSlackMessageMissing,
    isUnreachable: isSlackUnreachable,
    toDelivery: slackDeliveryOf,
  };

  return { transport, listen };
}
