import { ToolError } from "../tool.ts";
import type { CheckedStatement } from "./sql-engine.ts";
import { refuseStatement } from "./sql-fault.ts";

const maxLength = 50_000;

/**
 * Functions that reach outside the database, run other statements, wait, or change something; the
 * server is asked about all others (`refuseVolatile`). Names as PostgreSQL 18 and its extensions have
 * them.
 */
const refusedFunctions =
  /^(pg_read_|pg_ls_|pg_stat_file|pg_file_|pg_sleep|pg_terminate_|pg_cancel_|pg_reload_|pg_rotate_|pg_switch_|pg_promote|pg_backup_|pg_start_backup|pg_stop_backup|pg_create_|pg_drop_|pg_copy_|pg_logical_|pg_replication_|pg_wal_replay_|pg_export_snapshot|pg_import_|pg_advisory_|pg_try_advisory_|pg_notify|pg_execute_|pg_hba_|pg_ident_|pg_show_all_file_|pg_stat_reset|pg_restore_|pg_clear_|lo_|loread|lowrite|lo$|dblink|postgres_fdw_|set_config|setval|nextval|setseed|query_to_xml|cursor_to_xml|table_to_xml|schema_to_xml|database_to_xml|ts_stat|crosstab|connectby|http|cron\b|plpgsql_|xpath_table|xslt_process|adminpack|load_file)/;

/** Relations with passwords, keys or the server's files. */
const refusedRelations =
  /^(pg_authid|pg_shadow|pg_user_mappings?|pg_subscription|pg_largeobject|pg_hba_file_rules|pg_ident_file_mappings|pg_file_settings|pg_foreign_server|pg_backend_memory_contexts|pg_statistic.*)$|^(user_mapping|foreign_server)_options$/;

interface Found {
  functions: string[][];
  /** `of`: the relation in front of it; null: an expression. */
  attributes: { name: string; of: string | null }[];
  /** Names in FROM whose rows may be plain values; null: one that isn't known. */
  scalars: Set<string | null>;
}

/**
 * Reads the statement with PostgreSQL's own parser. Throws ToolError unless it is a single SELECT,
 * VALUES, EXPLAIN of one, or SHOW.
 */
export async function checkPostgres(statement: string): Promise<CheckedStatement> {
  if (statement.length > maxLength) throw refuseStatement("it is too long.");
  if (statement.includes("\0")) throw refuseStatement("it contains a null character.");
  const { loadModule, parseSync } = await import("libpg-query");
  await loadModule();
  let parsed: unknown;
  try {
    parsed = parseSync(statement);
  } catch (error) {
    throw new ToolError(`The statement can't be read: ${(error as Error).message}`, null, {
      cause: error,
    });
  }
  const { stmts = [] } = parsed as { stmts?: { stmt: Record<string, unknown> }[] };
  if (stmts.length !== 1) throw refuseStatement("write exactly one statement.");
  const [kind = ""] = Object.keys(stmts[0]!.stmt);
  if (!["SelectStmt", "ExplainStmt", "VariableShowStmt"].includes(kind))
    throw refuseStatement("start with SELECT, WITH, VALUES, TABLE, EXPLAIN or SHOW.");
  const found: Found = { functions: [], attributes: [], scalars: new Set() };
  visit(stmts[0]!.stmt[kind], found);
  const attributes = found.attributes.map(({ name, of }) => ({
    name,
    isOfRow: of !== null && !found.scalars.has(of) && !found.scalars.has(null),
  }));
  return { text: statement, functions: found.functions, attributes };
}

function visit(node: unknown, found: Found): void {
  if (Array.isArray(node)) return node.forEach((each) => visit(each, found));
  if (typeof node !== "object" || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name.endsWith("Stmt") && name !== "SelectStmt" && typeof value === "object")
      throw refuseStatement("nothing in it may change data.");
    if (name === "intoClause") throw refuseStatement("leave out INTO.");
    if (name === "lockingClause" && Array.isArray(value) && value.length > 0)
      throw refuseStatement("leave out FOR UPDATE and FOR SHARE.");
    if (name === "ParamRef") throw refuseStatement("write values instead of $1.");
    if (name === "FuncCall") addFunction(value as { funcname?: unknown }, found);
    if (name === "RangeVar") requireReadable(value as { relname?: string; catalogname?: string });
    if (name === "RangeFunction") found.scalars.add(nameInFrom(value as RangeFunction));
    if (name === "ColumnRef") {
      const [last, of] = namesOf((value as { fields?: unknown }).fields).toReversed();
      if (last !== undefined && of !== undefined) addAttribute(last, of, found);
    }
    if (name === "A_Indirection")
      for (const part of namesOf((value as { indirection?: unknown }).indirection))
        addAttribute(part, null, found);
    visit(value, found);
  }
}

