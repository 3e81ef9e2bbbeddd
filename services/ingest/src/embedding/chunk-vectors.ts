import { servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { TextRepository } from "../document/text.repository.ts";
import type { ChunkRow } from "../chunking/chunk.repository.ts";
import { Semaphore } from "../work-pool/semaphore.ts";
import { embeddedText } from "../work-pool/embedded-text.ts";
import { embedLong } from "./embed-long.ts";
import { EmbeddingCache } from "./embedding-cache.ts";
import type { NamedModel } from "./embedding-models.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Concurrent embedder calls. */
const callsAtOnce = 4;
const keyOf = (hash: Buffer): string => hash.toString("hex");

/**
 * Vectors of chunks: from the cache if the same text was embedded before, otherwise from the
 * embedder in batches of its preferred size.
 */
@Injectable()
export class ChunkVectors {
  /** Texts being embedded now, by embedder and content hash; equal texts wait for the same call. */
  private readonly pending = new Map<string, Promise<Float32Array | null>>();

  private readonly calls = new Semaphore(callsAtOnce);

  constructor(
    private readonly texts: TextRepository,
    private readonly cache: EmbeddingCache,
  ) {}

  /**
   * Returns one vector per chunk, in order. `onDone` receives the number of chunks completed since
   * its last call.
   */
  async make(
    documentId: string,
    chunks: ChunkRow[],
    { name, model }: NamedModel,
    signal: AbortSignal,
    onDone: (count: number) => Promise<void>,
  ): Promise<Float32Array[]> {
    const known = await this.cache.find(
      name,
      chunks.map((chunk) => chunk.contentHash),
    );
    const missing = [
      ...new Map(
        chunks
          .filter((chunk) => !known.has(keyOf(chunk.contentHash)))
          .map((chunk) => [keyOf(chunk.contentHash), chunk]),
      ).values(),
    ];
    // Each progress report updates a row, so small documents skip intermediate ones.
    if (missing.length === 0 || chunks.length > missing.length)
      await onDone(chunks.length - missing.length);
    const batch = Math.max(1, model.batchSize);
    for (let i = 0; i < missing.length; i += batch) {
      const some = missing.slice(i, i + batch);
      const others = some.flatMap(
        (chunk) =>
          this.pending.get(`${name} ${keyOf(chunk.contentHash)}`)?.then((vector) => {
            if (vector) known.set(keyOf(chunk.contentHash), vector);
          }) ?? [],
      );
      const own = some.filter((chunk) => !this.pending.has(`${name} ${keyOf(chunk.contentHash)}`));
      await this.embed(documentId, own, { name, model }, signal, known);
      await Promise.all(others);
      // Another document's call failed: retry here, so that a failure is reported with its own
      // reason.
      const left = some.filter((chunk) => !known.has(keyOf(chunk.contentHash)));
      if (left.length > 0) await this.embed(documentId, left, { name, model }, signal, known);
      if (missing.length > batch) await onDone(some.length);
    }
    return chunks.map((chunk) => known.get(keyOf(chunk.contentHash))!);
  }

  private async embed(
    documentId: string,
    chunks: ChunkRow[],
    { name, model }: NamedModel,
    signal: AbortSignal,
    known: Map<string, Float32Array>,
  ): Promise<void> {
    if (chunks.length === 0) return;
    const promised = Promise.withResolvers<Float32Array[] | null>();
    const keys = chunks.map((chunk) => `${name} ${keyOf(chunk.contentHash)}`);
    for (const [n, key] of keys.entries())
      this.pending.set(
        key,
        promised.promise.then((vectors) => vectors?.[n] ?? null),
      );
    try {
      const texts = await this.texts.readAll(
        scope,
        chunks.map((chunk) => ({ documentId, start: chunk.start, end: chunk.end })),
      );
      const vectors = await this.calls.use(1, () =>
        embedLong(
          model,
          chunks.map((chunk, n) => embeddedText(texts[n]!, chunk.headingPath)),
          signal,
        ),
      );
      const entries = chunks.map((chunk, n) => ({ hash: chunk.contentHash, vector: vectors[n]! }));
      await this.cache.add(name, entries);
      for (const { hash, vector } of entries) known.set(keyOf(hash), vector);
      promised.resolve(vectors);
    } finally {
      promised.resolve(null);
      for (const key of keys) this.pending.delete(key);
    }
  }
}
