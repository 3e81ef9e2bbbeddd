import { z } from "zod";
import type { EmbeddingProtocol } from "../embedding/embedding-protocol.ts";
import { refuseGeminiReply } from "./gemini-endpoint.ts";

/** BatchEmbedContentsResponse (ai.google.dev/api/embeddings, v1beta, 2026). */
const embedReply = z.object({
  embeddings: z.array(z.object({ values: z.unknown() })),
  usageMetadata: z.object({ promptTokenCount: z.number().optional() }).nullish().catch(undefined),
});

const taskTypes = { passage: "RETRIEVAL_DOCUMENT", query: "RETRIEVAL_QUERY" };
/** Later models take the task as words in front of the text. */
const takesTaskType = (model: string): boolean => !/gemini-embedding-[2-9]/.test(model);
const taskWords = { passage: "title: none | text: ", query: "task: search result | query: " };

export const geminiEmbeddings: EmbeddingProtocol = {
  path: (model) => `/v1beta/models/${encodeURIComponent(model)}:batchEmbedContents`,
  headers: (apiKey = ""): Record<string, string> => ({ "x-goog-api-key": apiKey }),
  body: ({ model, texts, kind, dimensions }) => ({
    requests: texts.map((text) => ({
      model: `models/${model}`,
      content: { parts: [{ text: takesTaskType(model) ? text : taskWords[kind] + text }] },
      ...(takesTaskType(model) && { taskType: taskTypes[kind] }),
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    })),
  }),
  read(reply) {
    const read = embedReply.safeParse(reply).data;
    return read === undefined
      ? null
      : {
          vectors: read.embeddings.map(({ values }) => values),
          tokens: read.usageMetadata?.promptTokenCount ?? null,
        };
  },
  refuse: refuseGeminiReply,
};
