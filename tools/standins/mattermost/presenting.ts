import type { FileInfo as FileShape } from '@mattermost/types/files';
import type { Post as PostShape } from '@mattermost/types/posts';
import type { UserProfile } from '@mattermost/types/users';
import type { FileInfo, Post, Role, Team, User } from './world.ts';

/** A user as bots see them (User.SanitizeProfile). */
export const presentUser = (user: User) =>
  ({
    ...{ id: user.id, create_at: 1, update_at: 1, delete_at: user.deleteAt, username: user.username },
    ...{ first_name: '', last_name: '', nickname: '', email: '', locale: user.locale, is_bot: user.isBot },
    roles: user.isSystemAdmin ? 'system_user system_admin' : 'system_user',
    timezone: { useAutomaticTimezone: 'false', automaticTimezone: '', manualTimezone: user.timeZone },
  }) satisfies Partial<UserProfile>;

export const presentTeam = ({ id, name }: Team) => ({
  ...{ id, create_at: 1, update_at: 1, delete_at: 0, display_name: name, name, description: '', type: 'O' },
});

export const presentMember = (team: Team, user: User, role: Role) => ({
  ...{ team_id: team.id, user_id: user.id, delete_at: 0 },
  roles: role === 'admin' ? 'team_user team_admin' : role === 'guest' ? 'team_guest' : 'team_user',
  ...{ scheme_user: role !== 'guest', scheme_admin: role === 'admin', scheme_guest: role === 'guest' },
});

export const presentFile = ({ id, name, type, bytes, author, channel }: FileInfo) =>
  ({
    ...{ id, user_id: author.id, channel_id: channel.id, create_at: 1, update_at: 1, delete_at: 0, name },
    ...{ extension: name.split('.').at(-1) ?? '', size: bytes.length, mime_type: type, width: 0, height: 0 },
    has_preview_image: false,
  }) satisfies Partial<FileShape>;

/** A post as clients see it: without the integrations of its actions (Post.StripActionIntegrations). */
export function presentPost(post: Post) {
  const { id, author, channel, rootId, message, attachments, createAt, editAt, deleted, files } = post;
  const stripped = attachments.map((each) => ({
    ...each,
    actions: (Array.isArray(each.actions) ? each.actions : []).map(({ integration: _, ...action }) => action),
  }));
  return {
    ...{
      id,
      create_at: createAt,
      update_at: editAt || createAt,
      edit_at: editAt,
      delete_at: deleted ? 1 : 0,
    },
    ...{ user_id: author.id, channel_id: channel.id, root_id: rootId, original_id: '', message },
    ...{ is_pinned: false, props: { attachments: stripped }, pending_post_id: '' },
    file_ids: files.map((file) => file.id),
    metadata: { files: files.map(presentFile) } as PostShape['metadata'],
  } satisfies Partial<PostShape>;
}
