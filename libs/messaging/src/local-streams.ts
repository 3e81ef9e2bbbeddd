import type { LivePart, LiveParts } from "./live-parts.ts";

/**
 * How long after its last part a writer still counts as present. A reader that gets nothing for
 * this long also listens for other processes, one of which may have taken over the stream.
 */
const presentMs = 2_000;
/** How often entries of writers that stopped without an end are removed. */
const sweepMs = 60_000;

/**
 * The streams that this process writes. Its own readers get their parts from memory, once Redis has
 * stored them: text that was shown must be available to any replica that continues the stream.
 */
export class LocalStreams {
  readonly #readers = new Map<string, Set<LiveParts>>();
  readonly #writtenAt = new Map<string, number>();
  #sweptAt = Date.now();

  constructor(private readonly isEnabled: boolean) {}

  /** Call when a part is about to be written. */
  noteWriter(key: string): void {
    if (!this.isEnabled) return;
    const now = Date.now();
    this.#writtenAt.set(key, now);
    if (now - this.#sweptAt < sweepMs) return;
    this.#sweptAt = now;
    for (const [other, writtenAt] of this.#writtenAt)
      if (now - writtenAt > presentMs) this.#writtenAt.delete(other);
  }

  /** The writer has stopped. Unless it wrote the end, another process may continue. */
  forgetWriter(key: string): void {
    this.#writtenAt.delete(key);
    for (const reader of this.#readers.get(key) ?? []) reader.lose();
  }

  hasWriter(key: string): boolean {
    return Date.now() - (this.#writtenAt.get(key) ?? -Infinity) < presentMs;
  }

  deliver(key: string, part: LivePart): void {
    if (!this.isEnabled) return;
    for (const reader of this.#readers.get(key) ?? []) reader.add(part);
    if (part.kind === "e") this.#writtenAt.delete(key);
  }

  /** Returns the unsubscribe function. */
  listen(key: string, reader: LiveParts): () => void {
    const readers = this.#readers.get(key) ?? new Set();
    this.#readers.set(key, readers.add(reader));
    return () => {
      readers.delete(reader);
      if (readers.size === 0 && this.#readers.get(key) === readers) this.#readers.delete(key);
    };
  }
}
