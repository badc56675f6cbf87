import type { Database } from '../../database/database.ts';
import type { Platform } from '../people/index.ts';
import { commandRegistrationsTable } from './tables.ts';

/** The commands last registered with each platform, as a SHA-256 in hexadecimal. */
export function createCommandRegistrations({ model }: Database) {
  const Registration = model(commandRegistrationsTable);

  return {
    maybeHash: async (platform: Platform): Promise<string | undefined> =>
      (await Registration.findOne({ where: { platform } }))?.definitionHash,
    async save(platform: Platform, definitionHash: string): Promise<void> {
      await Registration.upsert({ platform, definitionHash });
    },
  };
}
