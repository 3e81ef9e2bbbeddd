import { AsyncLocalStorage } from "node:async_hooks";

/** Follows one piece of work through every await: logs include it, nested requests inherit it. */
export interface WorkContext {
  requestId: string;
  /** `user:7`, `instance`, `service`, `public`. */
  actor?: string;
  /** W3C trace context header value. */
  traceparent?: string;
  /**
   * Epoch ms after which the caller no longer waits for the result; nested requests never get a
   * later one.
   */
  deadline?: number;
  /** Idempotency key of the request being handled; nested keyed requests derive theirs from it. */
  idempotencyKey?: string;
  /** Number of nested keyed requests so far, by operation. */
  nestedKeys?: Map<string, number>;
}

const storage = new AsyncLocalStorage<WorkContext>();

/**
 * Work that outlives the request that starts it needs a separate `run`; otherwise it inherits the
 * request's deadline.
 */
export const context = {
  run: <T>(work: WorkContext, run: () => T): T => storage.run(work, run),
  get: (): WorkContext | undefined => storage.getStore(),
};
