import type { SchemaQueries } from '../dialect.ts';

const sqliteTables = `sqlite_master AS t WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
const ofTables = (pragma: string) => sqliteTables.replace(' WHERE ', ` JOIN ${pragma} WHERE `);

export const sqliteSchemaQueries: SchemaQueries = {
  columns: `SELECT t.name AS "table", c.name, c.type, c."notnull" AS isRequired, c.dflt_value AS initial
    FROM ${ofTables('pragma_table_info(t.name) AS c')}`,
  primaryKeys: `SELECT t.name AS "table", 'primary key' AS kind, '' AS "index", c.name
    FROM ${ofTables('pragma_table_info(t.name) AS c')} AND c.pk > 0 ORDER BY t.name, c.pk`,
  indexes: `SELECT t.name AS "table", CASE i."unique" WHEN 1 THEN 'unique' ELSE 'index' END AS kind, i.name AS "index", c.name
    FROM ${ofTables('pragma_index_list(t.name) AS i JOIN pragma_index_info(i.name) AS c')} AND i.origin <> 'pk'
    ORDER BY t.name, i.name, c.seqno`,
  foreignKeys: `SELECT t.name AS "table", f.id AS "key", f."from" AS name, f."table" AS parent, f."to" AS target, f.on_delete AS "end"
    FROM ${ofTables('pragma_foreign_key_list(t.name) AS f')} ORDER BY t.name, f.id, f.seq`,
};
