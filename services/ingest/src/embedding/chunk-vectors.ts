import { servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { TextRepository } from "../document/text.repository.ts";
import type { ChunkRow } from "../chunking/chunk.repository.ts";
import { ByteBudget } from "../work-pool/byte-budget.ts";
import { embeddedText } from "../work-pool/embedded-text.ts";
import { embedLong } from "./embed-long.ts";
import { EmbeddingCache } from "./embedding-cache.ts";
import type { NamedModel } from "./embedding-models.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Calls to an embedder under way at the same time. */
const callsAtOnce = 4;
const keyOf = (hash: Buffer): string => hash.toString("hex");

/**
 * Vectors of chunks: from the cache where the same text was embedded before, else from the
 * embedder, in batches that it likes.
 */
@Injectable()
export class ChunkVectors {
  /**
   * Texts that are being embedded now, by embedder and content: equal ones wait for that instead of
   * asking too.
   */
  private readonly underWay = new Map<string, Promise<Float32Array | null>>();

  private readonly calls = new ByteBudget(callsAtOnce);

  constructor(
    private readonly texts: TextRepository,
    private readonly cache: EmbeddingCache,
  ) {}

  /**
   * One vector for each chunk of the document, in their order. `onDone` hears how many more have
   * theirs.
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
    // Progress is a row's update: small documents need none on the way.
    if (missing.length === 0 || chunks.length > missing.length)
      await onDone(chunks.length - missing.length);
    const batch = Math.max(1, model.batchSize);
    for (let i = 0; i < missing.length; i += batch) {
      const some = missing.slice(i, i + batch);
      const others = some.flatMap(
        (chunk) =>
          this.underWay.get(`${name} ${keyOf(chunk.contentHash)}`)?.then((vector) => {
            if (vector) known.set(keyOf(chunk.contentHash), vector);
          }) ?? [],
      );
      const own = some.filter((chunk) => !this.underWay.has(`${name} ${keyOf(chunk.contentHash)}`));
      await this.embed(documentId, own, { name, model }, signal, known);
      await Promise.all(others);
      // Another document's call failed: this one asks itself, and tells its own reason.
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
      this.underWay.set(
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
      for (const key of keys) this.underWay.delete(key);
    }
  }
}
