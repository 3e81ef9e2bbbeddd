/**
 * Models trained only on English texts, by name, from their model cards (huggingface.co, 2024 to
 * 2026).
 */
const english: readonly RegExp[] = [
  /(?:^|[^a-z0-9])all-(?:minilm|mpnet|distilroberta)/,
  /(?:^|[^a-z0-9])multi-qa-/,
  /msmarco-(?:minilm|distilbert|bert)/,
  /nomic-embed-text(?!.*v2)/,
  /mxbai-embed-large/,
  /snowflake-arctic-embed(?!.*(?:2|v2))/,
  /(?:bge|gte|e5)-(?:small|base|large)(?:-en|-v2|$)/,
];
const multilingual = /multilingual/;

/** ISO 639-1 codes of the languages a model was trained on; null if it has no known limits. */
export function languagesOf(model: string): readonly string[] | null {
  const name = model.toLowerCase();
  return !multilingual.test(name) && english.some((pattern) => pattern.test(name)) ? ["en"] : null;
}

/**
 * A sentence-embedding model that runs in this process. Ids are the same as on the wire
 * (wire-contract.md 11.2) and on its hub.
 */
export interface NativeModel {
  id: string;
  dimensions: number;
  /** Longer inputs are truncated to this many tokens. */
  maxTokens: number;
  maxInputCharacters: number;
  /** Prefixes the model was trained with for passages and questions. */
  passagePrefix: string;
  queryPrefix: string;
  description: string;
  /** Size of the quantised model, for display. */
  size: string;
  lang: string;
}

export const nativeModels: readonly NativeModel[] = [
  {
    id: "Xenova/all-MiniLM-L6-v2",
    dimensions: 384,
    maxTokens: 256,
    maxInputCharacters: 1000,
    passagePrefix: "",
    queryPrefix: "",
    description: "Small and fast, for English documents.",
    size: "23 MB",
    lang: "English",
  },
  {
    id: "MintplexLabs/multilingual-e5-small",
    dimensions: 384,
    maxTokens: 512,
    maxInputCharacters: 1000,
    passagePrefix: "passage: ",
    queryPrefix: "query: ",
    description: "For documents in many languages.",
    size: "118 MB",
    lang: "100+ languages",
  },
  {
    id: "Xenova/nomic-embed-text-v1",
    dimensions: 768,
    maxTokens: 8192,
    maxInputCharacters: 16_000,
    passagePrefix: "search_document: ",
    queryPrefix: "search_query: ",
    description: "For long English passages. Slow without a fast processor.",
    size: "137 MB",
    lang: "English",
  },
];

/** The model to offer if texts aren't in English. */
export const multilingualModel: NativeModel = nativeModels.find(
  ({ id }) => languagesOf(id) === null,
)!;

export const findNativeModel = (id: string | undefined): NativeModel | null =>
  id ? (nativeModels.find((model) => model.id === id) ?? null) : nativeModels[0]!;
