import { clipText } from "@carrel/contracts";
import { CircuitBreaker } from "@carrel/egress";
import { ProviderError, type EmbeddingModel, type ProviderErrorKind } from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import { SearchPriority } from "../work-pool/search-priority.ts";
import { Semaphore } from "../work-pool/semaphore.ts";

/** How long a question waits for its vector, in ms. */
const questionMs = 3_000;
/** Questions go without vectors after this many failures in a row, until a trial succeeds. */
const failuresInARow = 3;
/** Maximum calls for documents in flight, across all embedders; questions aren't limited. */
const maxDocumentCalls = 4;
/**
 * How long after a question calls for documents are fewer and smaller, in ms: most servers take a
 * question only after the calls before it.
 */
const yieldingMs = 10_000;
const yieldingCalls = 2;
const yieldingTexts = 64;
/** A call for documents that takes longer, in ms, is followed by smaller ones. */
const longCallMs = 500;

/** Receives the tokens that a call used and how long it took, in ms. */
type OnUse = (tokens: number, milliseconds: number) => void;

/** An embedder's calls for documents. */
export interface DocumentCalls {
  readonly maxInputCharacters: number;
  /** Maximum texts of the next call. */
  readonly batchSize: number;
  /** One vector per text, in order. Throws ProviderError. */
  embed(texts: string[], signal: AbortSignal, onUse?: OnUse): Promise<Float32Array[]>;
}

/** Faults of one text, which say nothing about the embedder. */
const faultsOfTexts: ReadonlySet<ProviderErrorKind> = new Set([
  "invalid",
  "context-length",
  "content-filter",
]);
class LateVectorError extends Error {
  override readonly name = "LateVectorError";
}
const isEmbedderFault = (fault: unknown): fault is Error =>
  fault instanceof LateVectorError ||
  (fault instanceof ProviderError && !faultsOfTexts.has(fault.kind));

/** Calls to embedders. Those for questions go before those for documents. */
@Injectable()
export class EmbeddingCalls {
  private readonly documentCalls = new Semaphore(maxDocumentCalls);
  private readonly sizes = new WeakMap<EmbeddingModel, number>();
  private lastQuestion = -Infinity;
  private breakers = new WeakMap<EmbeddingModel, CircuitBreaker<Error>>();

  constructor(private readonly searches: SearchPriority) {}

  /**
   * Returns null if the embedder fails or is too slow; after repeated failures, also for other
   * questions, which then try again at growing intervals.
   */
  async embedQuestion(
    model: EmbeddingModel,
    question: string,
    onUse: OnUse,
  ): Promise<Float32Array | null> {
    this.lastQuestion = performance.now();
    this.documentCalls.resize(yieldingCalls);
    return this.breakerOf(model)
      .run(() => embedInTime(model, clipText(question, model.maxInputCharacters), onUse))
      .catch(() => null);
  }

  /** Has the next question try its embedder, whatever happened to earlier ones. */
  resumeQuestions(): void {
    this.breakers = new WeakMap();
  }

  forDocuments(model: EmbeddingModel): DocumentCalls {
    const most = (): number =>
      Math.max(1, Math.min(model.batchSize, this.isYielding ? yieldingTexts : Infinity));
    const sizeOf = (): number => Math.min(most(), this.sizes.get(model) ?? Infinity);
    return {
      maxInputCharacters: model.maxInputCharacters,
      get batchSize() {
        return sizeOf();
      },
      embed: (texts, signal, onUse) => {
        if (!this.isYielding) this.documentCalls.resize(maxDocumentCalls);
        return this.documentCalls.use(1, async () => {
          await this.searches.giveWay(texts.length);
          const began = performance.now();
          let lastUse = began;
          const vectors = await model.embed(texts, "passage", signal, (tokens) => {
            const milliseconds = performance.now() - lastUse;
            lastUse += milliseconds;
            onUse?.(tokens, milliseconds);
          });
          // An embedder in this process already gives questions priority.
          if (!model.files)
            this.sizes.set(
              model,
              nextSize(
                { texts: texts.length, milliseconds: performance.now() - began },
                sizeOf(),
                most(),
              ),
            );
          return vectors;
        });
      },
    };
  }

