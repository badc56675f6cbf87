import type { RequestLinkObject, RequestLinkParams, RequestParams } from '../client/client.ts';
import type { ToolProperty } from './arguments.ts';
import {
  answerOutput,
  createdLinkOutput,
  listOf,
  objectOf,
  presentAs,
  requestLinkOutput,
  requestOutput,
  withoutLinks,
} from './output.ts';
import { limit, listedMax, type Tool } from './tool.ts';

const requestLink: ToolProperty = { type: 'string', description: 'The id of the request link' };

/** Tools that ask people for secrets. What people answer, and what they call themselves, gets to the user alone. */
export const requestTools: Record<string, Tool> = {
  request_secret: {
    title: 'Request a secret',
    description:
      'Asks people in a chat for a secret, in a direct message; on hushpush only. What they answer gets to the user in that chat, never into this conversation.',
    properties: {
      from: {
        type: 'array',
        items: { type: 'string' },
        description:
          'Who to ask: slack:TEAM:USER, discord:USER or mattermost:USER, with ids; several in one workspace',
      },
      due_in_minutes: { type: 'integer', description: 'How long they have; 14 days by default', minimum: 10 },
      reason: { type: 'string', description: 'What the secret is for; they see it' },
    },
    required: ['from'],
    output: objectOf({ requests: listOf(requestOutput) }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    async run({ client }, given) {
      const { requests } = await client.requests.create(given as RequestParams);
      return { requests: requests.map((request) => presentAs(requestOutput, request)) };
    },
  },
  create_request_link: {
    title: 'Create a request link',
    description:
      'Creates a link by which people without an account send the user a secret, and returns it; on hushpush only. The link opens nothing. What they send gets to the user, never into this conversation.',
    properties: {
      title: { type: 'string', description: 'What is asked for; whoever has the link reads it' },
      note: { type: 'string', description: 'What else they should know; they read it, too' },
      accepts: {
        type: 'string',
        description: 'What they can send; both where the account may attach files, else text',
        enum: ['text', 'files', 'both'],
      },
      expire_after_minutes: {
        type: 'integer',
        description: 'How long it takes answers; a week by default',
        minimum: 5,
      },
      answers: { type: 'integer', description: 'How many answers it takes; 1 by default', minimum: 1 },
      answers_expire_after_days: {
        type: 'integer',
        description: 'Days that an answer waits for the user',
        minimum: 1,
      },
      allow_name: {
        type: 'boolean',
        description: 'Whether they may say who they are; false by default. Only the user reads it',
      },
      passphrase: { type: 'string', description: 'What they must enter to answer' },
    },
    required: ['title'],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    output: createdLinkOutput,
    async run({ client }, given) {
      const created = await client.requests.createLink(given as RequestLinkParams);
      return presentAs(createdLinkOutput, { ...created, ...textsOf(created) });
    },
  },
  list_request_links: {
    title: 'List request links',
    description: 'Lists the request links of the account, newest first, without the links themselves.',
    properties: { limit },
    required: [],
    output: objectOf({ request_links: listOf(requestLinkOutput), has_more: { type: 'boolean' } }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    async run({ client }, { limit = listedMax }) {
      const links = await client.requests.listLinks();
      return {
        request_links: links.slice(0, Number(limit)).map(describeLink),
        has_more: links.length > Number(limit),
      };
    },
  },
  list_answers: {
    title: 'List the answers to a request link',
    description:
      'Lists when answers came, and whether they wait for the user, first answer first. Not what they say, nor who sent them: the user sees that on the page of the link. Whoever answered has the same receipt.',
    properties: { request_link: requestLink, limit },
    required: ['request_link'],
    output: objectOf({ answers: listOf(answerOutput), has_more: { type: 'boolean' } }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    async run({ client }, { request_link, limit = listedMax }) {
      const answers = await client.requests.listAnswers(String(request_link));
      return {
        answers: answers.slice(0, Number(limit)).map((answer) => presentAs(answerOutput, answer)),
        has_more: answers.length > Number(limit),
      };
    },
  },
  close_request_link: {
    title: 'Close a request link',
    description: 'Ends a request link now: it takes no more answers. What was sent stays.',
    properties: { request_link: requestLink },
    required: ['request_link'],
    output: requestLinkOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    run: async ({ client }, { request_link }) =>
      describeLink(await client.requests.closeLink(String(request_link))),
  },
};

const textsOf = ({ title, note }: RequestLinkObject) => ({
  title: title && withoutLinks(title),
  note: note && withoutLinks(note),
});

/** A request link without its address. */
const describeLink = (link: RequestLinkObject): object =>
  presentAs(requestLinkOutput, { ...link, ...textsOf(link) });
