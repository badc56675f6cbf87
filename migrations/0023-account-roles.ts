import type { Schema } from '../src/database/migrations.ts';

const columns = {
  is_admin: 'BOOLEAN NOT NULL DEFAULT FALSE',
  disabled_at: 'BIGINT',
  locale: 'VARCHAR(16)',
};

/** Who may manage other accounts, who may not do anything any more, and the language that somebody chose. */
export const up = ({ addColumns }: Schema) => addColumns('accounts', columns);

export const down = ({ dropColumns }: Schema) => dropColumns('accounts', Object.keys(columns));
