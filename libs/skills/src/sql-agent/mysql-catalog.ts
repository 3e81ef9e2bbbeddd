import type { SqlCatalog } from "./sql-engine.ts";

const ownSchemas = "('mysql', 'information_schema', 'performance_schema', 'sys')";

/** MySQL 5.7 and MariaDB 10.2 or newer. A schema is a database there. */
export const mysqlCatalog: SqlCatalog = {
  tables: ({ pattern, take, skip }) => ({
    text: `
      SELECT t.TABLE_SCHEMA AS \`schema\`, t.TABLE_NAME AS name,
             IF(t.TABLE_TYPE LIKE '%VIEW', 'view', 'table') AS kind, t.TABLE_ROWS AS estimate,
             NULLIF(IF(t.TABLE_TYPE LIKE '%VIEW', '', t.TABLE_COMMENT), '') AS comment,
             (SELECT COUNT(*) FROM information_schema.TABLES AS a
              WHERE a.TABLE_SCHEMA NOT IN ${ownSchemas}
                AND (CONCAT(a.TABLE_SCHEMA, '.', a.TABLE_NAME) LIKE ? OR a.TABLE_COMMENT LIKE ?)
             ) AS total
      FROM information_schema.TABLES AS t
      WHERE t.TABLE_SCHEMA NOT IN ${ownSchemas}
        AND (CONCAT(t.TABLE_SCHEMA, '.', t.TABLE_NAME) LIKE ? OR t.TABLE_COMMENT LIKE ?)
      ORDER BY t.TABLE_SCHEMA, t.TABLE_NAME LIMIT ? OFFSET ?`,
    values: [pattern, pattern, pattern, pattern, take, skip],
  }),
  columns: ({ schema, table }) => ({
    text: `
      SELECT c.TABLE_SCHEMA AS \`schema\`, c.TABLE_NAME AS table_name, c.COLUMN_NAME AS name,
             c.COLUMN_TYPE AS type, c.IS_NULLABLE = 'NO' AS is_required,
             c.COLUMN_DEFAULT AS default_value, NULLIF(c.COLUMN_COMMENT, '') AS comment,
             NULLIF(t.TABLE_COMMENT, '') AS table_comment, t.TABLE_ROWS AS estimate
      FROM information_schema.COLUMNS AS c
      JOIN information_schema.TABLES AS t USING (TABLE_SCHEMA, TABLE_NAME)
      WHERE c.TABLE_SCHEMA = COALESCE(?, DATABASE()) AND c.TABLE_NAME = ?
      ORDER BY c.ORDINAL_POSITION LIMIT 2000`,
    values: [schema, table],
  }),
  keys: ({ schema, table }) => ({
    text: `
      SELECT k.CONSTRAINT_NAME AS name,
             CONCAT(IF(k.CONSTRAINT_NAME = 'PRIMARY', 'PRIMARY KEY',
                       IF(MAX(k.REFERENCED_TABLE_NAME) IS NULL, 'UNIQUE', 'FOREIGN KEY')), ' (',
                    GROUP_CONCAT(k.COLUMN_NAME ORDER BY k.ORDINAL_POSITION SEPARATOR ', '), ')',
                    COALESCE(CONCAT(' REFERENCES ', MAX(k.REFERENCED_TABLE_NAME), ' (',
                      GROUP_CONCAT(k.REFERENCED_COLUMN_NAME ORDER BY k.ORDINAL_POSITION
                                   SEPARATOR ', '), ')'), '')) AS definition
      FROM information_schema.KEY_COLUMN_USAGE AS k
      WHERE k.TABLE_SCHEMA = COALESCE(?, DATABASE()) AND k.TABLE_NAME = ?
      GROUP BY k.CONSTRAINT_NAME ORDER BY k.CONSTRAINT_NAME <> 'PRIMARY', k.CONSTRAINT_NAME LIMIT 200`,
    values: [schema, table],
  }),
};
