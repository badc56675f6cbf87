import type { Bot } from '@mattermost/types/bots';
import type { Command } from '@mattermost/types/integrations';
import type { Team } from '@mattermost/types/teams';
import type { UserAccessToken } from '@mattermost/types/users';
import { createMattermostApi, type MattermostApi, MattermostError } from '../api.ts';

/** `token` is that of a system admin, who needs it for this alone; `teams` are names, or empty for all teams of the admin. */
export type SetupOptions = { url: string; token: string; baseUrl: string; teams: string[] };

/** What was done, line by line, and the settings that hushpush needs then. */
export type SetUp = { did: string[]; settings: Record<string, string> };

const username = 'hushpush';
const description = 'One-time secrets';

/** Creates the bot, its token, and a command in each team. What exists already is used, but for the token, which is new. */
export async function setUpMattermost({ url, token, baseUrl, teams: names }: SetupOptions): Promise<SetUp> {
  const admin = createMattermostApi(url, token);
  const teams = await requireTeams(admin, names);
  const did: string[] = [];
  const found = await maybeBot(admin);
  const bot =
    found ?? (await admin.call<Bot>('POST', 'bots', { username, display_name: username, description }));
  did.push(found === undefined ? `created the bot @${username}` : `found the bot @${username}`);
  if (bot.delete_at !== 0) await admin.call('POST', `bots/${bot.user_id}/enable`);
  const access = await admin.call<UserAccessToken>('POST', `users/${bot.user_id}/tokens`, {
    description: username,
  });
  did.push('created a token for it');
  const tokens: string[] = [];
  for (const team of teams) {
    await admin.call('POST', `teams/${team.id}/members`, { team_id: team.id, user_id: bot.user_id });
    const existing = (await commandsOf(admin, team)).find(isOurs(baseUrl));
    const command = existing ?? (await admin.call<Command>('POST', 'commands', commandFor(team, baseUrl)));
    tokens.push(command.token);
    did.push(`${existing === undefined ? 'created' : 'found'} the command /push in the team ${team.name}`);
  }
  return {
    did,
    settings: {
      MATTERMOST_URL: url,
      MATTERMOST_TOKEN: access.token ?? '',
      MATTERMOST_COMMAND_TOKENS: tokens.join(','),
    },
  };
}

/** Deletes the commands, revokes the tokens of the bot, and disables it: Mattermost deletes no bots. */
export async function removeFromMattermost({
  url,
  token,
  baseUrl,
  teams: names,
}: SetupOptions): Promise<string[]> {
  const admin = createMattermostApi(url, token);
  const did: string[] = [];
  for (const team of await requireTeams(admin, names))
    for (const { id } of (await commandsOf(admin, team)).filter(isOurs(baseUrl))) {
      await admin.call('DELETE', `commands/${id}`);
      did.push(`deleted the command /push of the team ${team.name}`);
    }
  const bot = names.length === 0 ? await maybeBot(admin) : undefined; // which other teams may go on using
  if (bot === undefined || bot.delete_at !== 0) return did;
  for (const { id } of await admin.call<UserAccessToken[]>('GET', `users/${bot.user_id}/tokens`))
    await admin.call('POST', 'users/tokens/revoke', { token_id: id });
  await admin.call('POST', `bots/${bot.user_id}/disable`);
  return [...did, `revoked the tokens of the bot @${username}, and disabled it`];
}

async function requireTeams(admin: MattermostApi, names: string[]): Promise<Team[]> {
  const { roles } = await admin.me();
  if (!roles.split(' ').includes('system_admin'))
    throw new MattermostError(403, 'the token is not that of a system admin');
  const teams = await admin.myTeams();
  const missing = names.filter((name) => !teams.some((team) => team.name === name));
  if (missing.length > 0) throw new MattermostError(404, `the admin is in no team ${missing.join(', ')}`);
  return names.length === 0 ? teams : teams.filter(({ name }) => names.includes(name));
}

async function maybeBot(admin: MattermostApi): Promise<Bot | undefined> {
  const bots = await admin.call<Bot[]>('GET', 'bots?per_page=200&include_deleted=true');
  return bots.find((bot) => bot.username === username);
}

const commandsOf = (admin: MattermostApi, { id }: Team): Promise<Command[]> =>
  admin.call('GET', `commands?team_id=${id}&custom_only=true`);

const commandUrl = (baseUrl: string) => `${baseUrl}/mattermost/commands`;

const isOurs =
  (baseUrl: string) =>
  ({ trigger, url }: Command): boolean =>
    trigger === 'push' && url === commandUrl(baseUrl);

const commandFor = ({ id }: Team, baseUrl: string) => ({
  team_id: id,
  trigger: 'push',
  method: 'P',
  url: commandUrl(baseUrl),
  username,
  display_name: username,
  description,
  auto_complete: true,
  auto_complete_hint: '[help | list | request @somebody | request link | settings]',
  auto_complete_desc: description,
});
