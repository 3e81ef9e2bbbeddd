import type { LivePart, LiveParts } from "./stream-parts.ts";

/**
 * How long after its last part a writer still counts as present. A reader that gets nothing for
 * this long also listens for other processes, one of which may have taken over the stream.
 */
const presentMs = 2_000;
/** Parts kept for the first reader of a stream, in number and characters, and of how many streams. */
const early = { parts: 32, characters: 16_000, streams: 1_000 };
/** How often entries of writers that stopped without an end are removed. */
const sweepMs = 60_000;

/**
 * The streams that this process writes. Its own readers get their parts from memory, once Redis has
 * stored them: text that was shown must be available to any replica that continues the stream.
 */
export class LocalStreams {
  private readonly readers = new Map<string, Set<LiveParts>>();
  private readonly writtenAt = new Map<string, number>();
  /**
   * Parts of streams written from their beginning, until the first reader takes them: it usually
   * comes right after the first part, and would otherwise read that from Redis.
   */
  private readonly early = new Map<string, { parts: LivePart[]; characters: number }>();
  private sweptAt = Date.now();

  constructor(private readonly isEnabled: boolean) {}

  /** Call when a part is about to be written; `isFirst` if the stream is empty until then. */
  noteWriter(key: string, isFirst: boolean): void {
    if (!this.isEnabled) return;
    const now = Date.now();
    if (isFirst && !this.early.has(key) && !this.readers.has(key)) this.keepEarly(key);
    this.writtenAt.set(key, now);
    if (now - this.sweptAt < sweepMs) return;
    this.sweptAt = now;
    for (const [other, writtenAt] of this.writtenAt)
      if (now - writtenAt > presentMs) this.writtenAt.delete(other);
    for (const other of this.early.keys()) if (!this.writtenAt.has(other)) this.early.delete(other);
  }

  /** The writer has stopped. Unless it wrote the end, another process may continue. */
  forgetWriter(key: string): void {
    this.writtenAt.delete(key);
    this.early.delete(key);
    for (const reader of this.readers.get(key) ?? []) reader.lose();
  }

  hasWriter(key: string): boolean {
    return Date.now() - (this.writtenAt.get(key) ?? -Infinity) < presentMs;
  }

  deliver(key: string, part: LivePart): void {
    if (!this.isEnabled) return;
    this.addEarly(key, part);
    for (const reader of this.readers.get(key) ?? []) reader.add(part);
    if (part.kind === "e") {
      this.writtenAt.delete(key);
      this.early.delete(key);
    }
  }

  /**
   * For a stream's first reader, right after `listen`: everything that was delivered before, or null
   * if that isn't known any more.
   */
  takeEarly(key: string): LivePart[] | null {
    const kept = this.hasWriter(key) ? this.early.get(key) : undefined;
    this.early.delete(key);
    return kept?.parts ?? null;
  }

  private keepEarly(key: string): void {
    this.early.set(key, { parts: [], characters: 0 });
    // A Map keeps insertion order: the oldest stream without readers.
    if (this.early.size > early.streams) this.early.delete(this.early.keys().next().value!);
  }

  private addEarly(key: string, part: LivePart): void {
    const kept = this.early.get(key);
    if (kept === undefined) return;
    kept.characters += part.data.length;
    const next = (kept.parts.at(-1)?.seq ?? 0) + 1;
    if (part.seq === next && next <= early.parts && kept.characters <= early.characters)
      kept.parts.push(part);
    else this.early.delete(key);
  }

  /** Returns the unsubscribe function. */
  listen(key: string, reader: LiveParts): () => void {
    const readers = this.readers.get(key) ?? new Set();
    this.readers.set(key, readers.add(reader));
    return () => {
      readers.delete(reader);
      if (readers.size === 0 && this.readers.get(key) === readers) this.readers.delete(key);
    };
  }
}
