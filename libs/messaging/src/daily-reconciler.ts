import type { OutboxMessage } from "./outbox.ts";
import { Reconciler } from "./reconciler.ts";

/** Reconciler rounds between two comparisons: one a minute, so a day. */
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

  protected abstract compare(): Promise<OutboxMessage[]>;

  override async due(): Promise<OutboxMessage[]> {
    if (this.roundsLeft-- > 0) return [];
    const messages = await this.compare();
    this.roundsLeft = roundsBetween;
    return messages;
  }
}
