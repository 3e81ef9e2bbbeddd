/** What a reranker reads of a candidate. */
export interface RerankText {
  text: string;
  title: string;
  headingPath: readonly string[];
}

/**
 * Judges how well texts answer a question, each with the question before it. `score` throws
 * ProviderError only.
 */
export interface RerankModel {
  readonly kind: "native" | "llm";
  readonly model: string;
  /** Texts that are worth its time; a caller hands over no more. */
  readonly most: number;
  /** 0 to 1 for each text, in their order. */
  score(question: string, texts: readonly RerankText[], signal: AbortSignal): Promise<number[]>;
}
