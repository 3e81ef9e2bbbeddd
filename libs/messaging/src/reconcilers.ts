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

/** Reconciler rounds between two comparisons: a day's worth at one per minute. */
const roundsBetween = 1_440;
/**
 * Gives the other services time to start; random, so that replicas started together don't all
 * compare at once.
 */
const firstRounds = (): number => 5 + Math.floor(Math.random() * 5);

/**
 * A reconciler whose comparison is too expensive for every round: it runs some minutes after the
 * start and then once a day. A failed comparison is repeated in the next round.
 */
export abstract class DailyReconciler extends Reconciler {
  private roundsLeft = firstRounds();
  private isComparing = false;
  private outcome: PromiseSettledResult<OutboxMessage[]> | null = null;

  protected abstract compare(): Promise<OutboxMessage[]>;

  /**
   * The comparison runs in the background, because a slow service must not delay the other
   * reconcilers; a later round returns the result.
   */
  override async due(): Promise<OutboxMessage[]> {
    if (this.isComparing) return this.collect();
    if (this.roundsLeft-- > 0) return [];
    this.isComparing = true;
    void Promise.allSettled([this.compare()]).then(([outcome]) => {
      this.outcome = outcome;
    });
    return [];
  }

  private collect(): OutboxMessage[] {
    const { outcome } = this;
    if (outcome === null) return [];
    this.isComparing = false;
    this.outcome = null;
    if (outcome.status === "rejected") throw outcome.reason;
    this.roundsLeft = roundsBetween;
    return outcome.value;
  }
}

/** IDs per comparison with the owner. */
const batch = 10_000;

/**
 * Once a day, deletes a service's data for rows that no longer exist in the service that owns them,
 * as if their deletion had just been announced (docs/decisions/messaging.md). Only the owner
 * decides which rows are gone.
 */
export abstract class OrphanReconciler extends DailyReconciler {
  /** Returns the owner's IDs above `after` for which this service has data, in ascending order. */
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
