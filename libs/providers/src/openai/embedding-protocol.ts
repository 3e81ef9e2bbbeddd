import { z } from "zod";
import { bearerHeaders, type EmbeddingProtocol } from "../embedding/http-embedding-model.ts";
import { refuseOpenAi } from "./openai-client.ts";

/** How a vendor's embeddings differ from OpenAI's (see the vendors' files). */
export interface EmbeddingDialect {
  /** Values of `input_type`, by which the vendor distinguishes questions from passages. */
  inputTypes?: { passage: string; query: string };
  dimensionsName?: "output_dimension";
  /** Takes no `encoding_format`, and cuts texts off unless told otherwise. */
  takesTruncation?: boolean;
}

/** CreateEmbeddingResponse (openai-openapi v2.3.0); some servers leave out index and usage. */
const embeddingReply = z.object({
  data: z.array(
    z.object({ embedding: z.unknown(), index: z.number().int().nonnegative().optional() }),
  ),
  usage: z
    .object({ prompt_tokens: z.number().optional(), total_tokens: z.number().optional() })
    .nullish()
    .catch(undefined),
});

/** OpenAI's embeddings, for its own API and for compatible ones. */
export const openAiEmbeddings = (dialect: EmbeddingDialect = {}): EmbeddingProtocol => ({
  path: () => "/embeddings",
  headers: bearerHeaders,
  body: ({ model, texts, kind, dimensions }) => ({
    model,
    input: texts,
    ...(dialect.takesTruncation === true
      ? { truncation: kind === "query" }
      : { encoding_format: "float" }),
    ...(dialect.inputTypes && { input_type: dialect.inputTypes[kind] }),
    ...(dimensions !== undefined && { [dialect.dimensionsName ?? "dimensions"]: dimensions }),
  }),
  read(reply) {
    const { success, data: read } = embeddingReply.safeParse(reply);
    if (!success) return null;
    const vectors = new Array<unknown>(read.data.length).fill(undefined);
    for (const [place, { embedding, index = place }] of read.data.entries())
      if (index < vectors.length) vectors[index] = embedding;
    return {
      vectors,
      tokens: read.usage?.prompt_tokens ?? read.usage?.total_tokens ?? null,
    };
  },
  refuse: refuseOpenAi,
});
