/**
 * A cross-encoder that runs in this process; ids are those of its hub. One output: how well a
 * passage answers a question.
 */
export interface NativeReranker {
  id: string;
  /** Question and passage together; longer pairs are cut. */
  maxTokens: number;
  description: string;
  /** Of the quantised model, for people. */
  size: string;
}

/** The usual one first. */
export const nativeRerankers: readonly NativeReranker[] = [
  {
    id: "Xenova/ms-marco-MiniLM-L-6-v2",
    maxTokens: 512,
    description: "Small and fast; for English.",
    size: "23 MB",
  },
  {
    id: "jinaai/jina-reranker-v1-turbo-en",
    maxTokens: 1024,
    description: "For English, longer passages.",
    size: "38 MB",
  },
  {
    id: "Xenova/bge-reranker-base",
    maxTokens: 512,
    description: "For English and Chinese; slow without a fast processor.",
    size: "280 MB",
  },
];
