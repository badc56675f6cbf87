import type { Schema } from '../src/database/schema.ts';

/**
 * Passkeys of accounts (WebAuthn). Each belongs to the host that it was created for. The user handle is what the device knows the
 * account by.
 */
export async function up({ createTable }: Schema): Promise<void> {
  await createTable('passkeys', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      account_id: 'BINARY(16) NOT NULL',
      credential_id: 'VARBINARY(1023) NOT NULL UNIQUE',
      public_key: 'BLOB NOT NULL',
      user_handle: 'VARBINARY(64) NOT NULL',
      rp_id: 'VARCHAR(255) NOT NULL',
      name: 'VARCHAR(100) NOT NULL',
      transports: 'VARCHAR(100) NOT NULL',
      sign_count: 'BIGINT NOT NULL',
      backed_up: 'BOOLEAN NOT NULL',
      created_at: 'BIGINT NOT NULL',
      last_used_at: 'BIGINT',
    },
    constraints: ['FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE'],
    indexes: { passkeys_by_account: 'account_id' },
  });
}

export async function down({ dropTable }: Schema): Promise<void> {
  await dropTable('passkeys');
}
