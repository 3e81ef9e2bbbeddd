import {
  cohereEmbedder,
  geminiEmbedder,
  ollamaEmbedder,
  openAiEmbedder,
  type EmbedderWire,
} from "./embedder-wires.ts";

interface Refused {
  status: number;
  message: string;
  code?: string;
}

/** A vendor's limits and messages. */
export interface FakeEmbedder extends EmbedderWire {
  maxTexts: number;
  /** Maximum tokens of all texts in a request. */
  maxTokens?: number;
  /** Required if the vendor distinguishes questions from passages. */
  inputTypes?: readonly string[];
  unknownModel: Refused;
  tooLong: Refused;
  tooMany: Refused;
}

/** openai-openapi v2.3.0 and platform.openai.com/docs/api-reference/embeddings, 2026. */
const openAi: FakeEmbedder = {
  ...openAiEmbedder,
  maxTexts: 2048,
  maxTokens: 300_000,
  unknownModel: {
    status: 404,
    message: "The model `unknown` does not exist or you do not have access to it.",
    code: "model_not_found",
  },
  tooLong: { status: 400, message: "Invalid 'input': maximum input length is 8192 tokens." },
  tooMany: {
    status: 400,
    message: "Requested more tokens than allowed, max 300000 tokens per request",
    code: "max_tokens_per_request",
  },
};

/** learn.microsoft.com/azure/ai-foundry/openai/reference, v1, 2026. */
const azure: FakeEmbedder = {
  ...openAi,
  unknownModel: {
    status: 404,
    message: "The API deployment for this resource does not exist.",
    code: "DeploymentNotFound",
  },
  tooLong: {
    status: 400,
    message:
      "This model's maximum context length is 8192 tokens, however you requested 9000 tokens (9000 in your prompt; 0 for the completion). Please reduce your prompt; or completion length.",
  },
};

/** docs.mistral.ai/api, EmbeddingRequest, 2026. */
const mistral: FakeEmbedder = {
  ...openAi,
  fields: ["model", "input", "encoding_format", "output_dimension", "output_dtype", "metadata"],
  dimensions: (body) => body.output_dimension,
  maxTexts: 512,
  maxTokens: 16_384,
  unknownModel: { status: 400, message: "Invalid model: unknown", code: "1500" },
  tooLong: {
    status: 400,
    message: "Input contains 9000 tokens, too large for model with 8192 maximum context length",
  },
  tooMany: { status: 400, message: "Too many tokens overall, split into more batches." },
};

/** docs.voyageai.com/reference/embeddings-api, 2026. */
const voyage: FakeEmbedder = {
  ...openAi,
  errorBody: (status, error) => ({
    detail:
      error?.message ??
      (status === 401
        ? "Provided API key is invalid."
        : status === 429
          ? "You have exceeded your rate limit."
          : "Internal error"),
  }),
  fields: ["model", "input", "input_type", "truncation", "output_dimension", "output_dtype"],
  dimensions: (body) => body.output_dimension,
  reply: (answer) => {
    const { usage, ...reply } = openAiEmbedder.reply(answer) as { usage: { total_tokens: number } };
    return { ...reply, usage: { total_tokens: usage.total_tokens } };
  },
  inputTypes: ["query", "document"],
  maxTexts: 1000,
  maxTokens: 120_000,
  unknownModel: {
    status: 400,
    message: "Model unknown is not supported. Supported models are ['voyage-3-large'].",
  },
  tooLong: {
    status: 400,
    message:
      "The example at index 0 in your batch has too many tokens and does not fit into the model's context window of 32000 tokens.",
  },
  tooMany: {
    status: 400,
    message: "The max allowed tokens per submitted batch is 120000. Your batch has 130000 tokens.",
  },
};

/** openrouter.ai/docs/api-reference/embeddings, 2026. */
const openRouter: FakeEmbedder = {
  ...openAi,
  fields: [...openAiEmbedder.fields, "input_type", "provider"],
  inputTypes: ["search_query", "search_document"],
  unknownModel: { status: 400, message: "unknown is not a valid model ID" },
};

/** docs.litellm.ai/docs/proxy and exception_mapping, 2026. */
const liteLlm: FakeEmbedder = {
  ...openAi,
  unknownModel: {
    status: 400,
    message:
      "Invalid model name passed in model=unknown. Call `/v1/models` to view available models for your key.",
  },
  tooLong: {
    status: 400,
    message:
      "litellm.ContextWindowExceededError: This model's maximum context length is 8192 tokens.",
  },
};

/** LM Studio, LocalAI and Lemonade run llama.cpp (tools/server, b7000). */
const llamaCpp: FakeEmbedder = {
  ...openAi,
  unknownModel: { status: 404, message: 'model "unknown" not found' },
  tooLong: {
    status: 500,
    message:
      "input (600 tokens) is too large to process. increase the physical batch size (current batch size: 512)",
  },
};

const ollama: FakeEmbedder = {
  ...ollamaEmbedder,
  maxTexts: Infinity,
  unknownModel: { status: 404, message: 'model "unknown" not found, try pulling it first' },
  tooLong: { status: 400, message: "the input length exceeds the context length" },
  tooMany: { status: 400, message: "the input length exceeds the context length" },
};

/** docs.cohere.com/reference/embed and /errors, v2, 2026. */
const cohere: FakeEmbedder = {
  ...cohereEmbedder,
  maxTexts: 96,
  inputTypes: ["search_query", "search_document"],
  unknownModel: {
    status: 404,
    message:
      "model 'unknown' not found, make sure the correct model ID was used and that you have access to the model.",
  },
  tooLong: {
    status: 400,
    message: "too many tokens: total number of tokens in the input cannot exceed 512",
  },
  tooMany: {
    status: 400,
    message: "invalid request: total number of texts must be at most 96",
  },
};

/** ai.google.dev/api/embeddings, v1beta, 2026. */
const gemini: FakeEmbedder = {
  ...geminiEmbedder,
  maxTexts: 100,
  inputTypes: ["RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT", "words"],
  unknownModel: {
    status: 404,
    message:
      "models/unknown is not found for API version v1beta, or is not supported for embedContent.",
  },
  tooLong: {
    status: 400,
    message: "The input token count (3000) exceeds the maximum number of tokens allowed (2048).",
  },
  tooMany: { status: 400, message: "at most 100 requests can be in one batch" },
};

/** Vendors by the path where tests put them; without one, a server with OpenAI's protocol. */
const embedders: readonly (readonly [RegExp, FakeEmbedder])[] = [
  [/\/api\/embed$/, ollama],
  [/\/v2\/embed$/, cohere],
  [/:batchEmbedContents$/, gemini],
  [/^\/openai\/v1\/embeddings$/, azure],
  [/^\/mistral\/.*\/embeddings$/, mistral],
  [/^\/voyageai\/.*\/embeddings$/, voyage],
  [/^\/openrouter\/.*\/embeddings$/, openRouter],
  [/^\/litellm\/embeddings$/, liteLlm],
  [/^\/(?:localai\/)?(?:api\/)?v1\/embeddings$/, llamaCpp],
  [/\/embeddings$/, openAi],
];

export const findEmbedder = (path: string): FakeEmbedder | undefined =>
  embedders.find(([pattern]) => pattern.test(path))?.[1];
