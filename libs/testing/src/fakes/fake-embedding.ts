import { contentText, countPromptTokens } from "./wire.ts";

/** FNV-1a, 32 bit. */
function hash(word: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < word.length; index++)
    value = Math.imul(value ^ word.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}

/**
 * A unit vector from the text's words, each hashed to a dimension and a sign: the same text always
 * gives the same vector, and texts that share words are similar.
 */
export function fakeEmbedding(text: string, dimensions = 384): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const value = hash(word);
    vector[value % dimensions]! += value & 0x80000000 ? -1 : 1;
  }
  let length = Math.hypot(...vector);
  if (length === 0) {
    vector[0] = 1;
    length = 1;
  }
  for (let index = 0; index < dimensions; index++) vector[index]! /= length;
  return vector;
}

function readInput({ input }: Record<string, unknown>): string[] {
  return Array.isArray(input) ? input.map((text) => contentText(text)) : [contentText(input)];
}

interface EmbeddingRequest {
  body: Record<string, unknown>;
  /** Length of the vectors unless the request asks for another. */
  dimensions: number;
  /** Vectors say nothing about their texts. */
  isNoise?: boolean | undefined;
}

function embedInput({ body, dimensions, isNoise }: EmbeddingRequest) {
  const texts = readInput(body);
  const length = typeof body.dimensions === "number" ? body.dimensions : dimensions;
  return {
    vectors: texts.map((text) =>
      fakeEmbedding(
        isNoise ? `${hash(text)} ${hash(`${text} `)} ${hash(` ${text}`)}` : text,
        length,
      ),
    ),
    tokens: countPromptTokens(texts),
  };
}

/** Ollama's reply to /api/embed. */
export function ollamaEmbeddings(request: EmbeddingRequest) {
  const { vectors, tokens } = embedInput(request);
  return {
    model: request.body.model,
    embeddings: vectors.map((vector) => [...vector]),
    total_duration: 1_000_000,
    load_duration: 100_000,
    prompt_eval_count: tokens,
  };
}

/** OpenAI's reply to /v1/embeddings. */
export function openAiEmbeddings(request: EmbeddingRequest) {
  const { vectors, tokens } = embedInput(request);
  return {
    object: "list",
    data: vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding:
        request.body.encoding_format === "base64"
          ? Buffer.from(vector.buffer).toString("base64")
          : [...vector],
    })),
    model: request.body.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}
