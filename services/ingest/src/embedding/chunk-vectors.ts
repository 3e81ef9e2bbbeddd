import { servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { TextRepository } from "../document/text.repository.ts";
import type { ChunkRow } from "../chunking/chunk.repository.ts";
import { Batcher } from "../work-pool/batcher.ts";
import { ByteBudget } from "../work-pool/byte-budget.ts";
import { embeddedText } from "../work-pool/embedded-text.ts";
import { embedLong } from "./embed-long.ts";
import { EmbeddingCache } from "./embedding-cache.ts";
import type { NamedModel } from "./embedding-models.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Concurrent embedder calls. */
const callsAtOnce = 4;
const keyOf = (hash: Buffer): string => hash.toString("hex");

/** A chunk to embed; `text` if its text is in memory. */
export type EmbeddableChunk = Pick<ChunkRow, "start" | "end" | "headingPath" | "contentHash"> & {
  text?: string;
};

interface Task {
  documentId: string;
  chunk: EmbeddableChunk;
  named: NamedModel;
  signal: AbortSignal;
}
/** `isShared`: the call also embedded chunks of other documents. */
type Outcome = { vector: Float32Array } | { fault: unknown; isShared: boolean };

/**
 * Vectors of chunks: from the cache if the same text was embedded before, otherwise from the
 * embedder, in batches of its preferred size across documents.
 */
@Injectable()
export class ChunkVectors {
  /** Texts being embedded now, by embedder and content hash; equal texts wait for the same call. */
  private readonly pending = new Map<string, Promise<Float32Array | null>>();
  /** One for each embedder in use. */
  private readonly batchers = new WeakMap<NamedModel["model"], Batcher<Task, Outcome>>();
  private readonly calls = new ByteBudget(callsAtOnce);

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
    chunks: EmbeddableChunk[],
    named: NamedModel,
    signal: AbortSignal,
    onDone: (count: number) => Promise<void>,
  ): Promise<Float32Array[]> {
    const known = await this.cache.find(
      named.name,
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
    const batch = Math.max(1, named.model.batchSize);
    for (let i = 0; i < missing.length; i += batch) {
      const some = missing.slice(i, i + batch);
      await this.embedAll(documentId, some, named, signal, known);
      if (missing.length > batch) await onDone(some.length);
    }
    return chunks.map((chunk) => known.get(keyOf(chunk.contentHash))!);
  }

  private async embedAll(
    documentId: string,
    chunks: EmbeddableChunk[],
    named: NamedModel,
    signal: AbortSignal,
    known: Map<string, Float32Array>,
  ): Promise<void> {
    const outcomes = await Promise.all(
      chunks.map(async (chunk): Promise<Outcome> => {
        const key = `${named.name} ${keyOf(chunk.contentHash)}`;
        const others = this.pending.get(key);
        if (others) {
          const vector = await others;
          return vector ? { vector } : { fault: null, isShared: true };
        }
        const own = this.batcherOf(named).run({ documentId, chunk, named, signal });
        this.pending.set(
          key,
          own.then((outcome) => ("vector" in outcome ? outcome.vector : null)),
        );
        return own.finally(() => this.pending.delete(key));
      }),
    );
    const left: EmbeddableChunk[] = [];
    for (const [n, outcome] of outcomes.entries()) {
      const chunk = chunks[n]!;
      if ("vector" in outcome) known.set(keyOf(chunk.contentHash), outcome.vector);
      else if (outcome.isShared) left.push(chunk);
      else throw outcome.fault;
    }
    if (left.length === 0) return;
    // The fault may be another document's: retry alone, so that each one reports its own.
    const vectors = await this.embed(left.map((chunk) => ({ documentId, chunk, named, signal })));
    for (const [n, chunk] of left.entries()) known.set(keyOf(chunk.contentHash), vectors[n]!);
  }

  private batcherOf({ model }: NamedModel): Batcher<Task, Outcome> {
    let batcher = this.batchers.get(model);
    if (!batcher) {
      batcher = new Batcher((tasks) => this.settle(tasks), {
        most: Math.max(1, model.batchSize),
        atOnce: callsAtOnce,
      });
      this.batchers.set(model, batcher);
    }
    return batcher;
  }

  private async settle(tasks: Task[]): Promise<Outcome[]> {
    try {
      return (await this.embed(tasks)).map((vector) => ({ vector }));
    } catch (fault) {
      const isShared = tasks.some(({ documentId }) => documentId !== tasks[0]!.documentId);
      return tasks.map(() => ({ fault, isShared }));
    }
  }

  /** The tasks name the same embedder. */
  private async embed(tasks: Task[]): Promise<Float32Array[]> {
    const { named, signal } = tasks[0]!;
    const unread = tasks.filter(({ chunk }) => chunk.text === undefined);
    const read = await this.texts.readAll(
      scope,
      unread.map(({ documentId, chunk: { start, end } }) => ({ documentId, start, end })),
    );
    const texts = new Map(unread.map((task, n) => [task, read[n]!]));
    const vectors = await this.calls.use(1, () =>
      embedLong(
        named.model,
        tasks.map((task) =>
          embeddedText(task.chunk.text ?? texts.get(task)!, task.chunk.headingPath),
        ),
        signal,
      ),
    );
    await this.cache.add(
      named.name,
      tasks.map(({ chunk }, n) => ({ hash: chunk.contentHash, vector: vectors[n]! })),
    );
    return vectors;
  }
}
