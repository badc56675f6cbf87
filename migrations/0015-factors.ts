import type { Schema } from '../src/database/schema.ts';

/**
 * What accounts sign in with besides a password: a secret that an authenticator app shares, and codes for when it is lost; and
 * whether a provider vouches for a second factor of its own.
 */
export async function up({ createTable, addColumn }: Schema): Promise<void> {
  await createTable('authenticators', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      account_id: 'BINARY(16) NOT NULL UNIQUE',
      secret: 'BLOB NOT NULL',
      last_step: 'BIGINT NOT NULL',
      created_at: 'BIGINT NOT NULL',
      last_used_at: 'BIGINT',
    },
    constraints: ['FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE'],
  });
  await createTable('recovery_codes', {
    columns: {
      digest: 'BINARY(32) NOT NULL PRIMARY KEY',
      account_id: 'BINARY(16) NOT NULL',
      created_at: 'BIGINT NOT NULL',
    },
    constraints: ['FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE'],
    indexes: { recovery_codes_by_account: 'account_id' },
  });
  await addColumn('provider_identities', 'has_factor', 'BOOLEAN NOT NULL DEFAULT FALSE');
}

export async function down({ dropTable, sequelize }: Schema): Promise<void> {
  await sequelize.query('ALTER TABLE provider_identities DROP COLUMN has_factor');
  for (const table of ['recovery_codes', 'authenticators']) await dropTable(table);
}
