import type { Schema } from '../src/database/schema.ts';

/** What an account has the form for a new push suggest, in the notation of the pages. Null leaves it to the operator. */
export async function up({ addColumn }: Schema): Promise<void> {
  await addColumn('accounts', 'form_defaults', 'VARCHAR(255)');
}

export async function down({ sequelize }: Schema): Promise<void> {
  await sequelize.query('ALTER TABLE accounts DROP COLUMN form_defaults');
}
