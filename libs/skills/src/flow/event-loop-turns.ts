import { setImmediate } from "node:timers/promises";

const longestMs = 20;

/** Lets timers, requests and other runs have their turn while blocks of a flow compute. */
export class EventLoopTurns {
  private since = performance.now();

  /** Waits for the next turn if this one has lasted long. */
  async give(): Promise<void> {
    if (performance.now() - this.since < longestMs) return;
    await setImmediate();
    this.since = performance.now();
  }
}