function addFunction({ funcname }: { funcname?: unknown }, found: Found): void {
  const name = namesOf(funcname);
  const last = name.at(-1) ?? "";
  if (refusedFunctions.test(last.toLowerCase())) throw refuseFunction(last);
  if (name.some((part) => part === "cron" || part === "dblink")) throw refuseFunction(last);
  found.functions.push(name);
}

/** A function of one argument can be written like a column: t.f, (t).f. */
function addAttribute(name: string, of: string | null, found: Found): void {
  if (refusedFunctions.test(name)) throw refuseFunction(name);
  found.attributes.push({ name, of });
}

interface RangeFunction {
  alias?: { aliasname?: string };
  functions?: { List?: { items?: { FuncCall?: { funcname?: unknown } }[] } }[];
}

function nameInFrom({ alias, functions }: RangeFunction): string | null {
  const call = functions?.[0]?.List?.items?.[0]?.FuncCall;
  return alias?.aliasname ?? namesOf(call?.funcname).at(-1) ?? null;
}

function requireReadable({ relname = "" }: { relname?: string }): void {
  if (refusedRelations.test(relname)) throw refuseStatement(`${relname} can't be read here.`);
}

const refuseFunction = (name: string): ToolError =>
  refuseStatement(`the function ${name} isn't allowed here.`);

const namesOf = (list: unknown): string[] =>
  (Array.isArray(list) ? list : []).flatMap((each: { String?: { sval?: string } }) =>
    each.String?.sval === undefined ? [] : [each.String.sval],
  );

/** Volatile functions that only answer. */
const harmless = new Set([
  "random",
  "random_normal",
  "gen_random_uuid",
  "uuidv4",
  "uuidv7",
  "clock_timestamp",
  "timeofday",
]);

/**
 * Parameters: the names without schema. Functions that aren't volatile can't write, wait or lock;
 * those of extensions that run statements are refused by name. A column is preferred to a function
 * of its row that is called like it.
 */
export const volatilityQuery = `
  SELECT n.nspname AS schema, p.proname AS name, p.provolatile AS volatility,
         pg_catalog.pg_function_is_visible(p.oid) AS is_visible,
         p.pronargs >= 1 AND p.pronargs - p.pronargdefaults <= 1 AND NOT EXISTS (
           SELECT FROM pg_catalog.pg_attribute a
           WHERE t.typrelid <> 0 AND a.attrelid = t.typrelid AND a.attname = p.proname
             AND NOT a.attisdropped) AS is_attribute,
         t.typtype IN ('c', 'd', 'p') AS takes_rows
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    LEFT JOIN pg_catalog.pg_type t ON t.oid = p.proargtypes[0]
  WHERE p.proname = ANY(pg_catalog.string_to_array($1, E'\\x01'))`;
export const volatilityValues = ({ functions, attributes = [] }: CheckedStatement): string[] => [
  [
    ...new Set([...functions.map((name) => name.at(-1)!), ...attributes.map(({ name }) => name)]),
  ].join("\u0001"),
];

/** Throws ToolError if one of the functions may do something. */
export function refuseVolatile(
  { functions, attributes = [] }: CheckedStatement,
  rows: Record<string, unknown>[],
): void {
  const risky = rows.filter(
    ({ volatility, schema, name }) =>
      volatility === "v" && !(schema === "pg_catalog" && harmless.has(String(name))),
  );
  for (const name of functions) {
    const [last = "", schema] = name.toReversed();
    const isRisky = risky.some(
      (row) =>
        row.name === last &&
        (schema === undefined ? row.is_visible === true : row.schema === schema),
    );
    if (isRisky) throw refuseFunction(last);
  }
  for (const { name, isOfRow } of attributes) {
    const isRisky = risky.some(
      (row) =>
        row.name === name &&
        row.is_visible === true &&
        row.is_attribute === true &&
        (!isOfRow || row.takes_rows === true),
    );
    if (isRisky) throw refuseFunction(name);
  }
}
