/** The part of a candidate that a reranker reads. */
export interface RerankText {
  text: string;
  title: string;
  headingPath: readonly string[];
}

/**
 * Scores how well texts answer a question, each paired with the question. `score` only throws
 * ProviderError.
 */
export interface RerankModel {
  readonly kind: "native" | "llm";
  readonly model: string;
  /** Maximum texts per call; callers pass no more. */
  readonly maxTexts: number;
  /** One score from 0 to 1 per text, in order. */
  score(question: string, texts: readonly RerankText[], signal: AbortSignal): Promise<number[]>;
}
