import type { Schema } from '../src/database/migrations.ts';

/** Key id 0 is the pepper. */
export const up = ({ createTable }: Schema) =>
  createTable('key_checks', {
    columns: {
      key_id: 'BIGINT NOT NULL PRIMARY KEY',
      check_value: 'BINARY(32) NOT NULL',
    },
  });

export const down = ({ dropTable }: Schema) => dropTable('key_checks');
