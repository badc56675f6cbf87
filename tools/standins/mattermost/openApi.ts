import { Ajv2020 } from 'ajv/dist/2020.js';

/*
 * What Mattermost's OpenAPI document says of the requests and responses that we use: the names, types and required
 * properties in api/v4/source/{posts,actions,channels,users,teams,commands,bots,definitions}.yaml of mattermost/mattermost.
 * It calls the props of a patched post a string; the server reads an object (PostPatch in server/public/model/post.go).
 */

type Type = 'string' | 'integer' | 'boolean' | 'object';
const [text, number, flag, object] = ['string', 'integer', 'boolean', 'object'] as const satisfies Type[];
const texts = { type: 'array', items: { type: 'string' } };
const times = { create_at: number, update_at: number, delete_at: number };

function objectOf(properties: Record<string, Type | object>, required: string[] = []) {
  const schemas = Object.entries(properties).map(([name, type]) => [
    name,
    typeof type === 'string' ? { type } : type,
  ]);
  return { type: 'object', required, properties: Object.fromEntries(schemas) };
}

const newPost = {
  channel_id: text,
  message: text,
  root_id: text,
  file_ids: texts,
  props: object,
  metadata: object,
};
const dialog = objectOf(
  {
    ...{ callback_id: text, title: text, introduction_text: text, submit_label: text, state: text },
    ...{ notify_on_cancel: flag, elements: { type: 'array', items: { type: 'object' } } },
  },
  ['title', 'elements'],
);
const post = objectOf({
  ...{
    id: text,
    ...times,
    edit_at: number,
    user_id: text,
    channel_id: text,
    root_id: text,
    original_id: text,
  },
  ...{ message: text, type: text, props: object, file_ids: texts, pending_post_id: text, metadata: object },
});
const user = objectOf({
  ...{ id: text, ...times, username: text, first_name: text, last_name: text, nickname: text, email: text },
  ...{ roles: text, locale: text, props: object, timezone: object },
});
const team = objectOf({ id: text, ...times, display_name: text, name: text, description: text, type: text });

const schemas = {
  CreatePost: objectOf(newPost, ['channel_id', 'message']),
  PatchPost: objectOf({
    message: text,
    is_pinned: flag,
    file_ids: texts,
    has_reactions: flag,
    props: object,
  }),
  OpenInteractiveDialog: objectOf({ trigger_id: text, url: text, dialog }, ['trigger_id', 'url', 'dialog']),
  CreateDirectChannel: { ...texts, minItems: 2, maxItems: 2 },
  GetUsersByIds: texts,
  GetUsersByUsernames: texts,
  CreateCommand: objectOf({ team_id: text, method: text, trigger: text, url: text }, [
    ...['team_id', 'method', 'trigger', 'url'],
  ]),
  CreateBot: objectOf({ username: text, display_name: text, description: text }, ['username']),
  CreateUserAccessToken: objectOf({ description: text }, ['description']),
  AddTeamMember: objectOf({ team_id: text, user_id: text }),
  Post: post,
  PostList: objectOf({ order: texts, posts: { type: 'object', additionalProperties: post } }),
  User: user,
  Users: { type: 'array', items: user },
  Teams: { type: 'array', items: team },
  TeamMember: objectOf({
    team_id: text,
    user_id: text,
    roles: text,
    delete_at: number,
    scheme_user: flag,
    scheme_admin: flag,
  }),
  Channel: objectOf({ id: text, ...times, team_id: text, type: text, display_name: text, name: text }),
  FileInfo: objectOf({
    ...{ id: text, user_id: text, post_id: text, ...times, name: text, extension: text, size: number },
    ...{ mime_type: text, width: number, height: number, has_preview_image: flag },
  }),
  Command: objectOf({
    ...{ id: text, token: text, ...times, creator_id: text, team_id: text, trigger: text, method: text },
    ...{ username: text, auto_complete: flag, auto_complete_desc: text, auto_complete_hint: text },
    ...{ display_name: text, description: text, url: text },
  }),
  Bot: objectOf({
    user_id: text,
    ...times,
    username: text,
    display_name: text,
    description: text,
    owner_id: text,
  }),
  StatusOK: objectOf({ status: text }),
  AppError: objectOf({ status_code: number, id: text, message: text, request_id: text }),
};

export type SchemaName = keyof typeof schemas;

const ajv = new Ajv2020({ allErrors: true, strict: false });
const compiled = new Map(Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)]));

/** Where a body is not as Mattermost describes it. */
export function shapeProblems(name: SchemaName, body: unknown): string[] {
  const validate = compiled.get(name);
  if (validate === undefined || validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
}
