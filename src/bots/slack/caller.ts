import type { Context } from '@slack/bolt';
import type { ChatCaller } from '../../domain/index.ts';
import type { ChatReader } from '../language.ts';
import { workspaceOf } from './installations.ts';

/** The user who did something, and where. Slack's trigger id or the like tells a repeated delivery from a new action. */
export function slackCallerOf(context: Context, user: string, idempotencyKey?: string): ChatCaller {
  const chatUser = { platform: 'slack' as const, address: addressOf(workspaceOf(context), user) };
  const workspace = context.teamId ?? workspaceOf(context); // rules belong to a workspace, in an organisation too
  const { locale } = readerIn(context);
  return { chatUser, workspace, ...(locale && { locale }), ...(idempotencyKey && { idempotencyKey }) };
}

/** The user in their language, as the middleware found it out. */
const readerIn = ({ locale }: Context): ChatReader => ({
  locale: typeof locale === 'string' ? locale : undefined,
});

/** A user's address: `TEAM:USER`, or `ENTERPRISE:USER` where an organisation has the app. */
export const addressOf = (workspace: string, user: string): string => `${workspace}:${user}`;
