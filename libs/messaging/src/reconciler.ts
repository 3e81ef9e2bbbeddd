import type { OutboxMessage } from "./outbox.ts";

/**
 * A service's reconciler says what PostgreSQL holds due. It runs at boot, every minute and as soon
 * as Redis was lost or
 * flushed; adding a job that exists does nothing. Any provider that extends this class is found.
 */
export abstract class Reconciler {
  abstract due(): Promise<OutboxMessage[]>;
}
