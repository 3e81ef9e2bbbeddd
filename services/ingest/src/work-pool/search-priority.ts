import { setTimeout as sleep } from "node:timers/promises";
import { withReservedConnections } from "@carrel/database";
import { Injectable } from "@nestjs/common";

/** How long a step of ingestion waits for searches at most, in ms. */
const longestMs = 100;
/** A step of fewer chunks takes less time than a search, and somebody may wait for the upload. */
const fewChunks = 33;

/**
 * Gives searches priority over ingestion, with which they share the main thread, the connections to
 * PostgreSQL and the embedder: while a search runs, ingestion begins no further step.
 */
@Injectable()
export class SearchPriority {
  private readonly running = new Set<Promise<unknown>>();

  async search<T>(work: () => Promise<T>): Promise<T> {
    const result = withReservedConnections(work);
    this.running.add(result);
    try {
      return await result;
    } finally {
      this.running.delete(result);
    }
  }

  /**
   * Before a step of ingestion with this many chunks: waits for the searches that run now, but not
   * for later ones.
   */
  async giveWay(chunks: number): Promise<void> {
    if (this.running.size === 0 || chunks < fewChunks) return;
    const waiting = new AbortController();
    try {
      await Promise.race([
        Promise.allSettled(this.running),
        sleep(longestMs, undefined, { signal: waiting.signal }),
      ]);
    } finally {
      waiting.abort();
    }
  }
}
