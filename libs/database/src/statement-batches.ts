import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import type { DataSource } from "typeorm";

interface Waiting<Input, Output> {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/** What a batch returned, in the order of its inputs. */
export interface BatchResult<Output> {
  outputs: Output[];
  /** Settles when the next batch may start; by default immediately. */
  finished?: Promise<unknown>;
}

export interface StatementBatchesOptions<Input, Output> {
  /** Runs one statement for all inputs; it takes effect for all of them or for none. */
  run(inputs: readonly Input[]): Promise<BatchResult<Output>>;
  /** Inputs with the same key are never in the same batch. */
  keyOf?(input: Input): unknown;
  /** Maximum number of batches at a time; default 2. */
  concurrency?: number;
  /** Maximum number of inputs in a batch; default 100. */
  size?: number;
}

/**
 * Batches inputs that arrive in one turn of the event loop, or while other batches are running,
 * into one statement: one plan, one round trip and one commit instead of one each. A lone input
 * doesn't wait for others.
 */
export class StatementBatches<Input, Output> {
  private waiting: Waiting<Input, Output>[] = [];
  private running = 0;
  private isScheduled = false;
  // A batch serves several callers, so it runs in none of their contexts.
  private readonly outside = AsyncLocalStorage.snapshot();

  constructor(private readonly options: StatementBatchesOptions<Input, Output>) {}

  /** If a batch fails, its inputs run one by one, so that only the faulty ones fail. */
  add(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, resolve, reject });
      if (!this.isScheduled && this.hasRoom) {
        this.isScheduled = true;
        this.outside(() => setImmediate(() => this.flush()));
      }
    });
  }

  private get hasRoom(): boolean {
    return this.running < (this.options.concurrency ?? 2);
  }

  private flush(): void {
    this.isScheduled = false;
    while (this.waiting.length > 0 && this.hasRoom) void this.run(this.takeBatch());
  }

  private async run(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    this.running += 1;
    try {
      await this.settle(batch);
    } finally {
      this.running -= 1;
      this.flush();
    }
  }

  private async settle(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const { outputs, finished } = await this.options.run(batch.map(({ input }) => input));
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index]!);
      await finished?.catch(() => undefined);
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error);
      else for (const one of batch) await this.settle([one]);
    }
  }

  private takeBatch(): Waiting<Input, Output>[] {
    const { keyOf, size = 100 } = this.options;
    if (keyOf === undefined) return this.waiting.splice(0, size);
    const keys = new Set<unknown>();
    const [batch, rest]: Waiting<Input, Output>[][] = [[], []];
    for (const one of this.waiting) {
      const key = keyOf(one.input);
      if (batch!.length === size || keys.has(key)) rest!.push(one);
      else {
        keys.add(key);
        batch!.push(one);
      }
    }
    this.waiting = rest!;
    return batch!;
  }
}

interface EarlyRows<Row> {
  rows: Row[];
  /** Resolves when the statement is durable; rejects if it was rolled back. */
  committed: Promise<void>;
}

/**
 * Runs a named statement in a separate transaction, like `preparedQuery`, and returns its rows
 * while the commit is being written, so that whatever follows need not wait for the disk.
 */
export async function queryEarlyRows<Row extends pg.QueryResultRow>(
  dataSource: DataSource,
  name: string,
  text: string,
  values: unknown[],
): Promise<EarlyRows<Row>> {
  const pool = (dataSource.driver as unknown as { master: pg.Pool }).master;
  const client = await pool.connect();
  // A lost connection also fails the query that runs on it.
  const ignore = (): void => undefined;
  client.on("error", ignore);
  const release = (error?: Error): void => {
    client.off("error", ignore);
    // Closes the connection if there was an error.
    client.release(error);
  };
  try {
    await client.query("BEGIN");
    const { rows } = await client.query<Row>({ name, text, values });
    const committed = client.query("COMMIT").then(
      () => release(),
      (error: Error) => {
        release(error);
        throw error;
      },
    );
    committed.catch(() => undefined);
    return { rows, committed };
  } catch (error) {
    await client.query("ROLLBACK").then(() => release(), release);
    throw error;
  }
}
