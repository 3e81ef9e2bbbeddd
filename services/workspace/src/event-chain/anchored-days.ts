import { ChainFault } from "./chain-fault.ts";

/** How long after midnight (UTC) a day's anchor may still be missing. */
const graceMs = 15 * 60_000;

/**
 * Requires an anchor for each day with entries: Carrel makes it when the day begins or when it
 * starts, so whoever removes anchors in order to rewrite entries leaves days without one. Entries
 * from before the first anchor don't count, since they are older than the chain, nor do those that
 * were stored on a later day than they tell of.
 */
export class AnchoredDays {
  private day: string | null = null;
  /** A day whose anchor must come next, and its first entry. */
  private pending: { day: string; sequence: number } | null = null;

  addEvent(sequence: number, occurredAt: string): void {
    const day = occurredAt.slice(0, 10);
    if (this.day === null || day <= this.day) return;
    this.refuse(this.pending);
    this.day = day;
    this.pending = { day, sequence };
  }

  addAnchor(day: string): void {
    // An entry of a later day than its anchors comes from a machine whose clock is ahead.
    if (this.day !== null && day < this.day) return;
    if (day !== this.pending?.day) this.refuse(this.pending);
    this.pending = null;
    this.day = day;
  }

  /** `at`, ISO 8601: when the log was as it was verified. */
  finish(at: string): void {
    if (this.pending === null) return;
    const isYoung = Date.parse(at) - Date.parse(`${this.pending.day}T00:00:00.000Z`) < graceMs;
    if (!isYoung) this.refuse(this.pending);
  }

  private refuse(pending: { day: string; sequence: number } | null): void {
    if (pending !== null)
      throw new ChainFault(
        "anchor-missing",
        pending.sequence,
        `Entry ${pending.sequence} is of ${pending.day}, but the anchor of that day is missing`,
      );
  }
}
