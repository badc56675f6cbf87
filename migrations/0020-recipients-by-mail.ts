import type { Schema } from '../src/database/schema.ts';

/**
 * A recipient who is known by an e-mail address has the platform `mail`, the id of the address, and the address itself as a sealed
 * label. `needs_code`: their link opens only with a code that goes to that address. A code is derived from the random id of its
 * row; it belongs to the browser that asked for it, which may open the push until `proven_until`, once the code was entered there.
 */
export async function up({ addColumn, createTable }: Schema): Promise<void> {
  await addColumn('push_recipients', 'needs_code', 'BOOLEAN NOT NULL DEFAULT FALSE');
  await createTable('recipient_codes', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      recipient_id: 'BINARY(16) NOT NULL',
      browser_digest: 'BINARY(32) NOT NULL UNIQUE',
      tries: 'SMALLINT NOT NULL DEFAULT 0',
      expires_at: 'BIGINT NOT NULL',
      proven_until: 'BIGINT',
    },
    constraints: ['FOREIGN KEY (recipient_id) REFERENCES push_recipients (id) ON DELETE CASCADE'],
    indexes: {
      recipient_codes_by_recipient: 'recipient_id',
      recipient_codes_by_end: 'expires_at, id',
    },
  });
}

export async function down({ sequelize, dropTable }: Schema): Promise<void> {
  await dropTable('recipient_codes');
  await sequelize.query('ALTER TABLE push_recipients DROP COLUMN needs_code');
}
