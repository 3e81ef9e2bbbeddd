import { CircuitBreaker } from "@carrel/egress";
import { ProviderError, type EmbeddingModel } from "@carrel/providers";

const isUnreachable = (fault: unknown): fault is ProviderError =>
  fault instanceof ProviderError && fault.kind === "unreachable";

/**
 * An embedder whose calls for documents end as soon as the process begins to stop, because a thread
 * that is inside its model can't be ended, and are rejected at once while its server can't be reached.
 * Questions have a breaker of their own (`EmbeddingCalls`), which also notices a slow server.
 */
export class GuardedEmbeddingModel implements EmbeddingModel {
  readonly files?: NonNullable<EmbeddingModel["files"]>;
  private readonly breaker = new CircuitBreaker(isUnreachable);

  constructor(
    private readonly inner: EmbeddingModel,
    /** Aborts when the process begins to stop. */
    private readonly stopping: AbortSignal,
  ) {
    if (inner.files) this.files = inner.files;
  }

  get provider(): string {
    return this.inner.provider;
  }
  get model(): string {
    return this.inner.model;
  }
  get vectorSpace(): string {
    return this.inner.vectorSpace;
  }
  get dimensions(): number | null {
    return this.inner.dimensions;
  }
  get maxInputCharacters(): number {
    return this.inner.maxInputCharacters;
  }
  get batchSize(): number {
    return this.inner.batchSize;
  }

  embed(
    texts: string[],
    kind: "passage" | "query",
    signal: AbortSignal,
    onTokens?: (tokens: number) => void,
  ): Promise<Float32Array[]> {
    if (kind === "query") return this.inner.embed(texts, kind, signal, onTokens);
    const either = AbortSignal.any([signal, this.stopping]);
    return this.breaker.run(() => this.inner.embed(texts, kind, either, onTokens));
  }
}
