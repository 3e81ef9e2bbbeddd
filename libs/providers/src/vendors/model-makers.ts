import { createHash } from "node:crypto";
import type { VendorFault } from "../http/describe-fault.ts";
import { openAiEmbeddings } from "../openai/embedding-protocol.ts";
import { keyField, modelField, type ChatPreset } from "./chat-vendor.ts";
import { embeddingKey, embeddingModel, outputDimensions } from "./embedding-vendor.ts";

const rateLimit = { code: "rate_limit_exceeded" };
const quota = { code: "insufficient_quota" };
const key = { code: "invalid_api_key" };
const filter = { code: "content_filter" };
const invalid = { statusCode: 400 };

/**
 * MiniMax's codes in OpenAI's words (platform.minimax.io/docs/api-reference/errorcode, 2026); all
 * others are its own faults. 1039, "token limit", is about tokens per minute: "retry your requests
 * later".
 */
const faults = new Map<number, Pick<VendorFault, "statusCode" | "code">>([
  [1002, rateLimit],
  [1004, key],
  [1008, quota],
  [1026, filter],
  [1027, filter],
  [1039, rateLimit],
  [1041, rateLimit],
  [1042, invalid],
  [2013, invalid],
  [2045, rateLimit],
  [2049, key],
  [2056, quota],
]);

/**
 * `{base_resp: {status_code, status_msg}}` in a reply with status 200; status code 0 isn't a fault.
 */
function readMinimaxFault(reply: object): VendorFault | null {
  const { base_resp: base } = reply as {
    base_resp?: { status_code?: unknown; status_msg?: unknown } | null;
  };
  const code = base?.status_code;
  if (typeof code !== "number" || code === 0) return null;
  const message = typeof base?.status_msg === "string" ? base.status_msg : "";
  return { message: message === "" ? `${code}` : `${message} (${code})`, ...faults.get(code) };
}

/** Mistral accepts only ids of nine letters and digits, even for calls that other models made. */
const nineCharacters = (id: string): string =>
  /^[A-Za-z0-9]{9}$/.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9);

const perplexityModels: readonly (readonly [string, number])[] = [
  ["sonar", 128_000],
  ["sonar-pro", 200_000],
  ["sonar-reasoning", 128_000],
  ["sonar-reasoning-pro", 128_000],
];

/**
 * Vendors that serve their own models through chat completions; addresses, lists and quirks from
 * their API references (docs.mistral.ai, docs.perplexity.ai, api-docs.deepseek.com, docs.x.ai,
 * platform.moonshot.ai/docs, docs.z.ai, platform.minimax.io/docs; 2025 and 2026).
 */
