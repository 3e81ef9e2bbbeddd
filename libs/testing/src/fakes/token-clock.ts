const tickMs = 5;

/**
 * Runs callbacks when they are due; one timer serves all streams, so 1,000 streams cost one wake-up
 * per tick.
 */
export class TokenClock {
  private readonly slots = new Map<number, (() => void)[]>();
  private readonly started = performance.now();
  private done = 0;
  private timer: NodeJS.Timeout | undefined;

  private now(): number {
    return Math.floor((performance.now() - this.started) / tickMs);
  }

  /** `due` uses the clock of `performance.now()`. */
  at(due: number, run: () => void): void {
    const slot = Math.max(this.done + 1, Math.ceil((due - this.started) / tickMs));
    const waiting = this.slots.get(slot);
    if (waiting) waiting.push(run);
    else this.slots.set(slot, [run]);
    this.timer ??= setInterval(() => this.tick(), tickMs);
  }

  private tick(): void {
    const now = this.now();
    while (this.done < now) {
      if (this.slots.size === 0) {
        this.done = now;
        break;
      }
      this.done++;
      const due = this.slots.get(this.done);
      if (!due) continue;
      this.slots.delete(this.done);
      for (const run of due) run();
    }
    if (this.slots.size === 0) this.stop();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.done = this.now();
  }
}
