import { AsyncLocalStorage } from "node:async_hooks";
import { withReservedConnections } from "@carrel/database";
import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { DataSource, type QueryRunner } from "typeorm";

/** The turn ends after this long without writes. */
const idleMs = 50;
/** A waiting replica gets its turn after this long, as soon as current writes finish. */
const longestTurnMs = 500;
const lockKey = 7304;

/**
 * The right to write to LanceDB's folder, held by one of the processes that share it: a PostgreSQL
 * session lock, taken for a turn of many writes. It ends with the process's connection, so a killed
 * replica releases it immediately; waiting replicas get it in order.
 */
@Injectable()
export class WriterLease implements OnApplicationShutdown {
  private readonly inside = new AsyncLocalStorage<true>();
  private turn: {
    lock: Promise<QueryRunner>;
    begun: number;
    users: number;
    over: PromiseWithResolvers<void>;
  } | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs the work within a turn; nested work shares the turn. Throws if PostgreSQL is unreachable.
   */
  async hold(work: () => Promise<void>): Promise<void> {
    if (this.inside.getStore()) return work();
    while (this.turn && this.turn.users > 0 && performance.now() - this.turn.begun > longestTurnMs)
      await this.turn.over.promise;
    const turn = (this.turn ??= {
      // All writers wait for a turn, so its queries don't wait for theirs.
      lock: withReservedConnections(() => this.take()),
      begun: performance.now(),
      users: 0,
      over: Promise.withResolvers<void>(),
    });
    turn.users++;
    try {
      await turn.lock;
      await this.inside.run(true, () => withReservedConnections(work));
    } finally {
      if (--turn.users === 0) this.endSoon(turn);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.turn?.users === 0) await this.end(this.turn);
  }

  private endSoon(turn: NonNullable<typeof this.turn>): void {
    if (this.timer) clearTimeout(this.timer);
    if (performance.now() - turn.begun > longestTurnMs) void this.end(turn);
    else
      this.timer = setTimeout(() => {
        if (turn.users === 0) void this.end(turn);
      }, idleMs).unref();
  }

  private async take(): Promise<QueryRunner> {
    const runner = this.dataSource.createQueryRunner();
    try {
      // Another replica's turn may exceed the usual statement timeout. The timeout restarts with
      // each statement of a query.
      await runner.query(`SET statement_timeout = 0; SELECT pg_advisory_lock(${lockKey})`);
      if (this.turn) this.turn.begun = performance.now();
      return runner;
    } catch (fault) {
      await runner.release();
      throw fault;
    }
  }

  private async end(turn: NonNullable<typeof this.turn>): Promise<void> {
    if (this.turn !== turn) return;
    this.turn = null;
    turn.over.resolve();
    const runner = await turn.lock.catch(() => null);
    if (!runner) return;
    try {
      await runner.query(`SELECT pg_advisory_unlock(${lockKey}); RESET statement_timeout`);
    } catch {
      // The session has ended, and the lock with it.
    } finally {
      await runner.release().catch(() => undefined);
    }
  }
}
