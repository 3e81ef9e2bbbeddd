import { z } from "zod";
import { CarrelError } from "../errors/carrel-error.ts";
import { sqlEngines, type SqlConnection } from "./skill.ts";
import { formatSqlAddress, parseSqlAddress } from "./sql-address.ts";

/** Stands for a password in replies; a client that sends it back keeps the saved one. */
const mask = "********";
const isMask = (password: string): boolean => /^\*{6,}$/.test(password);

/** A database as clients read it (wire-contract 5.7), with the password masked. */
export interface SqlConnectionWire {
  engine: SqlConnection["engine"];
  database_id: string;
  connectionString: string;
  username: string;
  password: string;
  host: string;
  port: string;
  database: string;
  scheme: string;
  /** PostgreSQL's; empty: the default. */
  schema: string;
}

export function toSqlConnectionWire(connection: SqlConnection): SqlConnectionWire {
  const address = parseSqlAddress(connection.engine, connection.connectionString);
  const password = address.password === "" ? "" : mask;
  const { username, host, port, database, scheme } = address;
  return {
    engine: connection.engine,
    database_id: connection.name,
    // Options may contain secrets too, such as a token.
    connectionString: formatSqlAddress({ ...address, password, options: {} }).replace(
      encodeURIComponent(mask),
      mask,
    ),
    username,
    password,
    host,
    port: String(port),
    database,
    scheme,
    schema: connection.schema ?? "",
  };
}

const name = z.string().trim().min(1).max(100);

/** One element of what clients write to `agent_sql_connections` (wire-contract 5.7). */
const sqlConnectionChange = z.object({
  action: z.enum(["add", "update", "remove"]).optional(),
  engine: z.enum(sqlEngines).optional(),
  database_id: name,
  originalDatabaseId: z.string().trim().max(100).optional(),
  connectionString: z.string().max(4_000).optional(),
  schema: z.string().trim().max(200).nullish(),
});
type SqlConnectionChange = z.infer<typeof sqlConnectionChange>;

/** Elements without action are databases that the client only repeats. */
export const sqlConnectionChanges = z.array(sqlConnectionChange).max(200);

/**
 * The databases after a client's changes, given as the JSON text that it sends. Throws CarrelError
 * `sql.…` and changes nothing if one of them isn't valid.
 */
export function changeSqlConnections(
  connections: readonly SqlConnection[],
  json: string,
): SqlConnection[] {
  let result = [...connections];
  for (const change of readChanges(json)) {
    if (change.action === "remove")
      result = result.filter((each) => each.name !== change.database_id);
    else if (change.action === "update") {
      const wanted = change.originalDatabaseId || change.database_id;
      const at = result.findIndex((each) => each.name === wanted);
      if (at === -1) throw new CarrelError("sql.database-unknown", { name: wanted });
      requireFree(
        result.filter((_, place) => place !== at),
        change.database_id,
      );
      result[at] = toConnection(change, result[at]!);
    } else if (change.action === "add") {
      requireFree(result, change.database_id);
      result.push(toConnection(change, null));
    }
  }
  return result;
}

function readChanges(json: string): SqlConnectionChange[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new CarrelError("sql.changes-invalid", {}, { cause: error });
  }
  const changes = sqlConnectionChanges.safeParse(value);
  if (!changes.success) throw new CarrelError("sql.changes-invalid");
  return changes.data;
}

function requireFree(others: readonly SqlConnection[], wanted: string): void {
  const isTaken = others.some((each) => each.name.toLowerCase() === wanted.toLowerCase());
  if (isTaken) throw new CarrelError("sql.name-taken", { name: wanted });
}

function toConnection(change: SqlConnectionChange, before: SqlConnection | null): SqlConnection {
  const engine = change.engine ?? before?.engine;
  const written = change.connectionString?.trim() || before?.connectionString;
  if (engine === undefined || written === undefined)
    throw new CarrelError("sql.connection-incomplete");
  const schema = change.schema === undefined ? (before?.schema ?? null) : change.schema || null;
  return {
    name: change.database_id,
    engine,
    connectionString: withSavedPassword(engine, written, before),
    schema,
  };
}

/** A masked password stands for the saved one, but only where that has been sent before. */
function withSavedPassword(
  engine: SqlConnection["engine"],
  written: string,
  before: SqlConnection | null,
): string {
  const address = parseSqlAddress(engine, written);
  if (!isMask(address.password)) return written;
  if (before === null) throw new CarrelError("sql.password-needed");
  const saved = parseSqlAddress(before.engine, before.connectionString);
  const isSame =
    before.engine === engine &&
    saved.host.toLowerCase() === address.host.toLowerCase() &&
    saved.port === address.port &&
    saved.username === address.username;
  if (!isSame) throw new CarrelError("sql.password-needed");
  // Replies leave the options out.
  const options = Object.keys(address.options).length > 0 ? address.options : saved.options;
  return formatSqlAddress({ ...address, password: saved.password, options });
}
