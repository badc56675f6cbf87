import { type ListParams, type PushParams, RefusedError } from '../client/client.ts';
import { secretKinds } from '../client/encryption.js';
import { takeFirst } from '../client/pages.ts';
import type { ToolProperty } from './arguments.ts';
import {
  createdOutput,
  describeEvent,
  describePush,
  eventOutput,
  listOf,
  objectOf,
  pushOutput,
  withoutLinkMatches,
} from './output.ts';
import { requestTools } from './requestTools.ts';
import { limit, listedMax, type Tool } from './tool.ts';

const push: ToolProperty = { type: 'string', description: 'The id of the push, or its link' };

/** The tools by name. None shows a link but that of what it creates, since whoever has the link of a push opens its secret. */
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
        enum: secretKinds.filter((kind) => kind !== 'file'),
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
      recipients: {
        type: 'array',
        items: { type: 'string' },
        description:
          'E-mail addresses of people who get a link each in a mail of the server, with views that nobody else can use; on hushpush with mail only',
      },
      views_per_recipient: {
        type: 'integer',
        description: 'How often the link of each recipient opens the push; 1 by default',
        minimum: 1,
      },
      recipient_code: {
        type: 'boolean',
        description:
          'Whether those links open only with a code that goes to the same address at that moment; true by default',
      },
    },
    required: ['payload'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    output: createdOutput,
    async run({ client, ids }, given) {
      const params = given as PushParams;
      await client.requireMail(params.recipients ?? []);
      return describePush(await client.create(params), ids, createdOutput);
    },
  },
  preview_push: {
    title: 'Preview a push',
    description: 'Says whether a push exists, also one that has expired. It uses no view and shows no link.',
    properties: { push },
    required: ['push'],
    output: objectOf({ exists: { type: 'boolean' } }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    run: async ({ client, ids }, given) => ({
      exists: await client.preview(ids.nameOf(String(given.push))).then(() => true, falseIfUnknown),
    }),
  },
  push_activity: {
    title: 'Show the activity of a push',
    description:
      'Lists when a push was created, viewed and expired, and from where, oldest first. For pushes of the account.',
    properties: { push, limit },
    required: ['push'],
    output: objectOf({ events: listOf(eventOutput), has_more: { type: 'boolean' } }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    async run({ client, ids }, { push, limit = listedMax }) {
      const events = client.activity(ids.nameOf(String(push)));
      const { first, hasMore } = await takeFirst(events, Number(limit));
      return { events: first.map(describeEvent), has_more: hasMore };
    },
  },
  list_pushes: {
    title: 'List pushes',
    description:
      'Lists the pushes of the account, newest first, without their secrets and links. Only hushpush filters and sorts them.',
    properties: {
      state: { type: 'string', description: 'active by default', enum: ['active', 'expired'] },
      search: { type: 'string', description: 'Only those with this in the name or the note' },
      recipient: { type: 'string', description: 'Only those with a recipient of such a name' },
      kind: { type: 'string', description: 'Only those of this kind', enum: [...secretKinds] },
      sort: {
        type: 'string',
        description: 'By creation, or by when they end or have ended; newest by default',
        enum: ['newest', 'oldest', 'ends_soonest', 'ends_latest'],
      },
      limit,
    },
    required: [],
    output: objectOf({ pushes: listOf(pushOutput), has_more: { type: 'boolean' } }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    async run({ client, ids }, { state = 'active', limit = listedMax, ...params }) {
      const entries = withoutLinkMatches(
        client.list(state as 'active' | 'expired', params as ListParams),
        params.search,
      );
      const { first, hasMore } = await takeFirst(entries, Number(limit));
      const pushes = await Promise.all(first.map((entry) => describePush(entry, ids)));
      return { pushes, has_more: hasMore };
    },
  },
  expire_push: {
    title: 'Expire a push',
    description:
      'Expires a push now. Its secret is erased, and its link stops working. This cannot be undone.',
    properties: { push },
    required: ['push'],
    output: pushOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: async ({ client, ids }, given) =>
      describePush(await client.expire(ids.nameOf(String(given.push))), ids),
  },
  ...requestTools,
};

function falseIfUnknown(error: unknown): false {
  if (error instanceof RefusedError && error.code === 'not_found') return false;
  throw error;
}
