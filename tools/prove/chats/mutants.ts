/** A mistake in an adapter, or in what all adapters share: one edit of a file below `src/`. */
export type ChatMutant = {
  file: string;
  find: string;
  replace: string;
  /** The chat whose kit has to find it; without one, the tests of what adapters cannot get wrong have to. */
  chat?: 'Slack' | 'Discord';
};

const inSlack = (file: string, find: string, replace: string): ChatMutant => ({
  ...{ file: `bots/slack/${file}`, find, replace },
  chat: 'Slack',
});
const inDiscord = (file: string, find: string, replace: string): ChatMutant => ({
  ...{ file: `bots/discord/${file}`, find, replace },
  chat: 'Discord',
});
const shared = (file: string, find: string, replace: string): ChatMutant => ({ file, find, replace });

const nowhere = "({ none: 'outside of workspaces' } as const)";

/** Plausible mistakes of whoever writes an adapter. */
export const chatMutants: Record<string, ChatMutant> = {
  'slack-any-signature': inSlack(
    'httpReceiver.ts',
    '{ signingSecret, logger',
    '{ enabled: false, signingSecret, logger',
  ),
  'slack-from-future': inSlack('httpReceiver.ts', 'if (isFromFuture(req))', 'if (false)'),
  'slack-no-key': inSlack('caller.ts', '    idempotencyKey,\n', '    idempotencyKey: null,\n'),
  'slack-empty-workspace': inSlack('caller.ts', 'context.teamId ?? workspaceOf(context);', "'';"),
  'slack-outside': inSlack('caller.ts', 'context.teamId ?? workspaceOf(context);', `${nowhere};`),
  'slack-no-standings': inSlack(
    'slack.ts',
    "chat.access.connect('slack', createSlackStandings(authorization));",
    '',
  ),
  'slack-guests-are-members': inSlack(
    'standing.ts',
    'if (user.is_restricted || user.is_ultra_restricted)',
    'if (false)',
  ),
  'slack-all-are-admins': inSlack('standing.ts', "? 'admin' : 'member';", "? 'admin' : 'admin';"),
  'slack-stale-standing': inSlack(
    'standing.ts',
    'lookUp(client, chatUser.address, { fresh })',
    'lookUp(client, chatUser.address, {})',
  ),
  'slack-no-escaping': inSlack(
    'render.ts',
    "return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');",
    'return text;',
  ),
  'slack-previews': inSlack(
    'render.ts',
    '{ unfurl_links: false, unfurl_media: false }',
    '{ unfurl_links: true, unfurl_media: true }',
  ),
  'slack-public-answers': inSlack(
    'replies.ts',
    "isPublic ? 'in_channel' : 'ephemeral'",
    "isPublic ? 'in_channel' : 'in_channel'",
  ),
  'slack-burns-at-once': inSlack('render.ts', '...(confirm && {', '...(confirm && undefined && {'),
  'slack-no-channel': inSlack(
    'components.ts',
    'plan.run({ caller, value, channel })',
    'plan.run({ caller, value })',
  ),
  'slack-rules-for-all': inSlack('modals.ts', 'commands.isManager(caller)', 'true'),
  'slack-shares-in-private': inSlack('components.ts', 'card, { isPublic: true })', 'card, {})'),
  'slack-no-language': inSlack('caller.ts', '    ...(locale && { locale }),\n', ''),
  'slack-unreachable-unknown': inSlack('errors.ts', "  'messages_tab_disabled',\n", ''),
  'slack-rate-limit-is-final': inSlack(
    'errors.ts',
    "{ outcome: 'later', reason: 'Slack is rate limiting us', afterMs: error.retryAfter * 1_000 }",
    "{ outcome: 'never', reason: 'Slack is rate limiting us' }",
  ),
  'slack-error-is-final': inSlack(
    'errors.ts',
    "{ outcome: 'later', reason: 'Slack did not respond as expected' }",
    "{ outcome: 'never', reason: 'Slack did not respond as expected' }",
  ),
  'slack-recipients-lost': inSlack(
    'readForm.ts',
    'return (value.selected_users ?? []).map((user) => addressOf(workspace, user));',
    'return [];',
  ),
  'slack-recipients-of-nowhere': inSlack(
    'readForm.ts',
    'return (value.selected_users ?? []).map((user) => addressOf(workspace, user));',
    'return value.selected_users ?? [];',
  ),

  'discord-any-age': inDiscord('httpReceiver.ts', 'if (!isFresh(req))', 'if (false)'),
  'discord-any-signature': inDiscord('httpReceiver.ts', 'if (!isSigned(key, req, body))', 'if (false)'),
  'discord-no-key': inDiscord('caller.ts', 'idempotencyKey: interaction.id', 'idempotencyKey: null'),
  'discord-empty-workspace': inDiscord('caller.ts', 'interaction.guild_id ?? outside', "''"),
  'discord-outside': inDiscord('caller.ts', 'interaction.guild_id ?? outside', 'outside'),
  'discord-no-standing': inDiscord('caller.ts', '    standing: standingOf(interaction),\n', ''),
  'discord-no-standings': inDiscord(
    'discord.ts',
    "domain.chat.access.connect('discord', createDiscordStandings(rest));",
    '',
  ),
  'discord-guests-are-members': inDiscord('standing.ts', "? 'member' : 'guest';", "? 'member' : 'member';"),
  'discord-all-are-managers': inDiscord(
    'standing.ts',
    "isServerManager(interaction) ? 'admin' : memberStanding(member)",
    "isServerManager(interaction) ? 'admin' : 'admin'",
  ),
  'discord-no-escaping': inDiscord(
    'render.ts',
    "escaped(part.bold.replace(/\\s+/g, ' '))",
    "part.bold.replace(/\\s+/g, ' ')",
  ),
  'discord-notifying-mentions': inDiscord(
    'render.ts',
    'allowed_mentions: { parse: [] },\n',
    "allowed_mentions: { parse: ['users', 'everyone'] as never },\n",
  ),
  'discord-previews': inDiscord('render.ts', 'flags: MessageFlags.SuppressEmbeds,\n', 'flags: 0,\n'),
  'discord-public-answers': inDiscord(
    'render.ts',
    'MessageFlags.SuppressEmbeds | MessageFlags.Ephemeral',
    'MessageFlags.SuppressEmbeds',
  ),
  'discord-burns-at-once': inDiscord(
    'render.ts',
    'buildCustomId(act.id, act.value)',
    "buildCustomId(act.id.replace('?', ''), act.value)",
  ),
  'discord-no-channel': inDiscord('components.ts', ', channel: interaction.channel.id }', ' }'),
  'discord-shares-in-private': inDiscord('components.ts', "if (plan.shows === 'publicly')", 'if (false)'),
  'discord-no-language': inDiscord(
    'caller.ts',
    '    ...(interaction.locale && { locale: interaction.locale }),\n',
    '',
  ),
  'discord-unreachable-unknown': inDiscord('errors.ts', '  Code.CannotSendMessagesToThisUser,\n', ''),
  'discord-rate-limit-is-final': inDiscord(
    'errors.ts',
    "{ outcome: 'later', reason: 'Discord is rate limiting us', afterMs: error.retryAfter }",
    "{ outcome: 'never', reason: 'Discord is rate limiting us' }",
  ),
  'discord-error-is-final': inDiscord(
    'errors.ts',
    "{ outcome: 'later', reason: 'Discord did not respond as expected' }",
    "{ outcome: 'never', reason: 'Discord did not respond as expected' }",
  ),
  'discord-rules-for-all': inDiscord('slashCommands.ts', "caller.standing === 'admin'", 'true'),

  'empty-workspace-passes': shared(
    'domain/people/chatUser.ts',
    "if (workspace === '') throw",
    'if (false) throw',
  ),
  'any-recipient-passes': shared(
    'domain/people/chatUser.ts',
    'if (!users.every(({ platform, address }) => isChatAddress(platform, address)))',
    'if (false)',
  ),
  'rules-by-anybody': shared(
    'domain/workspaces/workspaceAccess.ts',
    'if (!(await isManager(caller))) throw',
    'if (false) throw',
  ),
  'channel-of-nowhere': shared('domain/pushes/sharing.ts', "if (address === '') throw", 'if (false) throw'),
  'share-without-channel': shared('bots/interactions/presses.ts', 'if (!channel) throw', 'if (false) throw'),
  'key-stays-used': shared('bots/commands/submit.ts', 'if (isUndone) await', 'if (false) await'),
  'typed-secrets-cannot-be-forbidden': shared(
    'bots/commands/submit.ts',
    'const { hasSlashText } = platforms[caller.chatUser.platform];',
    'const hasSlashText = false;',
  ),
  'burn-asks-nothing': shared('bots/cards/buttons.ts', 'id: actions.askBurn,', 'id: actions.burn,'),
  'button-without-plan': shared(
    'bots/interactions/presses.ts',
    '    [actions.extend]: instead(commands.extend),\n',
    '',
  ),
};
