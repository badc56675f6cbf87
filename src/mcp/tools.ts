import type { ListParams, PushClient, PushParams, RequestParams } from '../client/client.ts';
import type { ToolArguments, ToolProperty } from './arguments.ts';

/** All that tools may do. Retrieving is not part of it: a secret never gets into a conversation. */
export type ToolClient = Pick<PushClient, 'create' | 'preview' | 'list' | 'expire' | 'requests'>;

/** A tool as it is listed, and what it does. Arguments are checked against `properties` before. */
export type Tool = {
  title: string;
  description: string;
  properties: Record<string, ToolProperty>;
  required: string[];
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean };
  run(client: ToolClient, given: ToolArguments): Promise<object>;
};

const push: ToolProperty = { type: 'string', description: 'The link of the push, or its url token' };
const listMax = 50;

/** The tools by name. */
export const tools: Record<string, Tool> = {
  create_push: {
    title: 'Create a push',
    description:
      'Puts a secret behind a link that expires after some views or days, and returns the link. The secret cannot be read back with these tools.',
    properties: {
      payload: { type: 'string', description: 'The secret: a text, or a URL, or what a QR code holds' },
      kind: {
        type: 'string',
        description: 'What the secret is; text by default',
        enum: ['text', 'url', 'qr'],
      },
      expire_after_views: { type: 'integer', description: 'Views until it expires', minimum: 1 },
      expire_after_days: { type: 'integer', description: 'Days until it expires', minimum: 1 },
      expire_after_hours: {
        type: 'integer',
        description: 'Hours until it expires, instead of days; on hushpush only',
        minimum: 1,
      },
      passphrase: { type: 'string', description: 'What viewers must enter' },
      name: { type: 'string', description: 'A name that only the creator sees' },
      note: { type: 'string', description: 'A note that only the creator sees' },
      retrieval_step: { type: 'boolean', description: 'Whether the page asks before it uses a view' },
      deletable_by_viewer: { type: 'boolean', description: 'Whether viewers may expire it' },
    },
    required: ['payload'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    run: async (client, given) => presentEntry(await client.create(given as PushParams)),
  },
  preview_push: {
    title: 'Preview a push',
    description: 'Returns the link of a push. It uses no view and reveals no secret.',
    properties: { push },
    required: ['push'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    run: async (client, given) => ({ url: await client.preview(String(given.push)) }),
  },
  list_pushes: {
    title: 'List pushes',
    description:
      'Lists the pushes of the account, newest first, without their secrets. Only hushpush filters and sorts them.',
    properties: {
      state: { type: 'string', description: 'active by default', enum: ['active', 'expired'] },
      search: { type: 'string', description: 'Only those with this in the name, the note or the link' },
      recipient: { type: 'string', description: 'Only those with a recipient of such a name' },
      kind: { type: 'string', description: 'Only those of this kind', enum: ['text', 'url', 'qr', 'file'] },
      sort: {
        type: 'string',
        description: 'By creation, or by when they end or have ended; newest by default',
        enum: ['newest', 'oldest', 'ends_soonest', 'ends_latest'],
      },
      limit: { type: 'integer', description: `How many to list; ${listMax} by default`, minimum: 1 },
    },
    required: [],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    async run(client, { state = 'active', limit = listMax, ...params }) {
      const pushes: object[] = [];
      for await (const entry of client.list(state as 'active' | 'expired', params as ListParams)) {
        if (pushes.length === limit) return { pushes, has_more: true };
        pushes.push(presentEntry(entry));
      }
      return { pushes, has_more: false };
    },
  },
  expire_push: {
    title: 'Expire a push',
    description:
      'Expires a push now. Its secret is erased, and its link stops working. This cannot be undone.',
    properties: { push },
    required: ['push'],
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: async (client, given) => presentEntry(await client.expire(String(given.push))),
  },
  request_secret: {
    title: 'Request a secret',
    description:
      'Asks people in Slack or Discord for a secret, in a direct message; on hushpush only. What they answer gets to the user in that chat, never into this conversation.',
    properties: {
      from: {
        type: 'array',
        items: { type: 'string' },
        description: 'Who to ask: slack:TEAM:USER or discord:USER, with ids; several in one workspace',
      },
      due_in_minutes: { type: 'integer', description: 'How long they have; 14 days by default', minimum: 10 },
      reason: { type: 'string', description: 'What the secret is for; they see it' },
    },
    required: ['from'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    async run(client, given) {
      const { requests } = await client.requests.create(given as RequestParams);
      return {
        requests: requests.map(({ id, provider, state, expires_at }) => ({
          id,
          provider,
          state,
          expires_at,
        })),
      };
    },
  },
};

const presentedFields = [
  ...['url_token', 'html_url', 'kind', 'name', 'note', 'created_at', 'expires_at', 'expired', 'expired_on'],
  ...['deleted', 'views_remaining', 'views_total', 'passphrase', 'retrieval_step', 'deletable_by_viewer'],
];

/** Named one by one, so that nothing else that a server sends gets into a conversation. */
function presentEntry(entry: object): object {
  const fields = new Map<string, unknown>(Object.entries(entry));
  return Object.fromEntries(
    presentedFields.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)]),
  );
}
