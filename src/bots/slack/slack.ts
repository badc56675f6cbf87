import { App } from '@slack/bolt';
import type { AdapterDependencies, ChatAdapter, ChatListener } from '../chatModule.ts';
import type { DirectMessages } from '../directMessages.ts';
import { cardsOf } from '../language.ts';
import { createAuthorization, onRemoval, refuseUnauthorized } from './authorization.ts';
import { addressOf } from './caller.ts';
import { onComponents } from './components.ts';
import { explainSlackError, isInvalidToken } from './errors.ts';
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
import { createUserGroups } from './userGroups.ts';

type Dependencies = AdapterDependencies & { settings: SlackSettings };

/** Slack: interactions and notices. Nothing is requested of Slack before it is needed. */
export function createSlack({ settings, domain, interactions, look, onError }: Dependencies): ChatAdapter {
  const { chat } = domain;
  const installer = settings.SLACK_BOT_TOKEN === undefined ? createInstaller(chat, settings) : undefined;
  const authorization = createAuthorization({ settings, installer, chat });
  const people = createSlackPeople(authorization);

  /** Serves interactions: over HTTP at the endpoints, or over Socket Mode from `start` to `stop`. */
  function listen(): ChatListener {
    const http = createHttpReceiver({ signingSecret: settings.SLACK_SIGNING_SECRET ?? '', onError });
    const socket = settings.SLACK_MODE === 'socket' ? createSocketReceiver({ settings, onError }) : undefined;
    const app = new App({
      receiver: socket ?? http.receiver,
      authorize: authorization.authorize,
      clientOptions: slackClientOptions(settings),
      logger: silentLogger,
    });
    const replies = createSlackReplies(onError);
    onInteractions(app, replies);
    onRemoval(app, { chat, authorization });
    const pages = installer ? createInstallPages({ installer, look, onInstalled, onError }) : [];
    const events = { method: 'POST', path: '/slack/events', isSigned: true, handle: http.handle };
    return {
      endpoints: [...(socket === undefined ? [events] : []), ...pages],
      start: async () => socket?.start(),
      stop: async () => socket?.stop(),
      respondAt: (url, card) => replies.respondAt(url, card),
    };
  }

  /** Handles everything that users do in Slack. */
  function onInteractions(app: App, replies: SlackParts['replies']): void {
    const userGroups = createUserGroups(settings);
    const canFetchFiles = createFileAccess(settings);
    const modals = createSlackModals({ interactions, canFetchFiles, userGroups, onError });
    const installUrl = installer && `${settings.baseUrl}/slack/install`;
    const parts = { interactions, modals, replies, people, userGroups, installUrl, onError };
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

  /** Tells whoever installed the app what to do first. */
  async function onInstalled(workspace: string, user: string): Promise<void> {
    authorization.clearCache(workspace);
    const client = await authorization.maybeClient(workspace);
    if (client === undefined) return;
    const { locale } = await people.profileOf(client, addressOf(workspace, user));
    await postCard(client, user, cardsOf({ locale }).installed());
  }

  async function maybeOpen(address: string): Promise<DirectMessages | undefined> {
    const [workspace = '', user = ''] = address.split(':');
    const client = await authorization.maybeClient(workspace);
    if (client === undefined) return undefined;
    return {
      locale: (await people.profileOf(client, address)).locale,
      send: (card, _key, below) => postCard(client, below?.channel ?? user, card, below?.message),
      edit: ({ channel, message: ts }, card) =>
        client.chat.update({ channel, ts, ...renderSlackMessage(card) }),
      async onError(error) {
        if (isInvalidToken(error)) await authorization.removeInstallation(workspace, client.token);
      },
    };
  }

  return { transport: { maybeOpen, explain: explainSlackError }, standings: people.standings, listen };
}
