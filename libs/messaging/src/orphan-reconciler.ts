import { DailyReconciler } from "./daily-reconciler.ts";
import type { OutboxMessage } from "./outbox.ts";

/** IDs per comparison with the owner. */
const batch = 10_000;

/**
 * Once a day, deletes a service's data for rows that no longer exist in the service that owns them,
 * as if their deletion had just been announced (docs/decisions/messaging.md). Only the owner
 * decides which rows are gone.
 */
export abstract class OrphanReconciler extends DailyReconciler {
  /** Returns the owner's IDs above `after` that this service has data of, in ascending order. */
  protected abstract listIds(after: number, limit: number): Promise<number[]>;
  /** Asks the owner which of these no longer exist. */
  protected abstract findMissing(ids: number[]): Promise<number[]>;
  /** The message that deletes this service's data for a missing row. */
  protected abstract deletionOf(id: number): OutboxMessage;

  protected override async compare(): Promise<OutboxMessage[]> {
    const deletions: OutboxMessage[] = [];
    let after = 0;
    for (;;) {
      const ids = await this.listIds(after, batch);
      if (ids.length > 0)
        deletions.push(...(await this.findMissing(ids)).map((id) => this.deletionOf(id)));
      if (ids.length < batch) return deletions;
      after = ids.at(-1)!;
    }
  }
}
