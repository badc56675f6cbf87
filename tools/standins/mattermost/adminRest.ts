import { fieldsOf, textOf } from '../shared/json.ts';
import type { Acts } from './acts.ts';
import type { Command, Platform } from './platform.ts';
import { presentPost } from './presenting.ts';
import { type Request, type Response, type Route, refuse, route } from './rest.ts';
import { newId, type User } from './world.ts';

/** What operators call once, to set the app up and to try it out. */
export function createAdminRoutes({ world, tokens, commands }: Platform, acts: Acts): Route[] {
  const bots = () => world.users.filter(({ isBot }) => isBot);
  const requireAdmin = ({ user }: Request): User =>
    user.isSystemAdmin ? user : refuse(403, 'api.context.permissions.app_error');
  const requireBot = (id = ''): User =>
    bots().find((bot) => bot.id === id) ?? refuse(404, 'store.sql_bot.get.missing');
  const requireTeam = (id: string) =>
    world.teams.find((team) => team.id === id) ?? refuse(404, 'app.team.get.find.app_error');
  const requirePost = (id = '') =>
    world.posts.find((post) => post.id === id && !post.deleted) ?? refuse(404, 'app.post.get.app_error');

  const presentBot = ({ id, username, deleteAt }: User) => ({
    ...{ user_id: id, username, display_name: username, description: '', owner_id: '' },
    ...{ create_at: 1, update_at: 1, delete_at: deleteAt },
  });
  const presentCommand = ({ id, team, token, trigger, url }: Command) => ({
    ...{
      id,
      token,
      create_at: 1,
      update_at: 1,
      delete_at: 0,
      creator_id: '',
      team_id: team.id,
      trigger,
      method: 'P',
    },
    ...{ username: '', auto_complete: true, auto_complete_desc: '', auto_complete_hint: '', url },
  });

  function createCommand(request: Request): Response {
    requireAdmin(request);
    const { team_id, trigger, url } = fieldsOf(request.body);
    const team = requireTeam(textOf(team_id));
    if (commands.some((each) => each.team === team && each.trigger === trigger))
      refuse(400, 'api.command.duplicate_trigger.app_error');
    const command = { id: newId(), team, token: newId(), trigger: textOf(trigger), url: textOf(url) };
    commands.push(command);
    return { status: 201, body: presentCommand(command), is: 'Command' };
  }

  async function upload({ user, body }: Request): Promise<Response> {
    if (!(body instanceof FormData))
      return refuse(400, 'api.file.upload_file.multiple_channel_ids.app_error');
    const channel = world.channels.find(({ id }) => id === body.get('channel_id'));
    const sent = body.get('files');
    if (!channel?.members.has(user) || !(sent instanceof File))
      return refuse(403, 'api.context.permissions.app_error');
    const bytes = Buffer.from(await sent.arrayBuffer());
    const file = { id: newId(), name: sent.name, type: sent.type, bytes, author: user, channel };
    world.files.set(file.id, file);
    return { status: 201, body: { file_infos: [{ id: file.id, name: file.name }], client_ids: [] } };
  }

  return [
    route('GET', 'bots', 'getBots', (request) => {
      requireAdmin(request);
      return { body: bots().map(presentBot) };
    }),
    route('POST', 'bots', 'CreateBot', (request) => {
      requireAdmin(request);
      const bot = world.addUser(textOf(fieldsOf(request.body).username), { isBot: true });
      return { status: 201, body: presentBot(bot), is: 'Bot' };
    }),
    ...(['enable', 'disable'] as const).map((what) =>
      route('POST', `bots/:id/${what}`, `${what}Bot`, (request) => {
        requireAdmin(request);
        const bot = requireBot(request.ids[0]);
        bot.deleteAt = what === 'enable' ? 0 : world.now();
        return { body: presentBot(bot), is: 'Bot' };
      }),
    ),
    route('POST', 'users/:id/tokens', 'CreateUserAccessToken', (request) => {
      requireAdmin(request);
      const token = newId();
      tokens.set(token, requireBot(request.ids[0]));
      return { body: { id: `id${token}`, token, user_id: request.ids[0], description: '', is_active: true } };
    }),
    route('GET', 'users/:id/tokens', 'getUserAccessTokens', (request) => {
      requireAdmin(request);
      const own = [...tokens].filter(([, { id }]) => id === request.ids[0]);
      return { body: own.map(([token]) => ({ id: `id${token}` })) };
    }),
    route('POST', 'users/tokens/revoke', 'RevokeUserAccessToken', (request) => {
      requireAdmin(request);
      const id = textOf(fieldsOf(request.body).token_id);
      if (!tokens.delete(id.slice('id'.length))) refuse(400, 'app.user_access_token.get_by_user.app_error');
      return { body: { status: 'OK' }, is: 'StatusOK' };
    }),
    route('POST', 'teams/:id/members', 'AddTeamMember', (request) => {
      requireAdmin(request);
      requireTeam(request.ids[0] ?? '').members.set(
        requireBot(textOf(fieldsOf(request.body).user_id)),
        'member',
      );
      return { status: 201, body: {} };
    }),
    route('GET', 'commands', 'getCommands', (request) => {
      requireAdmin(request);
      const of = commands.filter(({ team }) => team.id === request.query.get('team_id'));
      return { body: of.map(presentCommand) };
    }),
    route('POST', 'commands', 'CreateCommand', createCommand),
    route('DELETE', 'commands/:id', 'deleteCommand', (request) => {
      requireAdmin(request);
      const at = commands.findIndex(({ id }) => id === request.ids[0]);
      if (at < 0) refuse(404, 'store.sql_command.get.missing.app_error');
      commands.splice(at, 1);
      return { body: { status: 'OK' }, is: 'StatusOK' };
    }),
    route('GET', 'posts/:id', 'getPost', ({ ids: [id] }) => ({
      body: presentPost(requirePost(id)),
      is: 'Post',
    })),
    route('DELETE', 'posts/:id', 'deletePost', ({ ids: [id] }) => {
      requirePost(id).deleted = true;
      return { body: { status: 'OK' }, is: 'StatusOK' };
    }),
    route('POST', 'posts/:id/actions/:id', 'doPostAction', async ({ user, ids: [id, action] }) => {
      const post = requirePost(id);
      const actions = post.attachments.flatMap((each) => each.actions as Record<string, unknown>[]);
      const pressed =
        actions.find((each) => each.id === action) ?? refuse(404, 'api.post.do_action.action_id.app_error');
      const { error } = await acts.press(post, fieldsOf(pressed.integration), user);
      if (error !== undefined) refuse(400, 'api.post.do_action.action_integration.app_error');
      return { body: { status: 'OK', trigger_id: newId() } };
    }),
    route('POST', 'files', 'uploadFile', upload),
  ];
}
