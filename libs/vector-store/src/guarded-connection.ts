import type { StoreBreaker } from "./store-breaker.ts";
import type { StoreConnection } from "./store-connection.ts";

/** A connection whose calls are rejected at once while its server can't be reached. */
export class GuardedConnection {
  constructor(
    private readonly connection: StoreConnection,
    private readonly breaker: StoreBreaker,
  ) {}

  /** As `StoreConnection.run`. */
  run<T>(work: () => Promise<T>, isKnown?: (fault: unknown) => boolean): Promise<T> {
    return this.breaker.run(() => this.connection.run(work, isKnown));
  }

  /** For calls that someone waits for. */
  runBriefly<T>(work: () => Promise<T>, isKnown?: (fault: unknown) => boolean): Promise<T> {
    return this.breaker.runBriefly(() => this.connection.run(work, isKnown));
  }
}