  private get isYielding(): boolean {
    return performance.now() - this.lastQuestion < yieldingMs;
  }

  private breakerOf(model: EmbeddingModel): CircuitBreaker<Error> {
    let breaker = this.breakers.get(model);
    if (!breaker) {
      breaker = new CircuitBreaker(isEmbedderFault, { failures: failuresInARow });
      this.breakers.set(model, breaker);
    }
    return breaker;
  }
}

/**
 * How many texts the next call for documents may have. A server that embeds them slowly, such as one
 * without a GPU, may take a question only after the calls before it.
 */
export function nextSize(
  last: { texts: number; milliseconds: number },
  size: number,
  most: number,
): number {
  if (last.milliseconds > longCallMs)
    return Math.max(1, Math.min(size, Math.floor((last.texts * longCallMs) / last.milliseconds)));
  return last.texts === size && last.milliseconds < longCallMs / 2
    ? Math.min(most, size * 2)
    : size;
}

async function embedInTime(
  model: EmbeddingModel,
  question: string,
  onUse: OnUse,
): Promise<Float32Array> {
  const signal = AbortSignal.timeout(questionMs);
  const began = performance.now();
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(new LateVectorError()), { once: true }),
  );
  const [vector] = await Promise.race([
    model.embed([question], "query", signal, (tokens) => onUse(tokens, performance.now() - began)),
    late,
  ]);
  return vector!;
}

type Embed = (texts: string[]) => Promise<Float32Array[]>;
/** If the embedder finds even this too long, something else is wrong. */
const shortest = 32;

/**
 * Returns one vector per text. A text longer than the embedder accepts (because it was split for
 * another embedder, or has more tokens than its length suggests) is embedded in parts, split at
 * spaces, and gets their mean direction, so nothing is left out.
 */
export async function embedLong(
  calls: DocumentCalls,
  texts: string[],
  signal: AbortSignal,
  onUse?: Parameters<DocumentCalls["embed"]>[2],
): Promise<Float32Array[]> {
  const embed: Embed = (some) => calls.embed(some, signal, onUse);
  const parts = texts.map((text) => cutLong(text, calls.maxInputCharacters));
  const flat = parts.flat();
  const vectors: Float32Array[] = [];
  while (vectors.length < flat.length) {
    const batch = flat.slice(vectors.length, vectors.length + calls.batchSize);
    vectors.push(...(await embedWhole(embed, batch)));
  }
  let at = 0;
  return parts.map((of) => {
    const own = vectors.slice(at, (at += of.length));
    return own.length === 1 ? own[0]! : meanDirection(own);
  });
}

/**
 * Halves what the embedder finds too long: first the batch, whose total may be too long, then the
 * text, so that the other texts of a batch keep their own vectors.
 */
async function embedWhole(embed: Embed, texts: string[]): Promise<Float32Array[]> {
  try {
    return await embed(texts);
  } catch (fault) {
    if (!(fault instanceof ProviderError) || fault.kind !== "context-length") throw fault;
    if (texts.length > 1) {
      const half = Math.ceil(texts.length / 2);
      const first = await embedWhole(embed, texts.slice(0, half));
      return [...first, ...(await embedWhole(embed, texts.slice(half)))];
    }
    const text = texts[0]!;
    if (text.length <= shortest) throw fault;
    const pieces = cutLong(text, Math.ceil(text.length / 2));
    return [meanDirection(await embedWhole(embed, pieces))];
  }
}

/**
 * Pieces of at most `longest` characters, split at the last space if possible and never inside a
 * surrogate pair.
 */
export function cutLong(text: string, longest: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > longest) {
    let end = Math.max(2, longest);
    const blank = rest.lastIndexOf(" ", end);
    if (blank > end / 2) end = blank;
    else if ((rest.charCodeAt(end) & 0xfc00) === 0xdc00) end -= 1;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === "" && pieces.length > 0 ? pieces : [...pieces, rest];
}

function meanDirection(vectors: Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]!.length);
  for (const vector of vectors) {
    const length = Math.hypot(...vector) || 1;
    for (let i = 0; i < mean.length; i++) mean[i]! += vector[i]! / length;
  }
  const length = Math.hypot(...mean) || 1;
  return mean.map((value) => value / length);
}
