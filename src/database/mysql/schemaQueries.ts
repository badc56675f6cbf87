import type { SchemaQueries } from '../dialect.ts';

export const mysqlSchemaQueries: SchemaQueries = {
  columns: `SELECT table_name AS \`table\`, column_name AS name, column_type AS type, is_nullable = 'NO' AS isRequired,
    column_default AS initial FROM information_schema.columns WHERE table_schema = DATABASE()`,
  primaryKeys: `SELECT table_name AS \`table\`, 'primary key' AS kind, index_name AS \`index\`, column_name AS name
    FROM information_schema.statistics WHERE table_schema = DATABASE() AND index_name = 'PRIMARY'
    ORDER BY table_name, seq_in_index`,
  indexes: `SELECT table_name AS \`table\`, CASE non_unique WHEN 0 THEN 'unique' ELSE 'index' END AS kind,
    index_name AS \`index\`, column_name AS name
    FROM information_schema.statistics WHERE table_schema = DATABASE() AND index_name <> 'PRIMARY'
    ORDER BY table_name, index_name, seq_in_index`,
  foreignKeys: `SELECT k.table_name AS \`table\`, k.constraint_name AS \`key\`, k.column_name AS name,
    k.referenced_table_name AS parent, k.referenced_column_name AS target, r.delete_rule AS \`end\`
    FROM information_schema.key_column_usage AS k JOIN information_schema.referential_constraints AS r
      ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name AND r.table_name = k.table_name
    WHERE k.table_schema = DATABASE() AND k.referenced_table_name IS NOT NULL
    ORDER BY k.table_name, k.constraint_name, k.ordinal_position`,
};
