import type { SqlCatalog } from "./sql-engine.ts";

/** PostgreSQL 12 or newer. */
export const postgresCatalog: SqlCatalog = {
  tables: ({ pattern, take, skip }) => ({
    text: `
      SELECT n.nspname AS schema, c.relname AS name,
             CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
                            WHEN 'f' THEN 'foreign table' ELSE 'table' END AS kind,
             CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END AS estimate,
             pg_catalog.obj_description(c.oid, 'pg_class') AS comment,
             pg_catalog.count(*) OVER () AS total
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_t%'
        AND pg_catalog.has_table_privilege(c.oid, 'SELECT')
        AND (n.nspname || '.' || c.relname ILIKE $1
             OR pg_catalog.obj_description(c.oid, 'pg_class') ILIKE $1)
      ORDER BY n.nspname, c.relname LIMIT $2 OFFSET $3`,
    values: [pattern, take, skip],
  }),
  columns: ({ schema, table }) => ({
    text: `
      SELECT n.nspname AS schema, c.relname AS table_name, a.attname AS name,
             pg_catalog.format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS is_required,
             pg_catalog.pg_get_expr(d.adbin, d.adrelid) AS default_value,
             pg_catalog.col_description(c.oid, a.attnum) AS comment,
             pg_catalog.obj_description(c.oid, 'pg_class') AS table_comment,
             CASE WHEN c.reltuples >= 0 THEN c.reltuples::bigint END AS estimate
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relname = $2
        AND CASE WHEN $1::text IS NULL THEN pg_catalog.pg_table_is_visible(c.oid)
                 ELSE n.nspname = $1 END
      ORDER BY a.attnum LIMIT 1600`,
    values: [schema, table],
  }),
  keys: ({ schema, table }) => ({
    text: `
      SELECT k.conname AS name, pg_catalog.pg_get_constraintdef(k.oid) AS definition
      FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE k.contype IN ('p', 'u', 'f') AND c.relname = $2
        AND CASE WHEN $1::text IS NULL THEN pg_catalog.pg_table_is_visible(c.oid)
                 ELSE n.nspname = $1 END
      ORDER BY k.contype DESC, k.conname LIMIT 200`,
    values: [schema, table],
  }),
};
