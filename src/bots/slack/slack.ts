import { App, type Receiver } from '@slack/bolt';
import type { AdapterDependencies, ChatAdapter, ChatListener } from '../chatModule.ts';
import type { ChatEndpoint } from '../endpoint.ts';
import { cardsOf } from '../language.ts';
import { type Authorization, createAuthorization } from './authorization.ts';
import { addressOf } from './caller.ts';
import { redactSlackError } from './errors.ts';
import { createFileAccess } from './files.ts';
import { createHttpReceiver } from './httpReceiver.ts';
import { createInstaller } from './installations.ts';
import { createInstallPages } from './installPages.ts';
import { onInteractions } from './interactions.ts';
import { createSlackMessenger } from './messenger.ts';
import { onRemoval } from './removal.ts';
import { noUnfurl, renderSlackMessage } from './render.ts';
import { createSlackReplies } from './replies.ts';
import { silentLogger, slackClientOptions } from './restClient.ts';
import type { SlackSettings } from './settings.ts';
import { createSocketReceiver } from './socketReceiver.ts';
import { createSlackStandings } from './standing.ts';
import { createUserGroups } from './userGroups.ts';
import { createUserProfiles } from './userProfiles.ts';

type Dependencies = AdapterDependencies & { settings: SlackSettings };

/** Slack: interactions and notices. Nothing is requested of Slack before it is needed. */
export function createSlack({ settings, domain, commands, onError: report }: Dependencies): ChatAdapter {
  const onError = (error: unknown) => report(redactSlackError(error));
  const { chat } = domain;
  const installer = settings.botToken === undefined ? createInstaller({ chat, settings }) : undefined;
  const authorization = createAuthorization({ settings, installer, chat });

  const profiles = createUserProfiles();

  /** Serves interactions: over HTTP at the endpoints, or over Socket Mode from `start` to `stop`. */
  function listen(): ChatListener {
    const replies = createSlackReplies(onError);
    const http = createHttpReceiver({ signingSecret: settings.signingSecret ?? '', onError });
    const socket = settings.mode === 'socket' ? createSocketReceiver({ settings, onError }) : undefined;
    const app = createSlackApp(socket ?? http.receiver, authorization, settings);
    const installUrl = installer && `${settings.baseUrl}/slack/install`;
    onInteractions(app, {
      commands,
      replies,
      profiles,
      fileAccess: createFileAccess(settings),
      userGroups: createUserGroups(settings),
      installUrl,
      onError,
    });
    onRemoval(app, { chat, authorization });
    chat.access.connect('slack', createSlackStandings(authorization));
    chat.onComposed('slack', ({ replyTo, locale }, push) => {
      if (replyTo !== undefined) void replies.respondAt(replyTo, commands.pushCreated(push, { locale }));
    });

    return {
      endpoints: [
        ...(socket === undefined
          ? [{ method: 'POST', path: '/slack/events', isSigned: true, handle: http.handle }]
          : []),
        ...installEndpoints(),
      ],
      async start() {
        await socket?.start();
      },
      async stop() {
        await socket?.stop();
      },
    };
  }

  function installEndpoints(): ChatEndpoint[] {
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
    const card = cardsOf({
      locale: await profiles.maybeLocale(client, addressOf(workspace, user)),
    }).installed();
    await client.chat.postMessage({ channel: user, ...renderSlackMessage(card), ...noUnfurl });
  }

  return {
    messenger: createSlackMessenger({ domain, authorization, profiles, linkTo: commands.linkTo }),
    listen,
  };
}

function createSlackApp(receiver: Receiver, authorization: Authorization, settings: SlackSettings): App {
  return new App({
    receiver,
    authorize: authorization.authorize,
    clientOptions: slackClientOptions(settings),
    logger: silentLogger,
  });
}
