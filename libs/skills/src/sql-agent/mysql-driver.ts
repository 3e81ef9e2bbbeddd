import type { Socket } from "node:net";
import { parseSqlAddress, type SqlAddress, type SqlConnection } from "@carrel/contracts";
import type { Connection, ConnectionOptions, QueryOptions } from "mysql2";
import { checkMysql } from "./check-mysql.ts";
import { connectGuarded } from "./guarded-socket.ts";
import { mysqlCatalog } from "./mysql-catalog.ts";
import { RowCounter } from "./row-counter.ts";
import {
  sqlLimits,
  type CheckedStatement,
  type SqlEngineDriver,
  type SqlRows,
  type SqlSession,
} from "./sql-engine.ts";

export const mysqlDriver: SqlEngineDriver = {
  check: checkMysql,
  open: async (connection, signal) => {
    const session = new MysqlSession(await connect(connection, signal), connection, signal);
    try {
      await session.begin();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  },
  catalog: mysqlCatalog,
};

async function connect(
  { engine, connectionString }: SqlConnection,
  signal: AbortSignal,
): Promise<Connection> {
  const address = parseSqlAddress(engine, connectionString);
  const { createConnection } = await import("mysql2");
  signal.throwIfAborted();
  const ssl = sslOf(address);
  const connection = createConnection({
    user: address.username,
    password: address.password,
    ...(address.database === "" ? {} : { database: address.database }),
    ...(ssl === null ? {} : { ssl }),
    host: address.host,
    connectTimeout: sqlLimits.connectMs,
    charset: "utf8mb4",
    multipleStatements: false,
    // A server may otherwise ask for any file of this machine (LOAD DATA LOCAL).
    flags: ["-LOCAL_FILES"],
    stream: () => connectGuarded(address.host, address.port),
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: false,
    rowsAsArray: false,
  } as ConnectionOptions);
  // An error of an idle connection; the next call to it fails.
  connection.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  }).catch((error: unknown) => {
    end(connection);
    throw error;
  });
  return connection;
}

/** The driver's own `destroy` goes on reading what the server sends. */
function end(connection: Connection): void {
  connection.destroy();
  (connection as unknown as { stream: Socket }).stream.destroy();
}

/** As the clients of MySQL have it: `ssl-mode`, or `ssl` as a flag or in JSON. */
function sslOf({ host, options }: SqlAddress): ConnectionOptions["ssl"] | null {
  const mode = (options["ssl-mode"] ?? options.sslmode ?? options.ssl ?? "").toLowerCase();
  if (["", "disabled", "disable", "preferred", "prefer", "false", "0"].includes(mode)) return null;
  const isChecked = !["required", "require", "no-verify"].includes(mode);
  return {
    rejectUnauthorized: isChecked && options.rejectunauthorized !== "false",
    host,
  } as object;
}

class MysqlSession implements SqlSession {
  /** Rejects when the call is stopped: the driver itself never says so. */
  private readonly stopped = Promise.withResolvers<never>();
  private readonly stop = (): void => {
    this.stopped.reject(this.signal.reason);
    void this.cancel();
  };

  constructor(
    private readonly connection: Connection,
    private readonly target: SqlConnection,
    private readonly signal: AbortSignal,
  ) {
    this.stopped.promise.catch(() => undefined);
    signal.addEventListener("abort", this.stop, { once: true });
  }

  async begin(): Promise<void> {
    // How names, strings and operators are read must not depend on the server's settings.
    await this.read("SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'", []);
    // MySQL counts milliseconds, MariaDB seconds.
    const [version] = await this.read("SELECT VERSION() AS version", []);
    const isMariadb = /mariadb/i.test(String(version?.version));
    await this.read(
      isMariadb
        ? `SET SESSION max_statement_time = ${sqlLimits.statementMs / 1_000}`
        : `SET SESSION max_execution_time = ${sqlLimits.statementMs}`,
      [],
    );
    await this.read("SET SESSION lock_wait_timeout = 5, innodb_lock_wait_timeout = 5", []);
    await this.read("SET SESSION TRANSACTION READ ONLY", []);
    await this.read("START TRANSACTION READ ONLY", []);
  }

  read(text: string, values: (string | number | null)[]): Promise<Record<string, unknown>[]> {
    const read = new Promise<Record<string, unknown>[]>((resolve, reject) => {
      this.connection.query(text, values, (error, rows) => {
        if (error) reject(error);
        else resolve(Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []);
      });
    });
    return Promise.race([read, this.stopped.promise]);
  }

  query({ text }: CheckedStatement): Promise<SqlRows> {
    const asked = new Promise<SqlRows>((resolve, reject) => {
      const counter = new RowCounter();
      const command = this.connection.query({ sql: text, rowsAsArray: true } as QueryOptions);
      // For a server whose limit doesn't cover the statement.
      const late = setTimeout(() => {
        reject(Object.assign(new Error("too slow"), { errno: 3024, sqlState: "HY000" }));
        void this.cancel();
      }, sqlLimits.statementMs + 1_000);
      const settle = (end: () => void): void => {
        clearTimeout(late);
        end();
      };
      command.on("error", (error) => settle(() => reject(error)));
      command.on("fields", (fields: { name: string }[] | undefined) => {
        counter.columns = (fields ?? []).map((each) => each.name);
      });
      let isFull = false;
      command.on("result", (row: unknown) => {
        if (isFull || !Array.isArray(row) || counter.add(row)) return;
        isFull = true;
        settle(() => resolve(counter.result(true)));
        void this.cancel();
      });
      command.on("end", () => settle(() => resolve(counter.result(false))));
      this.stopped.promise.catch(() => clearTimeout(late));
    });
    return Promise.race([asked, this.stopped.promise]);
  }

  async close(): Promise<void> {
    this.signal.removeEventListener("abort", this.stop);
    // The server rolls back.
    end(this.connection);
  }

  /** Closing the connection alone would let the statement go on. */
  private async cancel(): Promise<void> {
    const id = this.connection.threadId;
    end(this.connection);
    if (typeof id !== "number") return;
    try {
      const other = await connect(this.target, AbortSignal.timeout(sqlLimits.connectMs));
      other.query(`KILL QUERY ${id}`, () => end(other));
    } catch {
      // Its time limit ends it.
    }
  }
}
