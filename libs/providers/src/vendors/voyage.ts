import { openAiEmbeddings } from "../openai/embedding-protocol.ts";
import {
  createEmbedder,
  embeddingKey,
  embeddingModel,
  outputDimensions,
} from "./embedding-vendor.ts";
import type { Vendor } from "./vendor.ts";

const identity = { id: "voyageai", name: "Voyage AI", group: "hosted" } as const;

/** Voyage's API has no list (docs.voyageai.com/docs/embeddings, 2026). */
const models = [
  "voyage-3-lite",
  "voyage-3",
  "voyage-3-large",
  "voyage-3.5",
  "voyage-3.5-lite",
  "voyage-4",
  "voyage-4-lite",
  "voyage-4-large",
  "voyage-code-3",
  "voyage-finance-2",
  "voyage-law-2",
  "voyage-multilingual-2",
];

/** OpenAI's embeddings with a few fields of its own (docs.voyageai.com/reference, 2026). */
export const voyage: Vendor = {
  ...identity,
  dataPolicyUrl: "https://www.voyageai.com/privacy",
  keyUrl: "https://dashboard.voyageai.com",
  embedding: createEmbedder(identity, {
    baseUrl: "https://api.voyageai.com/v1",
    protocol: openAiEmbeddings({
      inputTypes: { passage: "document", query: "query" },
      dimensionsName: "output_dimension",
      takesTruncation: true,
    }),
    fields: [embeddingKey("VoyageAiApiKey"), embeddingModel("voyage-3-lite"), outputDimensions],
    longest: 16_000,
    batch: 128,
    // The limit of Voyage's large and specialised models; the others take more.
    batchTokens: 120_000,
    dimensions: { "voyage-3-lite": 512, "voyage-3": 1024 },
    list: { fixed: models.map((id) => ({ id, name: id, organization: identity.name })) },
  }),
};
