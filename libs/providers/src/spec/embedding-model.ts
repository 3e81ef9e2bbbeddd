import { createHash } from "node:crypto";
import type { KnownFault } from "@carrel/contracts";

/** The files of a model that runs in this process. */
export interface LocalModelFiles {
  /** Checks the models folder; starts no download. */
  state(): Promise<LocalModelState>;
  /**
   * Resolves when the files are there, downloading them if necessary. Throws ProviderError
   * 'unreachable' (retryable, with `retryAfterMs`) if they are currently unavailable.
   */
  ensure(signal: AbortSignal): Promise<void>;
}

export interface LocalModelState {
  /** off: the files are missing and downloads are disabled. */
  status: "ready" | "missing" | "downloading" | "off";
  /** Why it can't be used yet; null if it can. */
  fault: KnownFault | null;
  /** 0 to 1 while downloading, otherwise null. */
  progress: number | null;
  /** After a failed download: when the next attempt may start, epoch ms. */
  retryAt: number | null;
}

/** Turns text into vectors. `embed` only throws ProviderError. */
export interface EmbeddingModel {
  readonly provider: string;
  readonly model: string;
  /**
   * Names everything that makes its vectors comparable: provider, model, and settings that change
   * the vectors. Indexes and caches are stored under it.
   */
  readonly vectorSpace: string;
  /** Only for models that run in this process. */
  readonly files?: LocalModelFiles;
  /** null if the length isn't known until the vendor's first response. */
  readonly dimensions: number | null;
  /** The vendor truncates or rejects longer texts; chunks stay below this. */
  readonly maxInputCharacters: number;
  /** Maximum texts per call. */
  readonly batchSize: number;
  /**
   * One vector per text, in order. `kind` chooses the prefix or input type of models that
   * distinguish them. `onTokens` receives what the vendor counted, once per request.
   */
  embed(
    texts: string[],
    kind: "passage" | "query",
    signal: AbortSignal,
    onTokens?: (tokens: number) => void,
  ): Promise<Float32Array[]>;
}

/**
 * Names what makes vectors comparable, e.g. `openai:text-embedding-3-small:256`. Indexes and the
 * embedding cache are stored under this name, so its format must not change. `prefixes` are hashed.
 */
export function nameVectorSpace(
  provider: string,
  model: string,
  dimensions?: string,
  prefixes = "",
): string {
  return [
    provider,
    model,
    ...(dimensions ? [dimensions] : []),
    ...(prefixes ? [createHash("sha256").update(prefixes).digest("hex").slice(0, 8)] : []),
  ].join(":");
}
