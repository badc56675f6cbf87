import type { Fields } from '../shared/json.ts';
import { escaped } from './content.ts';
import { newId } from './ids.ts';
import type { Platform } from './platform.ts';
import type { App, Conversation, Enterprise, Grant, Message, Team, User, View } from './things.ts';
import { presentView } from './viewing.ts';
import { presentMessage } from './webApi/chat.ts';

type Sender = { app: App; user: User; grant: Grant | undefined };

/** https://docs.slack.dev/interactivity/implementing-slash-commands */
export function commandPayload(
  { settings }: Platform,
  { app, user, grant }: Sender,
  {
    command,
    text,
    conversation,
    triggerId,
    responseUrl,
  }: {
    command: string;
    text: string;
    conversation: Conversation;
    triggerId: string;
    responseUrl: string;
  },
): Fields {
  const { team } = user;
  return {
    token: app.verificationToken,
    team_id: team.id,
    team_domain: team.domain,
    channel_id: conversation.id,
    channel_name: conversation.name,
    user_id: user.id,
    user_name: user.name,
    command,
    text: settings.commandTextIsEscaped ? escaped(text) : text,
    api_app_id: app.id,
    is_enterprise_install: String(isOrgWide(grant)),
    ...(team.enterprise && { enterprise_id: team.enterprise.id, enterprise_name: team.enterprise.name }),
    response_url: responseUrl,
    trigger_id: triggerId,
  };
}

/** The fields common to all interactions. For an org-wide app, views and global shortcuts have no team. */
function interaction(type: string, { app, user, grant }: Sender, namesTeam = true): Fields {
  const { team } = user;
  return {
    type,
    token: app.verificationToken,
    api_app_id: app.id,
    team: namesTeam || !isOrgWide(grant) ? presentTeam(team) : null,
    user: { id: user.id, username: user.name, name: user.name, team_id: team.id },
    enterprise: presentEnterprise(team.enterprise),
    is_enterprise_install: isOrgWide(grant),
  };
}

/** https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export function messageActionPayload(who: Sender, message: Message, action: Fields, more: Fields): Fields {
  const { conversation, ts, threadTs, onlyFor } = message;
  const isEphemeral = onlyFor !== undefined;
  return {
    ...interaction('block_actions', who),
    container: {
      type: 'message',
      message_ts: ts,
      channel_id: conversation.id,
      is_ephemeral: isEphemeral,
      ...(threadTs !== undefined && { thread_ts: threadTs }),
    },
    channel: { id: conversation.id, name: conversation.name },
    ...(!isEphemeral && { message: presentEscaped(message) }),
    ...more,
    actions: [action],
  };
}

export function viewActionPayload(who: Sender, view: View, action: Fields, triggerId: string): Fields {
  const shown = presentView(view);
  return {
    ...interaction('block_actions', who, false),
    container: { type: 'view', view_id: view.id },
    trigger_id: triggerId,
    view: shown,
    state: shown.state,
    actions: [action],
  };
}

/** https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
export function submissionPayload(who: Sender, view: View, triggerId: string): Fields {
  return {
    ...interaction('view_submission', who, false),
    trigger_id: triggerId,
    view: presentView(view),
    response_urls: [],
  };
}

export function closingPayload(who: Sender, view: View, isCleared: boolean): Fields {
  return { ...interaction('view_closed', who, false), view: presentView(view), is_cleared: isCleared };
}

/** https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload */
export function shortcutPayload(
  who: Sender,
  callbackId: string,
  actionTs: string,
  triggerId: string,
): Fields {
  const { token, ...rest } = interaction('shortcut', who, false);
  return { ...rest, token, action_ts: actionTs, callback_id: callbackId, trigger_id: triggerId };
}

export function messageShortcutPayload(
  who: Sender,
  message: Message,
  callbackId: string,
  more: Fields,
): Fields {
  const { conversation, ts } = message;
  return {
    ...interaction('message_action', who),
    callback_id: callbackId,
    message_ts: ts,
    channel: { id: conversation.id, name: conversation.name },
    message: presentEscaped(message),
    ...more,
  };
}

/** https://docs.slack.dev/apis/events-api#event-type-structure */
export function eventPayload(
  { clock }: Platform,
  app: App,
  team: Team,
  grant: Grant | undefined,
  event: Fields,
): Fields {
  return {
    token: app.verificationToken,
    team_id: team.id,
    ...(team.enterprise && { enterprise_id: team.enterprise.id }),
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: newId('Ev'),
    event_time: clock.seconds(),
    authorizations: [
      {
        enterprise_id: team.enterprise?.id ?? null,
        team_id: isOrgWide(grant) ? null : team.id,
        user_id: grant?.bot.id ?? null,
        is_bot: true,
        is_enterprise_install: isOrgWide(grant),
      },
    ],
    is_ext_shared_channel: false,
    event_context: newId('4-'),
  };
}

/** Slack stores the texts of users in escaped form. Bots send theirs escaped. */
function presentEscaped(message: Message): Fields {
  const shown = presentMessage(message);
  return message.grant ? shown : { ...shown, text: escaped(message.text) };
}

function presentTeam({ id, domain, enterprise }: Team): Fields {
  return {
    id,
    domain,
    ...(enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name }),
  };
}

function presentEnterprise(enterprise: Enterprise | undefined): Fields | null {
  return enterprise ? { id: enterprise.id, name: enterprise.name } : null;
}

function isOrgWide(grant: Grant | undefined): boolean {
  return grant?.enterprise !== undefined;
}
