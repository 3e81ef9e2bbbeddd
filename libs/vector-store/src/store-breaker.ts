import { CircuitBreaker } from "@carrel/egress";
import type { StoreConnection } from "./store-connection.ts";
import { VectorStoreError } from "./vector-store.ts";

/** Long work yields to the event loop after this time, in ms. */
const maxTurnMs = 1;
/** Reading the clock costs about as much as adding a short row. */
const looksEvery = 8;

/** Divides long work into turns, so that searches and requests don't wait for it. */
export class Pause {
  private until = performance.now() + maxTurnMs;
  private calls = 0;

  get isDue(): boolean {
    return ++this.calls % looksEvery === 0 && performance.now() > this.until;
  }

  async rest(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.until = performance.now() + maxTurnMs;
  }
}

/** How long a question or a check waits for the server, in ms. */
const answerMs = 8_000;
/** Statuses of proxies in front of a server that is down or starting. */
const firstProxyStatus = 502;

const isUnreachable = (fault: unknown): fault is VectorStoreError => {
  if (!(fault instanceof VectorStoreError)) return false;
  const { code, params } = fault.fault;
  return (
    code === "vector-store.unreachable" ||
    code === "vector-store.timed-out" ||
    (code === "vector-store.internal-error" && Number(params?.["status"]) >= firstProxyStatus)
  );
};

/** Rejects calls to a vector database at once while it can't be reached. */
export class StoreBreaker {
  private readonly breaker = new CircuitBreaker(isUnreachable);

  constructor(private readonly name: string) {}

  /** Why the server couldn't be reached; null if the last call reached it. */
  get fault(): VectorStoreError | null {
    return this.breaker.fault;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.breaker.run(work);
  }

  /** For calls that someone waits for: a server that hangs counts as unreachable. */
  runBriefly<T>(work: () => Promise<T>): Promise<T> {
    return this.breaker.run(() => this.withinLimit(work()));
  }

  private withinLimit<T>(pending: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () =>
          reject(
            new VectorStoreError(
              {
                code: "vector-store.timed-out",
                params: { store: this.name, seconds: answerMs / 1_000 },
              },
              { isRetryable: true },
            ),
          ),
        answerMs,
      );
      pending.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}

/** A connection whose calls are rejected at once while its server can't be reached. */
export class GuardedConnection {
  constructor(
    private readonly connection: StoreConnection,
    private readonly breaker: StoreBreaker,
  ) {}

  /** Like `StoreConnection.run`. */
  run<T>(work: () => Promise<T>, isKnown?: (fault: unknown) => boolean): Promise<T> {
    return this.breaker.run(() => this.connection.run(work, isKnown));
  }

  /** For calls that someone waits for. */
  runBriefly<T>(work: () => Promise<T>, isKnown?: (fault: unknown) => boolean): Promise<T> {
    return this.breaker.runBriefly(() => this.connection.run(work, isKnown));
  }
}
