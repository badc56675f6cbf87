import { z } from 'zod';
import type { Database } from '../../database/database.ts';
import type { PushSettings } from '../settings.ts';
import { asMessage, parseInput } from '../validation.ts';
import type { ChatUser, Platform } from './chatUser.ts';

/** What somebody wants where a push does not say; absent: as the workspace, or the service, has it. */
export type PersonalSettings = {
  expireAfterViews?: number | undefined;
  expireAfterDays?: number | undefined;
};

/** What the admins of a workspace decided for everybody in it. */
export type WorkspaceSettings = PersonalSettings & {
  /** Whether a push needs recipients, so that no link is handed around. */
  requireRecipients: boolean;
  /** Whether a secret may be typed after the slash command, where the chat's vendor reads it. */
  allowSlashText: boolean;
  maxViews?: number | undefined;
  maxDays?: number | undefined;
};

/** What a platform was told of us last, as a hash. */
type PlatformSettings = { definition?: string };

const workspaceDefaults: WorkspaceSettings = { requireRecipients: false, allowSlashText: true };

export type ChatSettings = ReturnType<typeof createChatSettings>;

/** Settings of people and of workspaces, as each platform addresses them. */
export function createChatSettings(
  { select, execute, withRetries, dialect }: Database,
  { bounds }: PushSettings,
) {
  const views = integerBetween(bounds.expireAfterViews);
  const days = integerBetween(bounds.expireAfterDays);
  const personalSchema = z.object({ expireAfterViews: views.optional(), expireAfterDays: days.optional() });
  const workspaceSchema = personalSchema.extend({
    requireRecipients: z.boolean(),
    allowSlashText: z.boolean(),
    maxViews: views.optional(),
    maxDays: days.optional(),
  });

  async function read(platform: Platform, address: string): Promise<object> {
    const [row] = await select<{ settings: string }>(
      'SELECT settings FROM chat_settings WHERE platform = $platform AND address = $address',
      { platform, address },
    );
    return row === undefined ? {} : (JSON.parse(row.settings) as object);
  }

  async function write(platform: Platform, address: string, settings: object): Promise<void> {
    await withRetries(() =>
      execute(
        `INSERT INTO chat_settings (platform, address, settings) VALUES ($platform, $address, $settings)
         ${dialect.onConflict('platform, address')} settings = ${dialect.excluded('settings')}`,
        { platform, address, settings: JSON.stringify(settings) },
      ),
    );
  }

  return {
    ofUser: ({ platform, address }: ChatUser): Promise<PersonalSettings> => read(platform, address),
    /** Refuses numbers outside the service's bounds. */
    setForUser: async ({ platform, address }: ChatUser, input: PersonalSettings) =>
      write(platform, address, parseInput(personalSchema, input)),
    ofWorkspace: async (platform: Platform, id: string): Promise<WorkspaceSettings> => ({
      ...workspaceDefaults,
      ...(await read(platform, workspaceAddress(id))),
    }),
    /** What we keep for ourselves about a platform. */
    ofPlatform: (platform: Platform): Promise<PlatformSettings> => read(platform, platformAddress),
    setForPlatform: (platform: Platform, settings: PlatformSettings) =>
      write(platform, platformAddress, settings),
    setForWorkspace: async (platform: Platform, id: string, input: WorkspaceSettings) =>
      write(platform, workspaceAddress(id), parseInput(workspaceSchema, input)),
  };
}

/** No person's address looks like it. */
const workspaceAddress = (id: string) => `workspace ${id}`;

const platformAddress = 'platform';

function integerBetween({ min, max }: { min: number; max: number }) {
  const range = asMessage({ code: 'between', min, max });
  return z.int(range).min(min, range).max(max, range);
}
