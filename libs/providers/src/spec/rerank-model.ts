import type { Usage } from "./stream-part.ts";

/** The part of a candidate that a reranker reads. */
export interface RerankText {
  text: string;
  title: string;
  headingPath: readonly string[];
}

export interface RerankUse {
  usage: Usage | null;
  prompt: string;
  answer: string;
}

/**
 * Scores how well texts answer a question, each paired with the question. `score` only throws
 * ProviderError.
 */
export interface RerankModel {
  readonly kind: "native" | "llm";
  readonly provider: string;
  readonly model: string;
  /** Maximum texts per call; callers pass no more. */
  readonly maxTexts: number;
  /**
   * One score from 0 to 1 per text, in order. `onUse` receives what a language model used, with the
   * prompt and the answer if its vendor counts no tokens.
   */
  score(
    question: string,
    texts: readonly RerankText[],
    signal: AbortSignal,
    onUse?: (use: RerankUse) => void,
  ): Promise<number[]>;
}
