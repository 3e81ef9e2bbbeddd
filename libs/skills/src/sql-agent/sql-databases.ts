import {
  parseSqlAddress,
  type Fault,
  type SqlAddress,
  type SqlConnection,
} from "@carrel/contracts";
import { ToolError } from "../tool.ts";
import { mysqlDriver } from "./mysql-driver.ts";
import { postgresDriver } from "./postgres-driver.ts";
import type { SqlEngineDriver, SqlSession } from "./sql-engine.ts";
import { toolError, toSqlFault } from "./sql-fault.ts";
import { sqlServerDriver } from "./sql-server-driver.ts";

export const sqlDrivers: Record<SqlConnection["engine"], SqlEngineDriver> = {
  postgresql: postgresDriver,
  mysql: mysqlDriver,
  "sql-server": sqlServerDriver,
};

/** Runs work on a connection of its own, which is closed then. Throws only ToolError. */
export async function withDatabase<T>(
  connection: SqlConnection,
  signal: AbortSignal,
  work: (session: SqlSession) => Promise<T>,
): Promise<T> {
  let session: SqlSession | undefined;
  try {
    session = await sqlDrivers[connection.engine].open(connection, signal);
    signal.throwIfAborted();
    return await work(session);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    if (signal.aborted) throw signal.reason;
    // The driver's error names host and user, so it isn't passed on as the cause.
    throw toolError(toSqlFault(error, connection.name, addressOf(connection)));
  } finally {
    await session?.close();
  }
}

function addressOf({ engine, connectionString }: SqlConnection): SqlAddress | null {
  try {
    return parseSqlAddress(engine, connectionString);
  } catch {
    return null;
  }
}

/** Why the database can't be used; null if it can. */
export async function checkSqlConnection(
  connection: SqlConnection,
  signal: AbortSignal = AbortSignal.timeout(20_000),
): Promise<Fault | null> {
  try {
    await withDatabase(connection, signal, (session) => session.read("SELECT 1 AS one", []));
    return null;
  } catch (error) {
    if (error instanceof ToolError && error.fault !== null) return error.fault as Fault;
    const params = { database: connection.name, cause: " in time" };
    return { code: "sql.unreachable", params };
  }
}
