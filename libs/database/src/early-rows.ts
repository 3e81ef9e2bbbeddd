import pg from "pg";
import type { DataSource } from "typeorm";

/** The parts of pg's connection used here, as by its own pg-cursor. */
interface Connection {
  execute(portal: { portal: string }): void;
  flush(): void;
  sync(): void;
}

/** A statement whose rows the server sends before it commits: it flushes them before the `Sync`. */
class EarlyRowsQuery extends pg.Query {
  onComplete: () => void = () => undefined;

  /** Replaces pg's method, which executes and syncs. */
  _getRows(connection: Connection): void {
    connection.execute({ portal: "" });
    connection.flush();
    connection.sync();
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    (
      pg.Query.prototype as unknown as { handleCommandComplete(...values: unknown[]): void }
    ).handleCommandComplete.call(this, message, connection);
    this.onComplete();
  }
}

export interface EarlyRows<Row> {
  rows: Row[];
  /** Resolves when the statement is durable; rejects if it was rolled back. */
  committed: Promise<void>;
}

/**
 * Runs a named statement as its own transaction, like `preparedQuery`, and returns its rows
 * while the commit is being written, all in one round trip.
 */
export async function queryEarlyRows<Row>(
  dataSource: DataSource,
  name: string,
  text: string,
  values: unknown[],
): Promise<EarlyRows<Row>> {
  const pool = (dataSource.driver as unknown as { master: pg.Pool }).master;
  const client = await pool.connect();
  const rows: Row[] = [];
  const early = Promise.withResolvers<EarlyRows<Row>>();
  const commit = Promise.withResolvers<void>();
  commit.promise.catch(() => undefined);
  let hasEnded = false;
  const end = (error?: Error): void => {
    if (hasEnded) return;
    hasEnded = true;
    client.off("error", end);
    // A connection with an error is closed, as by the pool's own `query`.
    client.release(error);
    if (error === undefined) commit.resolve();
    else {
      commit.reject(error);
      early.reject(error);
    }
  };
  client.on("error", end);
  const query = new EarlyRowsQuery({ name, text, values });
  query.on("row", (row: Row) => rows.push(row));
  query.on("end", () => end());
  query.on("error", end);
  query.onComplete = () => early.resolve({ rows, committed: commit.promise });
  client.query(query);
  return early.promise;
}
