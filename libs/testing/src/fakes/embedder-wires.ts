import { openAiErrorBody } from "./openai-error.ts";
import { cohereWire } from "./wire-cohere.ts";
import { geminiWire } from "./wire-gemini.ts";
import { ollamaWire } from "./wire-ollama.ts";
import { contentText, type FakeWire } from "./wire.ts";

export interface EmbeddingAnswer {
  model: unknown;
  vectors: Float32Array[];
  tokens: number;
  isBase64: boolean;
}

/** One embeddings protocol. */
export interface EmbedderWire {
  errorBody: FakeWire["errorBody"];
  /** Fields of a request that the definition lists. */
  fields: readonly string[];
  texts(body: Record<string, unknown>): string[];
  dimensions(body: Record<string, unknown>): unknown;
  inputType(body: Record<string, unknown>): unknown;
  reply(answer: EmbeddingAnswer): unknown;
}

const listOf = (input: unknown): string[] =>
  Array.isArray(input) ? input.map((text) => contentText(text)) : [contentText(input)];

const encode = (vector: Float32Array, isBase64: boolean): string | number[] =>
  isBase64 ? Buffer.from(vector.buffer).toString("base64") : [...vector];

/** CreateEmbeddingRequest and CreateEmbeddingResponse (openai-openapi v2.3.0). */
export const openAiEmbedder: EmbedderWire = {
  errorBody: openAiErrorBody,
  fields: ["model", "input", "encoding_format", "dimensions", "user"],
  texts: ({ input }) => listOf(input),
  dimensions: (body) => body.dimensions,
  inputType: ({ input_type: type }) => type,
  reply: ({ model, vectors, tokens, isBase64 }) => ({
    object: "list",
    data: vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: encode(vector, isBase64),
    })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }),
};

/** EmbedRequest and EmbedResponse (docs.ollama.com/api/embed, read in 2026). */
export const ollamaEmbedder: EmbedderWire = {
  errorBody: ollamaWire.errorBody,
  fields: ["model", "input", "truncate", "dimensions", "keep_alive", "options"],
  texts: ({ input }) => listOf(input),
  dimensions: (body) => body.dimensions,
  inputType: () => undefined,
  reply: ({ model, vectors, tokens }) => ({
    model,
    embeddings: vectors.map((vector) => [...vector]),
    total_duration: 1_000_000,
    load_duration: 100_000,
    prompt_eval_count: tokens,
  }),
};

/** V2EmbedRequest and EmbedByTypeResponse (docs.cohere.com/reference/embed, v2, read in 2026). */
export const cohereEmbedder: EmbedderWire = {
  errorBody: cohereWire.errorBody,
  fields: [
    "model",
    "texts",
    "input_type",
    "embedding_types",
    "truncate",
    "output_dimension",
    "max_tokens",
  ],
  texts: ({ texts }) => listOf(texts),
  dimensions: (body) => body.output_dimension,
  inputType: ({ input_type: type }) => type,
  reply: ({ vectors, tokens }) => ({
    id: "fake",
    embeddings: { float: vectors.map((vector) => [...vector]) },
    texts: [],
    meta: { api_version: { version: "2" }, billed_units: { input_tokens: tokens } },
    response_type: "embeddings_by_type",
  }),
};

interface GeminiRequest {
  model?: string;
  content?: { parts?: { text?: string }[] };
  taskType?: string;
  outputDimensionality?: number;
}
const requestsOf = ({ requests }: Record<string, unknown>): GeminiRequest[] =>
  Array.isArray(requests) ? (requests as GeminiRequest[]) : [];

/** BatchEmbedContentsRequest and -Response (ai.google.dev/api/embeddings, v1beta, read in 2026). */
export const geminiEmbedder: EmbedderWire = {
  errorBody: geminiWire.errorBody,
  fields: ["requests"],
  texts: (body) => requestsOf(body).map(({ content }) => contentText(content?.parts)),
  dimensions: (body) => requestsOf(body)[0]?.outputDimensionality,
  // Later models take the task as text before the input.
  inputType: (body) => {
    const [first] = requestsOf(body);
    return first?.model === "models/gemini-embedding-2" ? "words" : first?.taskType;
  },
  reply: ({ vectors, tokens }) => ({
    embeddings: vectors.map((vector) => ({ values: [...vector] })),
    usageMetadata: { promptTokenCount: tokens },
  }),
};
