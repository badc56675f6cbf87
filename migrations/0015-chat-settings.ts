import type { Schema } from '../src/database/migrations.ts';

/** What a person, or the admins of a workspace, decided about pushes made in a chat; `address` names the one or the other. */
export const up = ({ createTable }: Schema) =>
  createTable('chat_settings', {
    columns: {
      platform: 'VARCHAR(16) NOT NULL',
      address: 'VARCHAR(100) NOT NULL',
      settings: 'TEXT NOT NULL',
    },
    constraints: ['PRIMARY KEY (platform, address)'],
  });

export const down = ({ dropTable }: Schema) => dropTable('chat_settings');
