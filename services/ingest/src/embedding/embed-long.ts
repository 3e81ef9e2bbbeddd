import { ProviderError } from "@carrel/providers";
import type { DocumentCalls } from "./embedding-calls.ts";

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
 * Halves what the embedder finds too long: first the batch, as its sum may be, then the text. So the
 * others of a batch keep vectors of their own.
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
