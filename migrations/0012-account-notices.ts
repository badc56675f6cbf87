import type { Schema } from '../src/database/migrations.ts';

/** What the owner of an account wants to be told of pushes that do not say so themselves; everything, to begin with. */
export const up = ({ addColumns }: Schema) =>
  addColumns('accounts', { notify: 'SMALLINT NOT NULL DEFAULT 30' });

export const down = ({ dropColumns }: Schema) => dropColumns('accounts', ['notify']);
