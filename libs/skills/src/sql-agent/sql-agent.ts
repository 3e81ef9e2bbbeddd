import { clipText, parseSqlAddress, type SqlConnection } from "@carrel/contracts";
import { z } from "zod";
import { ToolError, type Tool, type ToolResult } from "../tool.ts";
import { sqlDrivers, withDatabase } from "./sql-databases.ts";
import type { TableName } from "./sql-engine.ts";
import { describeRows } from "./sql-text.ts";

const pageSize = 100;

const database = z.string().describe("The database_id, as sql-list-databases returns it.");
const listTablesInput = z.object({
  database_id: database,
  search: z
    .string()
    .max(200)
    .optional()
    .describe("Only tables and views whose schema, name or comment contains this."),
  page: z.number().int().min(1).max(1_000).optional().describe(`From 1; ${pageSize} tables each.`),
});
const schemaInput = z.object({
  database_id: database,
  table_name: z
    .string()
    .min(1)
    .max(400)
    .describe("With its schema if there are several: sales.orders"),
});
const queryInput = z.object({
  database_id: database,
  sql_query: z.string().min(1).describe("One statement in the dialect of the database's engine."),
});

const reads = {
  skill: "sql-agent",
  effect: "none",
  isUntrusted: true,
  isRepeatable: true,
  approval: "never",
} as const;

/** Tools that read the databases which an admin has connected, and never change them. */
export function createSqlAgent({ connections }: { connections: SqlConnection[] }): Tool[] {
  const find = (name: string): SqlConnection => {
    const found =
      connections.find((each) => each.name === name) ??
      connections.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found;
    const names = connections.map((each) => each.name).join(", ");
    throw new ToolError(
      `There's no database ${name}. ${names === "" ? "None is connected." : `There are: ${names}`}`,
      { code: "sql.database-unknown", params: { name } },
    );
  };

  const listDatabases: Tool<Record<string, never>> = {
    ...reads,
    name: "sql-list-databases",
    description:
      "Lists the SQL databases that can be queried, with their engines. Call it before the other SQL tools.",
    input: z.object({}),
    run: async () => ({ text: describeDatabases(connections) }),
  };

  const listTables: Tool<z.infer<typeof listTablesInput>> = {
    ...reads,
    name: "sql-list-tables",
    description:
      "Lists tables and views of a database, with comments and estimated numbers of rows. Search in large databases.",
    input: listTablesInput,
    object: ({ database_id, search }) =>
      search === undefined ? database_id : `${database_id}: ${search}`,
    run: ({ database_id, search = "", page = 1 }, { signal }) => {
      const connection = find(database_id);
      const { catalog } = sqlDrivers[connection.engine];
      const pattern = `%${escapePattern(search.trim(), connection.engine)}%`;
      return withDatabase(connection, signal, async (session) => {
        const skip = (page - 1) * pageSize;
        const { text, values } = catalog.tables({ pattern, take: pageSize, skip });
        return { text: describeTables(await session.read(text, values), page) };
      });
    },
  };

  const tableSchema: Tool<z.infer<typeof schemaInput>> = {
    ...reads,
    name: "sql-get-table-schema",
    description:
      "Returns columns, types, keys and comments of a table. Call it before you query one.",
    input: schemaInput,
    object: ({ table_name }) => table_name,
    run: ({ database_id, table_name }, { signal }) => {
      const connection = find(database_id);
      const { catalog } = sqlDrivers[connection.engine];
      const table = parseTableName(table_name);
      return withDatabase(connection, signal, async (session): Promise<ToolResult> => {
        const columns = catalog.columns(table);
        const found = await session.read(columns.text, columns.values);
        if (found.length === 0)
          throw new ToolError(`There's no table ${table_name}. Find it with sql-list-tables.`);
        const keys = catalog.keys(table);
        return { text: describeSchema(found, await session.read(keys.text, keys.values)) };
      });
    },
  };

  const query: Tool<z.infer<typeof queryInput>> = {
    ...reads,
    name: "sql-query",
    description:
      "Runs one SELECT (also WITH, EXPLAIN or SHOW) and returns its rows as CSV: at most 200, the person sees up to 1,000. Nothing can be changed. Aggregate in SQL rather than listing many rows.",
    input: queryInput,
    object: ({ sql_query }) => clipText(sql_query.replace(/\s+/g, " ").trim(), 120),
    run: async ({ database_id, sql_query }, { signal }) => {
      const connection = find(database_id);
      const statement = await sqlDrivers[connection.engine].check(sql_query);
      const rows = await withDatabase(connection, signal, (session) => session.query(statement));
      return describeRows(connection.name, rows);
    },
  };

  return [listDatabases, listTables, tableSchema, query] as Tool[];
}

