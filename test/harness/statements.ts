import type { Database } from '../../src/database/database.ts';

/** The statements that a database runs from now on. Empty the list to forget those so far. */
export function recordStatements({ sequelize }: Database): string[] {
  const statements: string[] = [];
  const { options } = sequelize as unknown as { options: { logging: (sql: string) => void } };
  options.logging = (sql) => void statements.push(sql.replace(/^Executing \(.*?\): /, ''));
  return statements;
}
