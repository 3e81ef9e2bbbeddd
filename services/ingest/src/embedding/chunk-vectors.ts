import { servicePrincipal } from "@carrel/contracts";
import { ProviderError } from "@carrel/providers";
import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import type { ChunkRow } from "../chunking/chunk.repository.ts";
import { TextRepository } from "../document/text.repository.ts";
import { ModelUse } from "../usage/model-use.ts";
import { Batcher } from "../work-pool/batcher.ts";
import { embeddedText, hashContent } from "../work-pool/split-window.ts";
import { EmbeddingCache } from "./embedding-cache.ts";
import { embedLong, EmbeddingCalls } from "./embedding-calls.ts";
import type { NamedModel } from "./embedding-models.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Enough to keep the embedder busy. */
const maxBatches = 4;
const keyOf = (hash: Buffer): string => hash.toString("hex");
const pendingKey = (embedder: string, { contentHash }: Pick<ChunkRow, "contentHash">): string =>
  `${embedder} ${keyOf(contentHash)}`;

/** A chunk to embed; `text` if its text is in memory. */
export type EmbeddableChunk = Pick<ChunkRow, "start" | "end" | "headingPath" | "contentHash"> & {
  text?: string;
};

export interface MakeOptions {
  /** Once it aborts, `make` rejects with its reason. */
  signal: AbortSignal;
  /** Receives the number of chunks completed since its last call. */
  onDone: (count: number) => Promise<void>;
  /** The workspace that the tokens are counted for. */
  workspaceId: number;
  /**
   * Whether the document failed before. It then shares no call, so that a text which makes the
   * embedder fail doesn't hold up other documents.
   */
  isRetry?: boolean;
}

interface Task {
  documentId: string;
  workspaceId: number;
  chunk: EmbeddableChunk;
}
/** Embeds a job's texts. */
interface Embedder {
  named: NamedModel;
  batcher: Batcher<Task, Outcome>;
  /** Texts that were being embedded when the job began, as in `ChunkVectors.pending`. */
  running: ReadonlyMap<string, Promise<Outcome>>;
}

/** The document has other content than when its chunks were read. */
class TextChangedError extends Error {
  override readonly name = "TextChangedError";
}

/** `onlyFor`: the document that alone is at fault, or of a call that embedded no other one. */
type Outcome = { vector: Float32Array } | { fault: unknown; onlyFor: string | null };

/**
 * Vectors of chunks: from the cache if the same text was embedded before, otherwise from the
 * embedder, in batches of its preferred size across documents. A call continues when its document's
 * job gives up: the cache gets its vectors, and the next job for the document waits for it too.
 */
