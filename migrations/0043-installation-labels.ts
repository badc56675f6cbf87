import type { Schema } from '../src/database/migrations.ts';

/**
 * How people call the workspace of an installation, and when it was first made: `installed_at` moves on with every renewal
 * of its tokens. Both are null for those made before.
 */
export const up = ({ addColumns }: Schema) =>
  addColumns('installations', { label: 'VARCHAR(100)', first_at: 'BIGINT' });

export const down = ({ dropColumns }: Schema) => dropColumns('installations', ['label', 'first_at']);
