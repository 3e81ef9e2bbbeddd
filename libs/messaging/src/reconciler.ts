import type { OutboxMessage } from "./outbox.ts";

/**
 * Lists the messages that are due according to PostgreSQL. Runs at boot, every minute (or more
 * often, as `everyMs` says) and whenever Redis was lost or flushed; adding an existing job is a
 * no-op. Every provider that extends this class is discovered.
 */
export abstract class Reconciler {
  readonly everyMs: number | null = null;

  abstract due(): Promise<OutboxMessage[]>;
}
