import { fieldsOf, listOf, textOf } from '../shared/json.ts';
import { dialogProblems, postProblems } from './limits.ts';
import { type SchemaName, shapeProblems } from './openApi.ts';
import type { Platform } from './platform.ts';
import { presentFile, presentMember, presentPost, presentTeam, presentUser } from './presenting.ts';
import type { Channel, Post, User } from './world.ts';

/** What Mattermost responds to a call. */
export type Response = { status?: number; body: unknown; is?: SchemaName; bytes?: Buffer };
export type Request = { user: User; body: unknown; query: URLSearchParams; ids: string[] };

/** A refusal, by Mattermost's name of it. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

export type Route = {
  method: string;
  path: RegExp;
  name: SchemaName | string;
  run(request: Request): Response | Promise<Response>;
};

/** An expired or unknown trigger (DecodeAndVerifyTriggerId): it lives for three seconds at least. */
const triggerLifeMs = 3_000;

/** The API that the bot calls. */
export function createRoutes(platform: Platform, settings: { triggerLifeMs?: number }): Route[] {
  const { world, complain } = platform;
  const requireUser = (id = ''): User =>
    world.users.find((each) => each.id === id) ?? refuse(404, 'app.user.missing_account.const');
  const requireTeam = (id = '') =>
    world.teams.find((each) => each.id === id) ?? refuse(404, 'app.team.get.find.app_error');

  function requireChannel(id: string, user: User): Channel {
    const channel = world.channels.find((each) => each.id === id);
    if (channel?.members.has(user)) return channel;
    return refuse(403, 'api.context.permissions.app_error');
  }

  /** Mattermost says of a post that is gone that it may not be edited (api4/post.go, patchPost). */
  function requireOwnPost(id: string, user: User): Post {
    const post = world.posts.find((each) => each.id === id && !each.deleted && each.onlyFor === undefined);
    return post?.author === user ? post : refuse(403, 'api.context.permissions.app_error');
  }

  const contentOf = (body: unknown) => {
    const { message, props } = fieldsOf(body);
    return { message: textOf(message), attachments: listOf(fieldsOf(props).attachments) };
  };

  function createPost({ user, body }: Request): Response {
    const { channel_id, root_id, file_ids, pending_post_id } = fieldsOf(body);
    const content = contentOf(body);
    complain('a post', postProblems(content.message, content.attachments));
    const channel = requireChannel(textOf(channel_id), user);
    const root = world.posts.find(({ id }) => id === root_id);
    if (root_id && (root === undefined || root.rootId !== '' || root.channel !== channel))
      refuse(400, 'api.post.create_post.root_id.app_error');
    const files = (Array.isArray(file_ids) ? file_ids : []).flatMap(
      (id) => world.files.get(String(id)) ?? [],
    );
    const post = world.post({ channel, author: user, rootId: textOf(root_id), files, ...content });
    return {
      status: 201,
      body: { ...presentPost(post), pending_post_id: textOf(pending_post_id) },
      is: 'Post',
    };
  }

  function patchPost({ user, body, ids: [id = ''] }: Request): Response {
    const content = contentOf(body);
    complain('an edit', postProblems(content.message, content.attachments));
    const post = requireOwnPost(id, user);
    world.edit(post, content);
    return { body: presentPost(post), is: 'Post' };
  }

  function openDialog({ body }: Request): Response {
    const { trigger_id, url, dialog } = fieldsOf(body);
    complain('a dialog', dialogProblems(fieldsOf(dialog)));
    const trigger = world.triggers.get(textOf(trigger_id));
    if (trigger === undefined)
      return refuse(400, 'interactive_message.decode_trigger_id.base64_decode_failed');
    if (world.now() - trigger.at > (settings.triggerLifeMs ?? triggerLifeMs)) {
      complain('a dialog', ['its trigger is too old']);
      return refuse(400, 'interactive_message.decode_trigger_id.expired');
    }
    const { user, channel } = trigger;
    world.dialogs.push({ content: fieldsOf(dialog), url: textOf(url), user, channel, trigger, isOpen: true });
    world.changed();
    return { body: { status: 'OK' }, is: 'StatusOK' };
  }

  function createDirect({ user, body }: Request): Response {
    const [one, other] = (body as string[]).map((id) => requireUser(id));
    if (one === undefined || other === undefined || one !== user)
      return refuse(403, 'api.context.permissions.app_error');
    if (!other.hasDms && user.isBot)
      refuse(403, 'api.channel.create_channel.direct_channel.team_restricted_error');
    const { id, name } = world.directChannel(one, other);
    const channel = {
      id,
      create_at: 1,
      update_at: 1,
      delete_at: 0,
      team_id: '',
      type: 'D',
      display_name: '',
      name,
    };
    return { status: 201, body: channel, is: 'Channel' };
  }

  function listPosts({ user, ids: [id = ''] }: Request): Response {
    const channel = requireChannel(id, user);
    const found = world.posts.filter((each) => each.channel === channel && !each.deleted && !each.onlyFor);
    const posts = Object.fromEntries(found.map((each) => [each.id, presentPost(each)]));
    return { body: { order: found.map((each) => each.id).reverse(), posts }, is: 'PostList' };
  }

  const requireFile = (id: string, user: User) => {
    const file = world.files.get(id) ?? refuse(404, 'app.file_info.get.app_error');
    requireChannel(file.channel.id, user);
    return file;
  };

  const usersWith = (found: (user: User) => boolean): Response => ({
    body: world.users.filter(found).map(presentUser),
    is: 'Users',
  });

  return [
    route('GET', 'users/me', 'getMe', ({ user }) => ({ body: presentUser(user), is: 'User' })),
    route('GET', 'users/me/teams', 'getMyTeams', ({ user }) => ({
      body: world.teams.filter(({ members }) => members.has(user)).map(presentTeam),
      is: 'Teams',
    })),
    route('GET', 'users/:id', 'getUser', ({ ids: [id] }) => ({
      body: presentUser(requireUser(id)),
      is: 'User',
    })),
    route('POST', 'users/ids', 'GetUsersByIds', ({ body }) =>
      usersWith(({ id }) => (body as string[]).includes(id)),
    ),
    route('POST', 'users/usernames', 'GetUsersByUsernames', ({ body }) =>
      usersWith(({ username }) => (body as string[]).includes(username)),
    ),
    route('GET', 'teams/:id/members/:id', 'getTeamMember', ({ user, ids: [id, of] }) => {
      const team = requireTeam(id);
      if (!team.members.has(user)) refuse(403, 'api.context.permissions.app_error');
      const member = requireUser(of);
      const role = team.members.get(member) ?? refuse(404, 'app.team.get_member.missing.app_error');
      return { body: presentMember(team, member, role), is: 'TeamMember' };
    }),
    route('POST', 'channels/direct', 'CreateDirectChannel', createDirect),
    route('GET', 'channels/:id/posts', 'getPosts', listPosts),
    route('POST', 'posts', 'CreatePost', createPost),
    route('PUT', 'posts/:id/patch', 'PatchPost', patchPost),
    route('POST', 'actions/dialogs/open', 'OpenInteractiveDialog', openDialog),
    route('GET', 'files/:id/info', 'getFileInfo', ({ user, ids: [id = ''] }) => ({
      body: presentFile(requireFile(id, user)),
      is: 'FileInfo',
    })),
    route('GET', 'files/:id', 'getFile', ({ user, ids: [id = ''] }) => ({
      body: undefined,
      bytes: requireFile(id, user).bytes,
    })),
  ];
}

export function refuse(status: number, code: string): never {
  throw new Refused(status, code);
}

export const route = (method: string, path: string, name: string, run: Route['run']): Route => ({
  ...{ method, name, run },
  path: new RegExp(`^/api/v4/${path.replaceAll(':id', '([a-z0-9]+)')}$`),
});

/** What is wrong with the shape of a request or a response. */
export const problemsOf = (name: string, body: unknown): string[] => shapeProblems(name as SchemaName, body);
