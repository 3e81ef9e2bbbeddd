/**
 * A cross-encoder that runs in this process; ids are the same as on its hub. Its single output says
 * how well a passage answers a question.
 */
export interface NativeReranker {
  id: string;
  /** Question and passage together; longer pairs are truncated. */
  maxTokens: number;
  description: string;
  /** Size of the quantised model, for display. */
  size: string;
}

/** The default first. */
export const nativeRerankers: readonly NativeReranker[] = [
  {
    id: "Xenova/ms-marco-MiniLM-L-6-v2",
    maxTokens: 512,
    description: "Small and fast, for English.",
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
    description: "For English and Chinese. Slow without a fast processor.",
    size: "280 MB",
  },
];
