import type { SqlCatalog } from "./sql-engine.ts";

const comment = (column: string): string =>
  `(SELECT TOP (1) CAST(e.value AS nvarchar(1000)) FROM sys.extended_properties AS e
    WHERE e.class = 1 AND e.major_id = o.object_id AND e.minor_id = ${column}
      AND e.name = N'MS_Description')`;
const estimate = `
  (SELECT SUM(p.rows) FROM sys.partitions AS p WHERE p.object_id = o.object_id AND p.index_id < 2)`;
const isWanted = "o.name = @p2 AND SCHEMA_NAME(o.schema_id) = COALESCE(@p1, SCHEMA_NAME(), N'dbo')";

/** SQL Server 2017 or newer. */
export const sqlServerCatalog: SqlCatalog = {
  tables: ({ pattern, take, skip }) => ({
    text: `
      SELECT SCHEMA_NAME(o.schema_id) AS [schema], o.name AS name,
             CASE o.type WHEN 'V' THEN 'view' ELSE 'table' END AS kind,
             ${estimate} AS estimate, ${comment("0")} AS comment, COUNT(*) OVER () AS total
      FROM sys.objects AS o
      WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
        AND CONCAT(SCHEMA_NAME(o.schema_id), N'.', o.name, N' ', ${comment("0")}) LIKE @p1
      ORDER BY 1, 2 OFFSET @p3 ROWS FETCH NEXT @p2 ROWS ONLY`,
    values: [pattern, take, skip],
  }),
  columns: ({ schema, table }) => ({
    text: `
      SELECT SCHEMA_NAME(o.schema_id) AS [schema], o.name AS table_name, c.name AS name,
             CONCAT(TYPE_NAME(c.user_type_id),
                    CASE WHEN TYPE_NAME(c.user_type_id) IN ('decimal', 'numeric')
                           THEN CONCAT('(', c.precision, ',', c.scale, ')')
                         WHEN c.max_length = -1 THEN '(max)'
                         WHEN TYPE_NAME(c.user_type_id) LIKE 'n%char'
                           THEN CONCAT('(', c.max_length / 2, ')')
                         WHEN TYPE_NAME(c.user_type_id) LIKE '%char'
                           THEN CONCAT('(', c.max_length, ')') END) AS type,
             CASE c.is_nullable WHEN 0 THEN 1 ELSE 0 END AS is_required,
             d.definition AS default_value, ${comment("c.column_id")} AS comment,
             ${comment("0")} AS table_comment, ${estimate} AS estimate
      FROM sys.objects AS o JOIN sys.columns AS c ON c.object_id = o.object_id
      LEFT JOIN sys.default_constraints AS d ON d.object_id = c.default_object_id
      WHERE o.type IN ('U', 'V') AND ${isWanted}
      ORDER BY c.column_id`,
    values: [schema, table],
  }),
  keys: ({ schema, table }) => ({
    text: `
      SELECT k.name AS name,
             CONCAT(CASE k.type WHEN 'PK' THEN 'PRIMARY KEY (' ELSE 'UNIQUE (' END,
                    (SELECT STRING_AGG(COL_NAME(i.object_id, i.column_id), ', ')
                            WITHIN GROUP (ORDER BY i.key_ordinal)
                     FROM sys.index_columns AS i
                     WHERE i.object_id = o.object_id AND i.index_id = k.unique_index_id), ')'
             ) AS definition
      FROM sys.objects AS o JOIN sys.key_constraints AS k ON k.parent_object_id = o.object_id
      WHERE ${isWanted}
      UNION ALL
      SELECT f.name,
             CONCAT('FOREIGN KEY (',
                    (SELECT STRING_AGG(COL_NAME(r.parent_object_id, r.parent_column_id), ', ')
                     FROM sys.foreign_key_columns AS r WHERE r.constraint_object_id = f.object_id),
                    ') REFERENCES ', OBJECT_SCHEMA_NAME(f.referenced_object_id), '.',
                    OBJECT_NAME(f.referenced_object_id), ' (',
                    (SELECT STRING_AGG(COL_NAME(r.referenced_object_id, r.referenced_column_id), ', ')
                     FROM sys.foreign_key_columns AS r WHERE r.constraint_object_id = f.object_id),
                    ')')
      FROM sys.objects AS o JOIN sys.foreign_keys AS f ON f.parent_object_id = o.object_id
      WHERE ${isWanted}`,
    values: [schema, table],
  }),
};
