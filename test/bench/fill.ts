import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import { newId } from '../../src/crypto/ids.ts';

const batch = 1_000;

/** Stores live pushes by bulk inserts. Returns the seconds that it took. */
export async function fillPushes(url: string, count: number): Promise<number> {
  const startedAt = Date.now();
  const connection = await createConnection(url);
  const expiresAt = Date.now() + 30 * 86_400_000;
  for (let stored = 0; stored < count; stored += batch) {
    const rows = Array.from({ length: batch }, () => [
      newId(),
      randomBytes(32),
      'text',
      randomBytes(166),
      1,
      1,
      5,
      startedAt,
      startedAt,
      expiresAt,
      expiresAt,
      '192.0.2.1',
      'fill',
      '',
    ]);
    await connection.query(
      `INSERT INTO pushes (id, token_digest, kind, payload, deletable_by_viewer, retrieval_step, views_max,
       created_at, updated_at, expires_at, due_at, creator_ip, creator_user_agent, creator_referrer) VALUES ?`,
      [rows],
    );
  }
  await connection.end();
  return Math.round((Date.now() - startedAt) / 1000);
}
