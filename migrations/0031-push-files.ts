import type { Schema } from '../src/database/migrations.ts';

/** How many files a push has, also after its end; and the sealed key to them, which the end erases. */
export const up = ({ addColumns }: Schema) =>
  addColumns('pushes', { file_count: 'SMALLINT NOT NULL DEFAULT 0', files_key: 'VARBINARY(255)' });

export const down = ({ dropColumns }: Schema) => dropColumns('pushes', ['file_count', 'files_key']);
