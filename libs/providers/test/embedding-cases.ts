import { createEmbeddingModel, vendors, type EmbeddingModel } from "@carrel/providers";
import type { FakeRequest } from "@carrel/testing";
import type { Vendor } from "../src/vendors/vendor.ts";
import { embeddingSettings } from "./vendor-settings.ts";

/** The only key the fake accepts. */
export const key = "sk-ant-very-secret-0123456789";
const limits = { connectMs: 20_000, firstByteMs: 20_000, idleMs: 20_000 };

/** How a vendor is reached and what distinguishes its questions from passages. */
interface Protocol {
  /** Path below the fake's address, by which the fake recognises some vendors. */
  base: string;
  path: string;
  textsOf(body: FakeRequest["body"]): string[];
  inputTypeOf(body: FakeRequest["body"]): unknown;
  /** Its input types of passages and questions; undefined if it has none. */
  inputTypes?: readonly [string, string];
  /** Name of the field that asks for shorter vectors. */
  dimensionsOf?(body: FakeRequest["body"]): unknown;
}

const openAi = {
  textsOf: ({ input }) => input as string[],
  inputTypeOf: ({ input_type: type }) => type,
} satisfies Partial<Protocol>;
const shorter = { dimensionsOf: ({ dimensions }: FakeRequest["body"]) => dimensions };
const shorterOutput = {
  dimensionsOf: ({ output_dimension: dimensions }: FakeRequest["body"]) => dimensions,
};

interface GeminiBody {
  requests: {
    content: { parts: { text: string }[] };
    taskType?: string;
    outputDimensionality?: number;
  }[];
}
const geminiBody = (body: FakeRequest["body"]) => (body as unknown as GeminiBody).requests;

const protocols: Record<string, Protocol> = {
  openai: { ...openAi, ...shorter, base: "/base/v1", path: "/base/v1/embeddings" },
  azure: { ...openAi, ...shorter, base: "", path: "/openai/v1/embeddings" },
  gemini: {
    base: "",
    path: "/v1beta/models/local:batchEmbedContents",
    textsOf: (body) => geminiBody(body).map(({ content }) => content.parts[0]!.text),
    inputTypeOf: (body) => geminiBody(body)[0]!.taskType,
    inputTypes: ["RETRIEVAL_DOCUMENT", "RETRIEVAL_QUERY"],
    dimensionsOf: (body) => geminiBody(body)[0]!.outputDimensionality,
  },
  cohere: {
    base: "",
    path: "/v2/embed",
    textsOf: ({ texts }) => texts as string[],
    inputTypeOf: ({ input_type: type }) => type,
    inputTypes: ["search_document", "search_query"],
    ...shorterOutput,
  },
  voyageai: {
    ...openAi,
    ...shorterOutput,
    base: "/voyageai/v1",
    path: "/voyageai/v1/embeddings",
    inputTypes: ["document", "query"],
  },
  mistral: {
    ...openAi,
    ...shorterOutput,
    base: "/mistral/v1",
    path: "/mistral/v1/embeddings",
  },
  openrouter: {
    ...openAi,
    ...shorter,
    base: "/openrouter/api/v1",
    path: "/openrouter/api/v1/embeddings",
    inputTypes: ["search_document", "search_query"],
  },
  ollama: {
    base: "",
    path: "/api/embed",
    textsOf: ({ input }) => input as string[],
    inputTypeOf: () => undefined,
  },
  lmstudio: { ...openAi, base: "/v1", path: "/v1/embeddings" },
  localai: { ...openAi, base: "/localai/v1", path: "/localai/v1/embeddings" },
  litellm: { ...openAi, ...shorter, base: "/litellm", path: "/litellm/embeddings" },
  lemonade: { ...openAi, base: "/live", path: "/api/v1/embeddings" },
  "generic-openai": { ...openAi, ...shorter, base: "/any/v1", path: "/any/v1/embeddings" },
};

export interface EmbeddingCase extends Protocol {
  id: string;
  vendor: Vendor;
  make(url: string, settings?: Record<string, string>, apiKey?: string): EmbeddingModel;
}

/** Every embedder behind an address, so that the same tests apply to all. */
export const cases: EmbeddingCase[] = vendors
  .filter(({ id, embedding }) => embedding !== undefined && id !== "native")
  .map((vendor): EmbeddingCase => {
    const protocol = protocols[vendor.id]!;
    const address = (url: string) => url + protocol.base;
    return {
      ...protocol,
      id: vendor.id,
      vendor,
      make: (url, settings, apiKey = key) =>
        createEmbeddingModel(
          vendor.id,
          { ...embeddingSettings(vendor, address(url), apiKey), ...settings },
          { modelsDir: "/nowhere", baseUrl: address(url), limits },
        ),
    };
  });

/** The setting that holds the model. */
export const modelKey = ({ vendor }: EmbeddingCase): string =>
  vendor.embedding!.fields.find(({ label }) => label === "model" || label === "deployment")!.key;