export const modelMakers: readonly ChatPreset[] = [
  {
    id: "mistral",
    name: "Mistral",
    group: "hosted",
    dataPolicyUrl: "https://legal.mistral.ai/terms/privacy-policy",
    keyUrl: "https://console.mistral.ai/api-keys",
    baseUrl: "https://api.mistral.ai/v1",
    fields: [keyField("MistralApiKey"), modelField("MistralModelPref", "mistral-tiny")],
    list: {
      keep: ({ id, capabilities }) =>
        !id.includes("embed") &&
        (capabilities as { completion_chat?: boolean } | undefined)?.completion_chat !== false,
      describe: ({ id }) => ({ name: id }),
    },
    // Mistral rejects fields that it doesn't document.
    dialect: {
      countsUnasked: true,
      requiredChoice: "any",
      convertCallId: nineCharacters,
      effortFields: null,
    },
    embedder: {
      baseUrl: "https://api.mistral.ai/v1",
      protocol: openAiEmbeddings({ dimensionsName: "output_dimension" }),
      fields: [embeddingKey("MistralApiKey"), embeddingModel("mistral-embed"), outputDimensions],
      longest: 8_192,
      batch: 512,
      // "Too many tokens in batch. Max is 16384".
      batchTokens: 16_384,
      dimensions: { "mistral-embed": 1024 },
      list: { keep: ({ id }) => id.includes("embed"), describe: ({ id }) => ({ name: id }) },
    },
  },
  {
    id: "perplexity",
    name: "Perplexity",
    group: "hosted",
    dataPolicyUrl: "https://www.perplexity.ai/hub/legal/privacy-policy",
    keyUrl: "https://www.perplexity.ai/account/api/keys",
    baseUrl: "https://api.perplexity.ai",
    fields: [keyField("PerplexityApiKey"), modelField("PerplexityModelPref")],
    contextWindow: 128_000,
    list: {
      fixed: perplexityModels.map(([id, contextWindow]) => ({
        id,
        name: id,
        organization: "Perplexity",
        contextWindow,
      })),
    },
    dialect: { countsUnasked: true, effortFields: null },
    supports: { tools: false },
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    group: "hosted",
    dataPolicyUrl: "https://cdn.deepseek.com/policies/en-US/deepseek-privacy-policy.html",
    keyUrl: "https://platform.deepseek.com/api_keys",
    baseUrl: "https://api.deepseek.com/v1",
    fields: [keyField("DeepSeekApiKey"), modelField("DeepSeekModelPref", "deepseek-chat")],
    contextWindow: 128_000,
    list: { fallback: ["deepseek-chat", "deepseek-reasoner"] },
    dialect: { returnsReasoning: true, takesNoSchema: true, effortFields: null },
    supports: { images: false },
  },
  {
    id: "xai",
    name: "xAI",
    group: "hosted",
    dataPolicyUrl: "https://x.ai/legal/privacy-policy",
    keyUrl: "https://console.x.ai",
    baseUrl: "https://api.x.ai/v1",
    fields: [keyField("XAIApiKey"), modelField("XAIModelPref", "grok-beta")],
    contextWindow: 131_072,
    list: { keep: ({ id }) => !/image|imagine|video/.test(id) },
    // Most of its models reject the field.
    dialect: { effortFields: null },
  },
  {
    id: "moonshotai",
    name: "Moonshot AI",
    group: "hosted",
    dataPolicyUrl: "https://platform.moonshot.ai/docs/agreement/userprivacy",
    keyUrl: "https://platform.moonshot.ai/console/api-keys",
    baseUrl: "https://api.moonshot.ai/v1",
    fields: [keyField("MoonshotAiApiKey"), modelField("MoonshotAiModelPref", "moonshot-v1-32k")],
    list: {},
    dialect: {
      returnsReasoning: true,
      takesNoSchema: true,
      effortFields: null,
      fixesTemperature: (model) => /^kimi-k2\.[5-9]/.test(model),
    },
  },
  {
    id: "zai",
    name: "Z.ai",
    group: "hosted",
    dataPolicyUrl: "https://docs.z.ai/legal-agreement/privacy-policy",
    keyUrl: "https://z.ai/manage-apikey/apikey-list",
    baseUrl: "https://api.z.ai/api/paas/v4",
    fields: [keyField("ZAiApiKey"), modelField("ZAiModelPref", "glm-4.5")],
    contextWindow: 131_072,
    list: {},
    dialect: {
      returnsReasoning: true,
      takesNoSchema: true,
      callsInParallelOnly: true,
      effortFields: null,
    },
  },
  {
    id: "minimax",
    name: "MiniMax",
    group: "hosted",
    keyUrl: "https://platform.minimax.io/user-center/basic-information/interface-key",
    baseUrl: "https://api.minimax.io/v1",
    fields: [keyField("MinimaxApiKey"), modelField("MinimaxModelPref", "MiniMax-M2.7")],
    contextWindow: 204_800,
    list: {
      fallback: [
        "MiniMax-M2.7",
        "MiniMax-M2.7-highspeed",
        "MiniMax-M2.5",
        "MiniMax-M2.5-highspeed",
        "MiniMax-M2.1",
        "MiniMax-M2.1-highspeed",
        "MiniMax-M2",
      ],
    },
    dialect: { readFault: readMinimaxFault, effortFields: null },
  },
];
