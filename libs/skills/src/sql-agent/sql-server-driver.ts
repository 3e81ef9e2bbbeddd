import { parseSqlAddress, type SqlAddress, type SqlConnection } from "@carrel/contracts";
import type { Connection, Request } from "tedious";
import { checkSqlServer } from "./check-sql-server.ts";
import { connectGuarded } from "./guarded-socket.ts";
import { RowCounter } from "./row-counter.ts";
import {
  sqlLimits,
  type CheckedStatement,
  type SqlEngineDriver,
  type SqlRows,
  type SqlSession,
} from "./sql-engine.ts";
import { sqlServerCatalog } from "./sql-server-catalog.ts";

type Tedious = typeof import("tedious");

export const sqlServerDriver: SqlEngineDriver = {
  check: checkSqlServer,
  open: async (connection, signal) => {
    const tedious = await import("tedious");
    signal.throwIfAborted();
    const session = new SqlServerSession(tedious, await connect(tedious, connection), signal);
    try {
      await session.begin();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  },
  catalog: sqlServerCatalog,
};

async function connect(
  tedious: Tedious,
  { engine, connectionString }: SqlConnection,
): Promise<Connection> {
  const address = parseSqlAddress(engine, connectionString);
  const { Connection } = tedious;
  const connection = new Connection({
    server: address.host,
    authentication: {
      type: "default",
      options: { userName: address.username, password: address.password },
    },
    options: {
      port: address.port,
      ...(address.database === "" ? {} : { database: address.database }),
      connectTimeout: sqlLimits.connectMs,
      requestTimeout: sqlLimits.statementMs,
      cancelTimeout: 2_000,
      connector: async () => connectGuarded(address.host, address.port),
      ...encryptionOf(address),
      // ApplicationIntent=ReadOnly: answered by a secondary replica, if there is one.
      readOnlyIntent: true,
      appName: "carrel",
      lockTimeout: 5_000,
      abortTransactionOnError: true,
      maxRetriesOnTransientErrors: 0,
      rowCollectionOnRequestCompletion: false,
    } as object,
  });
  // An error of an idle connection; the next call to it fails.
  connection.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  }).catch((error: unknown) => {
    connection.close();
    throw error;
  });
  return connection;
}

/** Encrypted unless the connection string says otherwise, as Microsoft's clients do. */
function encryptionOf({ options }: SqlAddress): {
  encrypt: boolean | "strict";
  trustServerCertificate: boolean;
} {
  const encrypt = (options.encrypt ?? "true").toLowerCase();
  const trust = (options.trustservercertificate ?? "false").toLowerCase();
  return {
    encrypt: encrypt === "strict" ? "strict" : !["false", "no", "optional", "0"].includes(encrypt),
    trustServerCertificate: ["true", "yes", "1"].includes(trust),
  };
}

class SqlServerSession implements SqlSession {
  private readonly stop = (): void => void this.connection.cancel();

  constructor(
    private readonly tedious: Tedious,
    private readonly connection: Connection,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener("abort", this.stop, { once: true });
  }

  /** SQL Server has no read-only transactions: what is done in this one is never committed. */
  async begin(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.connection.beginTransaction((error) => (error ? reject(error) : resolve()));
    });
  }

  async read(text: string, values: (string | number | null)[]): Promise<Record<string, unknown>[]> {
    const { columns, rows } = await this.run(text, (request) => {
      const { TYPES } = this.tedious;
      values.forEach((value, at) =>
        request.addParameter(
          `p${at + 1}`,
          typeof value === "number" ? TYPES.Int : TYPES.NVarChar,
          value,
        ),
      );
    });
    return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
  }

  query({ text }: CheckedStatement): Promise<SqlRows> {
    return this.run(text, () => undefined);
  }

  async close(): Promise<void> {
    this.signal.removeEventListener("abort", this.stop);
    await new Promise<void>((resolve) => {
      const done = (): void => resolve();
      const late = setTimeout(done, 2_000);
      this.connection.once("end", done);
      // Closing rolls back too, where this fails.
      this.connection.rollbackTransaction(() => {
        clearTimeout(late);
        done();
      });
    });
    this.connection.close();
  }

  private run(text: string, prepare: (request: Request) => void): Promise<SqlRows> {
    return new Promise((resolve, reject) => {
      const counter = new RowCounter();
      let isFull = false;
      const request = new this.tedious.Request(text, (error) => {
        if (isFull) resolve(counter.result(true));
        else if (error) reject(error);
        else resolve(counter.result(false));
      });
      request.on("columnMetadata", (columns) => {
        const list = Array.isArray(columns) ? columns : Object.values(columns);
        counter.columns = list.map((each) => each.colName);
      });
      request.on("row", (row: { value: unknown }[]) => {
        if (isFull || counter.add(row.map((each) => each.value))) return;
        isFull = true;
        this.connection.cancel();
      });
      prepare(request);
      // Runs it as sp_executesql.
      this.connection.execSql(request);
    });
  }
}
