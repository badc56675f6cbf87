import type { Database } from '../../database/database.ts';
import type { Platform } from './chatUser.ts';

/** Which commands each platform was told of last, as a SHA-256 in hexadecimal. */
export const createCommandRegistrations = ({ select, execute, withRetries, dialect }: Database) => ({
  async maybeHash(platform: Platform): Promise<string | undefined> {
    const [row] = await select<{ hash: string }>(
      'SELECT definition_hash AS hash FROM command_registrations WHERE platform = $platform',
      { platform },
    );
    return row?.hash;
  },

  async save(platform: Platform, hash: string): Promise<void> {
    await withRetries(() =>
      execute(
        `INSERT INTO command_registrations (platform, definition_hash) VALUES ($platform, $hash)
         ${dialect.onConflict('platform')} definition_hash = ${dialect.excluded('definition_hash')}`,
        { platform, hash },
      ),
    );
  },
});
