import { urlTokenDigest } from '../../crypto/pepper.ts';
import { DomainError } from '../../errors.ts';
import type { DatabaseWithKeys } from '../base/index.ts';
import { isLive } from './push.ts';

/** A live push that could not be decrypted, by the id of its row. `foundAt` is when a viewer first met that. */
type DamagedPush = { id: string; foundAt: number };

export type DamageRecords = ReturnType<typeof createDamageRecords>;

/** Remembers which live pushes cannot be decrypted. Only a view can tell, because it takes the link. */
export function createDamageRecords({ database: { execute, select, dialect }, keyring }: DatabaseWithKeys) {
  const mark = `UPDATE pushes SET damaged_at = ${dialect.now}
    WHERE damaged_at IS NULL
      AND (token_digest = $digest OR id = (SELECT push_id FROM push_recipients WHERE token_digest = $digest))`;

  return {
    /** Marks a push if an error says that it is damaged, and throws the error in any case. */
    async record(urlToken: string, error: unknown): Promise<never> {
      if (error instanceof DomainError && error.messageCode === 'recordDamaged')
        await execute(mark, { digest: urlTokenDigest(keyring, urlToken) });
      throw error;
    },
    /** The live ones, the oldest finding first. */
    async listDamaged(): Promise<DamagedPush[]> {
      const found = await select<{ id: Buffer; foundAt: number }>(
        `SELECT id, damaged_at AS foundAt FROM pushes
         WHERE damaged_at IS NOT NULL AND ${isLive(dialect.now)} ORDER BY damaged_at`,
        {},
      );
      return found.map(({ id, foundAt }) => ({ id: id.toString('hex'), foundAt: Number(foundAt) }));
    },
  };
}
