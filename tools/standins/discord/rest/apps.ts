import { type Fields, listOf } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';
import { presentUser } from '../presenting.ts';
import type { Command } from '../things.ts';
import { Refused } from './refused.ts';
import type { Request, Routes } from './route.ts';

const commandsPath = '/applications/{application_id}/commands';

/** https://docs.discord.com/developers/interactions/application-commands and …/resources/application */
export const apps: Routes = {
  get_my_application: { method: 'GET', path: '/applications/@me', run: presentApp },
  list_application_commands: {
    method: 'GET',
    path: commandsPath,
    run: (platform, request) => requireOwn(platform, request).commands.map((one) => present(platform, one)),
  },
  bulk_set_application_commands: {
    method: 'PUT',
    path: commandsPath,
    run(platform, request) {
      const app = requireOwn(platform, request);
      app.commands = listOf(request.body).map((one) => register(platform, app.commands, one));
      return app.commands.map((one) => present(platform, one));
    },
  },
  get_bot_gateway: {
    method: 'GET',
    path: '/gateway/bot',
    run: ({ at, startLimit }) => ({
      url: `${at.gatewayUrl}/gateway`,
      shards: 1,
      session_start_limit: { ...startLimit },
    }),
  },
};

function requireOwn({ world }: Platform, { params }: Request) {
  if (params.application_id === world.app.id) return world.app;
  throw new Refused(20012, `the commands of another app: ${params.application_id}`);
}

/** A command keeps its id as long as its name and type stay the same. */
function register({ clock }: Platform, before: Command[], given: Fields): Command {
  const type = Number(given.type ?? 1);
  const name = String(given.name);
  const earlier = before.find((one) => one.name === name && one.type === type);
  return { ...given, id: earlier?.id ?? clock.nextId(), name, type, version: clock.nextId() };
}

function present({ world }: Platform, command: Command): Fields {
  const defaults = { description: '', default_member_permissions: null, dm_permission: true, nsfw: false };
  const scope = { contexts: null, integration_types: world.app.integrationTypes };
  return { ...defaults, ...scope, ...command, application_id: world.app.id };
}

function presentApp({ world }: Platform): Fields {
  const { id, name, bot, publicKey, interactionsUrl } = world.app;
  return {
    ...{ id, name, icon: null, description: '', type: null, verify_key: publicKey, flags: 0, flags_new: '0' },
    ...{
      bot: presentUser(bot),
      bot_public: true,
      bot_require_code_grant: false,
      redirect_uris: [],
      team: null,
    },
    ...{ interactions_endpoint_url: interactionsUrl ?? null, role_connections_verification_url: null },
    ...{ owner: presentUser(bot), explicit_content_filter: 0, eligible_oauth2_scopes: [] },
    approximate_guild_count: world.guilds.filter(({ hasApp }) => hasApp).length,
    approximate_user_install_count: world.users.filter(({ hasApp }) => hasApp).length,
    approximate_user_authorization_count: 0,
    integration_types_config: { 0: {}, 1: {} },
  };
}
