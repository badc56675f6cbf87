/** What a statement does, as far as locks and caches are concerned. */
export type StatementKind =
  | 'begin'
  | 'commit'
  | 'rollback'
  | 'savepoint'
  | 'schema'
  | 'write'
  | 'setting'
  | 'read';

const kinds: Record<string, StatementKind> = {
  ...{ BEGIN: 'begin', COMMIT: 'commit', END: 'commit', SAVEPOINT: 'savepoint', RELEASE: 'savepoint' },
  ...{ CREATE: 'schema', ALTER: 'schema', DROP: 'schema', SELECT: 'read', VALUES: 'read', EXPLAIN: 'read' },
  ...{ VACUUM: 'setting', ATTACH: 'setting', DETACH: 'setting' },
};
const readingPragma =
  /^PRAGMA\s+(?:(?:(?:table|index|foreign_key)_x?(?:info|list|check)|(?:integrity|quick)_check)\b|(?!wal_checkpoint|optimize|incremental_vacuum)\w+\s*;?\s*$)/i;

/**
 * Decides by the first word of the statement: for Sequelize, INSERT … RETURNING is a SELECT. Unknown statements count
 * as writes.
 */
export function kindOf(sql: string): StatementKind {
  const text = sql.replace(/^(?:\s|--.*|\/\*[\s\S]*?\*\/)+/, '');
  const keyword = /^\w*/.exec(text)?.[0].toUpperCase() ?? '';
  if (keyword === 'ROLLBACK') return /\bTO\b/i.test(text) ? 'savepoint' : 'rollback';
  if (keyword === 'WITH') return /\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/i.test(text) ? 'write' : 'read';
  if (keyword === 'PRAGMA') return readingPragma.test(text) ? 'read' : 'setting';
  return kinds[keyword] ?? 'write';
}