const engineNames = { postgresql: "PostgreSQL", mysql: "MySQL", "sql-server": "SQL Server" };

function describeDatabases(connections: readonly SqlConnection[]): string {
  if (connections.length === 0) return "No database is connected.";
  return connections
    .map(({ name, engine, connectionString, schema }) => {
      const parts = [engineNames[engine], databaseOf(engine, connectionString)];
      if (schema !== null) parts.push(`schema ${schema}`);
      return `- ${name}: ${parts.filter((part) => part !== "").join(", ")}`;
    })
    .join("\n");
}

function databaseOf(engine: SqlConnection["engine"], connectionString: string): string {
  try {
    const { database: name } = parseSqlAddress(engine, connectionString);
    return name === "" ? "" : `database ${name}`;
  } catch {
    return "its connection string isn't valid";
  }
}

/** In SQL Server, brackets are a pattern, and the backslash is none. */
const escapePattern = (text: string, engine: SqlConnection["engine"]): string =>
  engine === "sql-server" ? text.replace(/[[%_]/g, "[$&]") : text.replace(/[\\%_]/g, "\\$&");

/** Parts may be in the quotes of any of the engines. */
function parseTableName(text: string): TableName {
  const parts = [...text.matchAll(/"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|([^."`[\]]+)/g)].map(
    ([, ...names]) => names.find((name) => name !== undefined)!.trim(),
  );
  const [table = text, schema = null] = parts.toReversed();
  return { schema, table };
}

type Row = Record<string, unknown>;
const line = (text: unknown): string => clipText(String(text).replace(/\s+/g, " ").trim(), 300);
const rowsOf = (estimate: unknown): string =>
  estimate === null || estimate === undefined ? "" : `about ${Number(estimate)} rows`;
const nameOf = (row: Row, name: unknown): string => `${String(row.schema)}.${String(name)}`;

function describeTables(rows: readonly Row[], page: number): string {
  const total = Number(rows[0]?.total ?? 0);
  if (rows.length === 0) return page === 1 ? "No tables found." : "There are no further tables.";
  const lines = rows.map((row) => {
    const facts = [String(row.kind), rowsOf(row.estimate)].filter((fact) => fact !== "").join(", ");
    const comment = row.comment ? `: ${line(row.comment)}` : "";
    return `- ${nameOf(row, row.name)} (${facts})${comment}`;
  });
  const last = (page - 1) * pageSize + rows.length;
  const note =
    last < total
      ? `\n\n${last} of ${total} tables. The next ones are on page ${page + 1}; or search.`
      : "";
  return lines.join("\n") + note;
}

function describeSchema(columns: readonly Row[], keys: readonly Row[]): string {
  const [first] = columns;
  const isOne = columns.filter((row) => row.schema === first!.schema);
  const facts = [rowsOf(first!.estimate), first!.table_comment ? line(first!.table_comment) : ""];
  const lines = isOne.map((row) => {
    const required = row.is_required === true || row.is_required === 1 ? " NOT NULL" : "";
    const value = row.default_value === null ? "" : ` DEFAULT ${line(row.default_value)}`;
    const comment = row.comment ? ` -- ${line(row.comment)}` : "";
    return `- ${String(row.name)} ${String(row.type)}${required}${value}${comment}`;
  });
  const constraints = keys.map((row) => `- ${String(row.name)}: ${line(row.definition)}`);
  return [
    [nameOf(first!, first!.table_name), ...facts.filter((fact) => fact !== "")].join(", "),
    `Columns:\n${lines.join("\n")}`,
    ...(constraints.length > 0 ? [`Keys:\n${constraints.join("\n")}`] : []),
  ].join("\n\n");
}
