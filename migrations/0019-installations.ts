import type { Schema } from '../src/database/migrations.ts';

/**
 * Where a chat app is installed: the workspace, or the organisation (`is_org`), and the person who installed it, whose row
 * has `person` set. The tokens are sealed.
 */
export const up = ({ createTable }: Schema) =>
  createTable('installations', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      platform: 'VARCHAR(16) NOT NULL',
      workspace: 'VARCHAR(50) NOT NULL',
      person: 'VARCHAR(50) NOT NULL',
      sealed: 'BLOB NOT NULL',
      installed_at: 'BIGINT NOT NULL',
    },
    constraints: ['UNIQUE (platform, workspace, person)'],
  });

export const down = ({ dropTable }: Schema) => dropTable('installations');
