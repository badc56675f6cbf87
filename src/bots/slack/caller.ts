import type { Context } from '@slack/bolt';
import type { ChatCaller } from '../../domain/index.ts';
import { workspaceOf } from './installations.ts';

/** The language tag that a user has chosen in Slack, their time zone (IANA), and what they are called. */
export type UserProfile = Partial<Record<'locale' | 'timeZone' | 'name', string | undefined>>;

/** The user who acted, and where. A repeated delivery has the same trigger id, or the like; null for what may be repeated. */
export function slackCallerOf(context: Context, user: string, idempotencyKey: string | null): ChatCaller {
  const chatUser = { platform: 'slack' as const, address: addressOf(workspaceOf(context), user) };
  const workspace = context.teamId ?? workspaceOf(context); // rules belong to a workspace, in an organisation too
  const { locale, timeZone }: UserProfile = context.profile ?? {}; // as the middleware found it out
  return { chatUser, workspace, idempotencyKey, locale, timeZone };
}

/** A user's address: `TEAM:USER`, or `ENTERPRISE:USER` where an organisation has the app. */
export const addressOf = (workspace: string, user: string): string => `${workspace}:${user}`;
