import type { OutboxMessage } from "./outbox.ts";
import { Reconciler } from "./reconciler.ts";

/** Reconciler rounds between two comparisons: a day's worth at one per minute. */
const roundsBetween = 1_440;
/**
 * Waits for the other services to start; random, so that replicas started together don't all
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
