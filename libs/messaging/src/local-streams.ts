import { StreamGoneError, type SealedParts } from "./stream-parts.ts";

/**
 * How long after its last part a writer still counts as present. A reader that gets nothing for
 * this long also listens for other processes, one of which may have taken over the stream.
 */
const presentMs = 2_000;
/**
 * Parts kept for a stream's first reader: their number and characters, and for how many streams.
 */
const early = { parts: 32, characters: 16_000, streams: 1_000 };
/** How often to remove entries of writers that stopped without an end. */
const sweepMs = 60_000;

/** Live parts buffered for a slow reader; beyond that, it reads from the stream instead. */
const liveLimit = 256;

/** Kind `d` is data, `e` the end of the stream. */
interface LivePart {
  seq: number;
  kind: string;
  data: string;
}

/** A bounded queue of parts published while the reader was busy; reports when it dropped some. */
export class LiveParts {
  private queue: LivePart[] = [];
  private lost = false;
  private onWake: (() => void) | undefined;

  /** Receives a part that another process published. */
  receive(message: string, sealed: SealedParts): void {
    const first = message.indexOf(":");
    const seq = Number(message.slice(0, first));
    const kind = message[first + 1]!;
    const data = message.slice(first + 3);
    try {
      this.add({ seq, kind, data: kind === "d" ? sealed.open(seq, data) : data });
    } catch (error) {
      if (!(error instanceof StreamGoneError)) throw error;
      // The reader falls back to the stream, and fails there if that part is damaged too.
      this.lose();
    }
  }
  add(part: LivePart): void {
    if (this.lost) return;
    if (this.queue.length >= liveLimit) return this.lose();
    this.queue.push(part);
    this.wake();
  }
  lose(): void {
    this.lost = true;
    this.queue = [];
    this.wake();
  }
  clear(): void {
    this.lost = false;
    this.queue = [];
  }
  wake(): void {
    this.onWake?.();
    this.onWake = undefined;
  }
  /**
   * Returns the next part; "silent" if none arrived in time, "lost" if some were dropped, null if
   * woken without a part (by the signal).
   */
  async take(idleMs: number): Promise<LivePart | "silent" | "lost" | null> {
    if (this.lost) return "lost";
    if (this.queue.length > 0) return this.queue.shift()!;
    const silent = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => {
        this.onWake = undefined;
        resolve(true);
      }, idleMs);
      this.onWake = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
    if (this.lost) return "lost";
    return this.queue.shift() ?? (silent ? "silent" : null);
  }
}

/**
 * The streams that this process writes. Its own readers get their parts from memory, once Redis has
 * stored them: text that was shown must be available to any replica that continues the stream.
 */
export class LocalStreams {
  private readonly readers = new Map<string, Set<LiveParts>>();
  private readonly writtenAt = new Map<string, number>();
  /**
   * First parts of streams, kept until the first reader takes them: it usually comes right after
   * the first part, and would otherwise read that from Redis.
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
   * For a stream's first reader, right after `listen`: everything delivered so far, or null if that
   * is no longer known.
   */
  takeEarly(key: string): LivePart[] | null {
    const kept = this.hasWriter(key) ? this.early.get(key) : undefined;
    this.early.delete(key);
    return kept?.parts ?? null;
  }

  private keepEarly(key: string): void {
    this.early.set(key, { parts: [], characters: 0 });
    // A Map keeps insertion order, so this removes the oldest stream without readers.
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
