import type { PushClient } from '../client/client.ts';
import type { ToolArguments, ToolProperty } from './arguments.ts';
import type { OutputSchema } from './output.ts';
import type { PushIds } from './pushIds.ts';

/** All that tools may do. Retrieving is not part of it: a secret never gets into a conversation. */
export type ToolClient = Pick<
  PushClient,
  'create' | 'requireMail' | 'preview' | 'list' | 'activity' | 'expire' | 'requests'
>;

/** What tools work with. */
type ToolContext = { client: ToolClient; ids: PushIds };

/** A tool as it is listed, and what it does. Arguments are checked against `properties` before. */
export type Tool = {
  title: string;
  description: string;
  properties: Record<string, ToolProperty>;
  required: string[];
  output: OutputSchema;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean };
  run(context: ToolContext, given: ToolArguments): Promise<object>;
};

export const listedMax = 50;

/** How many entries a tool lists. */
export const limit: ToolProperty = {
  type: 'integer',
  description: `How many to list; ${listedMax} by default`,
  minimum: 1,
};
