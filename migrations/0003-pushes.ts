import type { Schema } from '../src/database/migrations.ts';

/**
 * Times are epoch milliseconds by the database's clock. Ids are time-ordered (UUIDv7), so that new rows go to the
 * end of the clustered index. The creator's address and agent stand here, not in an audit row: creating is one statement.
 */
export const up = ({ createTable }: Schema) =>
  createTable('pushes', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      token_digest: 'BINARY(32) NOT NULL UNIQUE',
      token_sealed: 'VARBINARY(255)',
      account_id: 'BINARY(16)',
      kind: 'VARCHAR(8) NOT NULL',
      payload: 'MEDIUMBLOB',
      passphrase_hash: 'VARCHAR(60)',
      name: 'VARBINARY(1100)',
      note: 'BLOB',
      deletable_by_viewer: 'BOOLEAN NOT NULL',
      retrieval_step: 'BOOLEAN NOT NULL',
      views_max: 'INT NOT NULL',
      views_used: 'INT NOT NULL DEFAULT 0',
      created_at: 'BIGINT NOT NULL',
      updated_at: 'BIGINT NOT NULL',
      expires_at: 'BIGINT NOT NULL',
      expired_on: 'BIGINT',
      deleted: 'BOOLEAN NOT NULL DEFAULT FALSE',
      creator_ip: 'VARCHAR(45) NOT NULL',
      creator_user_agent: 'VARCHAR(255) NOT NULL',
      creator_referrer: 'VARCHAR(255) NOT NULL',
    },
    indexes: {
      pushes_by_account: 'account_id, created_at',
      pushes_due: 'expired_on, expires_at',
    },
  });

export const down = ({ dropTable }: Schema) => dropTable('pushes');
