import { z } from 'zod';
import type { Database } from '../../database/database.ts';
import type { PushSettings } from '../settings.ts';
import { parseInput } from '../validation.ts';
import type { Platform, Speaker } from './chatUser.ts';

/** What somebody wants where a push does not say; absent: as the workspace, or the service, has it. */
export type PersonSettings = { expireAfterViews?: number | undefined; expireAfterDays?: number | undefined };

/** What the admins of a workspace decided for everybody in it. */
export type WorkspaceSettings = PersonSettings & {
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
export function createChatSettings({ rows, change, retrying, dialect }: Database, { bounds }: PushSettings) {
  const views = within(bounds.expireAfterViews);
  const days = within(bounds.expireAfterDays);
  const person = z.object({ expireAfterViews: views.optional(), expireAfterDays: days.optional() });
  const workspace = person.extend({
    requireRecipients: z.boolean(),
    allowSlashText: z.boolean(),
    maxViews: views.optional(),
    maxDays: days.optional(),
  });

  async function read(platform: Platform, address: string): Promise<object> {
    const [row] = await rows<{ settings: string }>(
      'SELECT settings FROM chat_settings WHERE platform = $platform AND address = $address',
      { platform, address },
    );
    return row === undefined ? {} : (JSON.parse(row.settings) as object);
  }

  async function write(platform: Platform, address: string, settings: object): Promise<void> {
    await retrying(() =>
      change(
        `INSERT INTO chat_settings (platform, address, settings) VALUES ($platform, $address, $settings)
         ${dialect.onConflict('platform, address')} settings = ${dialect.wanted('settings')}`,
        { platform, address, settings: JSON.stringify(settings) },
      ),
    );
  }

  return {
    ofPerson: ({ platform, address }: Speaker): Promise<PersonSettings> => read(platform, address),
    /** Refuses numbers outside the service's bounds. */
    setPerson: async ({ platform, address }: Speaker, input: PersonSettings) =>
      write(platform, address, parseInput(person, input)),
    ofWorkspace: async (platform: Platform, id: string): Promise<WorkspaceSettings> => ({
      ...workspaceDefaults,
      ...(await read(platform, workspaceAddress(id))),
    }),
    /** What we keep for ourselves about a platform. */
    ofPlatform: (platform: Platform): Promise<PlatformSettings> => read(platform, ourAddress),
    setPlatform: (platform: Platform, settings: PlatformSettings) => write(platform, ourAddress, settings),
    setWorkspace: async (platform: Platform, id: string, input: WorkspaceSettings) =>
      write(platform, workspaceAddress(id), parseInput(workspace, input)),
  };
}

/** No person's address looks like it. */
const workspaceAddress = (id: string) => `workspace ${id}`;

const ourAddress = 'platform';

function within({ min, max }: { min: number; max: number }) {
  const range = `must be between ${min} and ${max}`;
  return z.int(range).min(min, range).max(max, range);
}
