import { z } from 'zod';
import type { Database } from '../../database/database.ts';
import type { PushSettings } from '../settings.ts';
import { asMessage, parseInput } from '../validation.ts';
import type { ChatUser, Platform } from './chatUser.ts';

/** A person's own defaults. Undefined leaves a number to the workspace, or to the service. */
export type PersonalSettings = {
  expireAfterViews?: number | undefined;
  expireAfterDays?: number | undefined;
};

/** The rules of a workspace, set by its admins. */
export type WorkspaceSettings = PersonalSettings & {
  /** Whether every push needs recipients. */
  requireRecipients: boolean;
  /** Whether secrets may be typed after a slash command, where the chat's vendor reads them. */
  allowSlashText: boolean;
  maxViews?: number | undefined;
  maxDays?: number | undefined;
};

const workspaceDefaults: WorkspaceSettings = { requireRecipients: false, allowSlashText: true };

export type ChatSettings = ReturnType<typeof createChatSettings>;

/** The settings of people and of workspaces. Setters refuse numbers outside the service's bounds. */
export function createChatSettings(database: Database, { bounds }: PushSettings) {
  const users = createSettingsTable(database, { table: 'chat_user_settings', key: 'address' });
  const workspaces = createSettingsTable(database, { table: 'workspace_settings', key: 'workspace' });
  const views = integerBetween(bounds.expireAfterViews);
  const days = integerBetween(bounds.expireAfterDays);
  const personalSchema = z.object({ expireAfterViews: views.optional(), expireAfterDays: days.optional() });
  const workspaceSchema = personalSchema.extend({
    requireRecipients: z.boolean(),
    allowSlashText: z.boolean(),
    maxViews: views.optional(),
    maxDays: days.optional(),
  });

  return {
    ofUser: ({ platform, address }: ChatUser): Promise<PersonalSettings> => users.read(platform, address),
    setForUser: async ({ platform, address }: ChatUser, input: PersonalSettings) =>
      users.write(platform, address, parseInput(personalSchema, input)),
    ofWorkspace: async (platform: Platform, workspace: string): Promise<WorkspaceSettings> => ({
      ...workspaceDefaults,
      ...(await workspaces.read(platform, workspace)),
    }),
    setForWorkspace: async (platform: Platform, workspace: string, input: WorkspaceSettings) =>
      workspaces.write(platform, workspace, parseInput(workspaceSchema, input)),
  };
}

/** A table with settings as JSON, by platform and one more column. */
function createSettingsTable(
  { select, execute, withRetries, dialect }: Database,
  { table, key }: { table: string; key: string },
) {
  async function read(platform: Platform, id: string): Promise<object> {
    const [row] = await select<{ settings: string }>(
      `SELECT settings FROM ${table} WHERE platform = $platform AND ${key} = $id`,
      { platform, id },
    );
    return row === undefined ? {} : (JSON.parse(row.settings) as object);
  }

  async function write(platform: Platform, id: string, settings: object): Promise<void> {
    await withRetries(() =>
      execute(
        `INSERT INTO ${table} (platform, ${key}, settings) VALUES ($platform, $id, $settings)
         ${dialect.onConflict(`platform, ${key}`)} settings = ${dialect.excluded('settings')}`,
        { platform, id, settings: JSON.stringify(settings) },
      ),
    );
  }

  return { read, write };
}

function integerBetween({ min, max }: { min: number; max: number }) {
  const range = asMessage({ code: 'between', min, max });
  return z.int(range).min(min, range).max(max, range);
}
