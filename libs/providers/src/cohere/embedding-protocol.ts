import { z } from "zod";
import { bearerHeaders, type EmbeddingProtocol } from "../embedding/embedding-protocol.ts";
import { refuseCohereReply } from "./cohere-endpoint.ts";

/** EmbedByTypeResponse (docs.cohere.com/reference/embed, v2, 2026). */
const embedReply = z.object({
  embeddings: z.object({ float: z.array(z.unknown()) }),
  meta: z
    .object({ billed_units: z.object({ input_tokens: z.number().optional() }).optional() })
    .nullish()
    .catch(undefined),
});

export const cohereEmbeddings: EmbeddingProtocol = {
  path: () => "/v2/embed",
  headers: bearerHeaders,
  body: ({ model, texts, kind, dimensions }) => ({
    model,
    texts,
    input_type: kind === "query" ? "search_query" : "search_document",
    embedding_types: ["float"],
    truncate: kind === "query" ? "END" : "NONE",
    ...(dimensions !== undefined && { output_dimension: dimensions }),
  }),
  read(reply) {
    const read = embedReply.safeParse(reply).data;
    return read === undefined
      ? null
      : {
          vectors: read.embeddings.float,
          tokens: read.meta?.billed_units?.input_tokens ?? null,
        };
  },
  refuse: refuseCohereReply,
};
