import { z } from 'zod';
import type { Database } from '../../database/database.ts';
import { integerWithin, isTimeZone, type PushSettings, parseInput } from '../base/index.ts';
import { bindingWorkspace, type ChatCaller, type ChatUser, type Platform } from '../people/index.ts';
import { userSettingsTable, workspaceSettingsTable } from './tables.ts';

/** A person's own defaults. Undefined numbers follow the workspace, or else the service. */
export type PersonalSettings = {
  expireAfterViews?: number | undefined;
  expireAfterDays?: number | undefined;
  /** Their time zone (IANA), where the chat does not tell it. */
  timeZone?: string | undefined;
};

/** The rules of a workspace, set by its admins. */
export type WorkspaceSettings = Omit<PersonalSettings, 'timeZone'> & {
  /** Whether every push needs recipients. */
  requireRecipients: boolean;
  /** Whether recipients are always bound: only they can open what was sent to them. */
  requireBound?: boolean | undefined;
  onlyAdminsPush?: boolean | undefined;
  /** Whether guests, and strangers in shared channels, may not push. */
  onlyMembersPush?: boolean | undefined;
  /** The same for receiving. */
  onlyMembersReceive?: boolean | undefined;
  /** Whether secrets may be typed after a slash command, where the chat's vendor can read them. */
  allowSlashText: boolean;
  maxViews?: number | undefined;
  maxDays?: number | undefined;
};

const workspaceDefaults: WorkspaceSettings = { requireRecipients: false, allowSlashText: true };

type AllChatSettings = ReturnType<typeof createChatSettings>;
export type ChatSettings = Omit<AllChatSettings, 'setForWorkspace'>;
export type SetForWorkspace = AllChatSettings['setForWorkspace'];

/** The settings of people and of workspaces. Setters reject numbers outside the service's bounds. */
export function createChatSettings({
  database,
  settings: { bounds, allowSlashText },
}: {
  database: Database;
  settings: PushSettings;
}) {
  const UserSettings = database.model(userSettingsTable);
  const AllWorkspaceSettings = database.model(workspaceSettingsTable);
  const views = integerWithin(bounds.expireAfterViews);
  const days = integerWithin(bounds.expireAfterDays);
  const defaultsSchema = z.object({ expireAfterViews: views.optional(), expireAfterDays: days.optional() });
  const personalSchema = defaultsSchema.extend({ timeZone: z.string().refine(isTimeZone).optional() });
  const workspaceSchema = defaultsSchema.extend({
    requireRecipients: z.boolean(),
    requireBound: z.boolean().optional(),
    onlyAdminsPush: z.boolean().optional(),
    onlyMembersPush: z.boolean().optional(),
    onlyMembersReceive: z.boolean().optional(),
    allowSlashText: z.boolean(),
    maxViews: views.optional(),
    maxDays: days.optional(),
  });

  const ofWorkspace = async (platform: Platform, workspace: string): Promise<WorkspaceSettings> => ({
    ...workspaceDefaults,
    ...parse(await AllWorkspaceSettings.findOne({ where: { platform, workspace } })),
  });

  return {
    ofUser: async ({ platform, address }: ChatUser): Promise<PersonalSettings> =>
      parse(await UserSettings.findOne({ where: { platform, address } })),
    async setForUser({ platform, address }: ChatUser, input: PersonalSettings): Promise<void> {
      const settings = JSON.stringify(parseInput(personalSchema, input));
      await UserSettings.upsert({ platform, address, settings });
    },
    ofWorkspace,
    /** The rules that bind a caller. */
    ofCaller: (caller: Pick<ChatCaller, 'chatUser' | 'workspace'>): Promise<WorkspaceSettings> =>
      ofWorkspace(caller.chatUser.platform, bindingWorkspace(caller)),
    /** Whether neither the operator nor the workspace forbids secrets after a slash command. */
    allowsSlashText: (rules: WorkspaceSettings): boolean =>
      allowSlashText && rules.allowSlashText && !rules.requireRecipients,
    /** Only for `saveRules`, which asks who may. `installation` is where the app is installed that serves the workspace: its organisation, if it has one. */
    async setForWorkspace(
      platform: Platform,
      workspace: string,
      input: WorkspaceSettings,
      installation: string,
    ): Promise<void> {
      const settings = JSON.stringify(parseInput(workspaceSchema, input));
      await AllWorkspaceSettings.upsert({ platform, workspace, installation, settings });
    },
  };
}

const parse = (row: { settings: string } | null) =>
  row === null ? {} : (JSON.parse(row.settings) as object);