@Injectable()
export class ChunkVectors implements OnApplicationShutdown {
  /** Texts being embedded now, by embedder and content hash; equal texts share a call. */
  private readonly pending = new Map<string, Promise<Outcome>>();
  /** One for each embedder in use. */
  private readonly batchers = new WeakMap<NamedModel["model"], Batcher<Task, Outcome>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly texts: TextRepository,
    private readonly cache: EmbeddingCache,
    private readonly use: ModelUse,
    private readonly calls: EmbeddingCalls,
  ) {}

  /** Returns one vector per chunk, in order. */
  async make(
    documentId: string,
    chunks: EmbeddableChunk[],
    named: NamedModel,
    { signal, onDone, workspaceId, isRetry = false }: MakeOptions,
  ): Promise<Float32Array[]> {
    // Looked up first: a call that ends while the cache is read would be in neither afterwards.
    const running = this.findRunning(chunks, named);
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
    const batcher = isRetry ? this.createBatcher(named) : this.batcherOf(named);
    const batch = Math.max(1, named.model.batchSize);
    for (let i = 0; i < missing.length; i += batch) {
      const some = missing.slice(i, i + batch);
      const tasks = some.map((chunk) => ({ documentId, workspaceId, chunk }));
      const vectors = await untilAborted(
        this.embedAll(documentId, tasks, { named, batcher, running }),
        signal,
      );
      for (const [n, chunk] of some.entries()) known.set(keyOf(chunk.contentHash), vectors[n]!);
      if (missing.length > batch) await onDone(some.length);
    }
    return chunks.map((chunk) => known.get(keyOf(chunk.contentHash))!);
  }

  onApplicationShutdown(): void {
    this.stopping.abort(new DOMException("The process is stopping", "AbortError"));
  }

  private async embedAll(documentId: string, tasks: Task[], by: Embedder): Promise<Float32Array[]> {
    const { named } = by;
    const outcomes = await Promise.all(tasks.map((task) => this.request(task, by)));
    // Another document's text may be at fault: without it, each document gets its own result. With
    // any other fault, such as a rate limit, more calls would only make it worse.
    const again = tasks.filter((_, n) => {
      const outcome = outcomes[n]!;
      return "fault" in outcome && outcome.onlyFor !== documentId && isOfText(outcome.fault);
    });
    const repeated = new Map(
      again.length === 0
        ? []
        : (await this.embed(again, named)).map((outcome, n) => [again[n]!, outcome]),
    );
    return tasks.map((task, n) => {
      const outcome = repeated.get(task) ?? outcomes[n]!;
      if ("fault" in outcome) throw outcome.fault;
      return outcome.vector;
    });
  }

  private findRunning(
    chunks: readonly EmbeddableChunk[],
    { name }: NamedModel,
  ): Map<string, Promise<Outcome>> {
    const running = new Map<string, Promise<Outcome>>();
    if (this.pending.size > 0)
      for (const chunk of chunks) {
        const key = pendingKey(name, chunk);
        const outcome = this.pending.get(key);
        if (outcome !== undefined) running.set(key, outcome);
      }
    return running;
  }

  private request(task: Task, { named, batcher, running }: Embedder): Promise<Outcome> {
    const key = pendingKey(named.name, task.chunk);
    let outcome = this.pending.get(key) ?? running.get(key);
    if (!outcome) {
      outcome = batcher.run(task).finally(() => this.pending.delete(key));
      this.pending.set(key, outcome);
    }
    return outcome;
  }

  private batcherOf(named: NamedModel): Batcher<Task, Outcome> {
    let batcher = this.batchers.get(named.model);
    if (!batcher) {
      batcher = this.createBatcher(named);
      this.batchers.set(named.model, batcher);
    }
    return batcher;
  }

  private createBatcher(named: NamedModel): Batcher<Task, Outcome> {
    return new Batcher((tasks) => this.settle(tasks, named), {
      maxItems: Math.max(1, named.model.batchSize),
      maxConcurrent: maxBatches,
    });
  }

  private async settle(tasks: Task[], named: NamedModel): Promise<Outcome[]> {
    try {
      return await this.embed(tasks, named);
    } catch (fault) {
      const { documentId } = tasks[0]!;
      const onlyFor = tasks.every((task) => task.documentId === documentId) ? documentId : null;
      return tasks.map(() => ({ fault, onlyFor }));
    }
  }

  /**
   * Texts that aren't in memory are read only now. New content may have replaced them meanwhile, whose
   * vectors mustn't be cached as theirs.
   */
  private async embed(tasks: Task[], { name, model }: NamedModel): Promise<Outcome[]> {
    const unread = tasks.filter(({ chunk }) => chunk.text === undefined);
    const read = await this.texts.readAll(
      scope,
      unread.map(({ documentId, chunk: { start, end } }) => ({ documentId, start, end })),
    );
    const late = new Map(unread.map((task, n) => [task, read[n]!]));
    const texts = new Map<Task, string>();
    for (const task of tasks) {
      const { text = late.get(task)!, headingPath, contentHash } = task.chunk;
      const embedded = embeddedText(text, headingPath);
      if (hashContent(embedded).equals(contentHash)) texts.set(task, embedded);
    }
    const current = [...texts.keys()];
    const made =
      current.length === 0
        ? []
        : await embedLong(
            this.calls.forDocuments(model),
            [...texts.values()],
            this.stopping.signal,
            (tokens, milliseconds) => this.noteUse(current, model, { tokens, milliseconds }),
          );
    await this.cache.add(
      name,
      current.map(({ chunk }, n) => ({ hash: chunk.contentHash, vector: made[n]! })),
    );
    const vectors = new Map(current.map((task, n) => [task, made[n]!]));
    return tasks.map((task) => {
      const vector = vectors.get(task);
      return vector
        ? { vector }
        : { fault: new TextChangedError("The text has changed."), onlyFor: task.documentId };
    });
  }

  /** Divides what a call used among the workspaces that shared it, by the lengths of their texts. */
  private noteUse(
    tasks: Task[],
    { provider, model }: NamedModel["model"],
    { tokens, milliseconds }: { tokens: number; milliseconds: number },
  ): void {
    const lengthOf = ({ chunk }: Task): number => Math.max(1, chunk.end - chunk.start);
    const total = tasks.reduce((sum, task) => sum + lengthOf(task), 0);
    for (const task of tasks) {
      const share = lengthOf(task) / total;
      this.use.add({
        purpose: "embedding",
        workspaceId: task.workspaceId,
        provider,
        model,
        inputTokens: tokens * share,
        milliseconds: milliseconds * share,
      });
    }
  }
}

/** Whether another document's text may have caused it. */
const isOfText = (fault: unknown): boolean =>
  fault instanceof TextChangedError ||
  (fault instanceof ProviderError && (fault.kind === "invalid" || fault.kind === "context-length"));

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
