import { z } from "zod";
import { bearerHeaders, type EmbeddingProtocol } from "../embedding/embedding-protocol.ts";
import { refuseOllama } from "./ollama-client.ts";

/** EmbedResponse (docs.ollama.com/api/embed, 2026). */
const embedReply = z.object({
  embeddings: z.array(z.unknown()),
  prompt_eval_count: z.number().nullish().catch(undefined),
});

export const ollamaEmbeddings: EmbeddingProtocol = {
  path: () => "/api/embed",
  headers: bearerHeaders,
  body: ({ model, texts, kind }) => ({ model, input: texts, truncate: kind === "query" }),
  read(reply) {
    const read = embedReply.safeParse(reply).data;
    return read === undefined
      ? null
      : { vectors: read.embeddings, tokens: read.prompt_eval_count ?? null };
  },
  refuse: refuseOllama,
};
