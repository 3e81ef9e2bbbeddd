import { notEmpty, type SettingField } from "@carrel/contracts";
import { loadProviderFetch } from "@carrel/egress";
import {
  bedrockUrl,
  requireRegion,
  type BedrockCredentials,
  type BedrockEndpoint,
} from "../bedrock/bedrock-endpoint.ts";
import { BedrockLanguageModel } from "../bedrock/bedrock-language-model.ts";
import { listBedrockModels } from "../bedrock/list-bedrock-models.ts";
import { loadEventStreams } from "../bedrock/split-event-stream.ts";
import { hostedLimits } from "../http/run-request.ts";
import { readOrigin } from "../http/read-origin.ts";
import type { SettingValues } from "../setting-values.ts";
import type { EndpointOptions, Vendor } from "./vendor.ts";

const method = "AwsBedrockLLMConnectionMethod";

/** A field of one or two ways to sign in. */
const credential = (key: string, label: string, ...methods: string[]): SettingField => ({
  key,
  label,
  kind: "secret",
  required: true,
  when: { key: method, values: methods },
});

/** Specification 2 names 26; the last four are GovCloud's and China's. */
const regions =
  "us-west-2 us-east-1 us-east-2 us-west-1 af-south-1 ap-east-1 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-southeast-1 ap-southeast-2 ap-southeast-3 ca-central-1 eu-central-1 eu-north-1 eu-south-1 eu-west-1 eu-west-2 eu-west-3 me-south-1 sa-east-1 us-gov-east-1 us-gov-west-1 cn-north-1 cn-northwest-1".split(
    " ",
  );

/**
 * Clients of August 2026 know only the API key and never send a method, so a key without the others
 * is used.
 */
function readCredentials(values: SettingValues): BedrockCredentials {
  const chosen = values.get(method);
  const apiKey = values.find("AwsBedrockLLMApiKey");
  const accessKeyId = values.find("AwsBedrockLLMAccessKeyId");
  if (chosen === "apiKey" || (accessKeyId === undefined && apiKey !== undefined))
    return { apiKey: values.get("AwsBedrockLLMApiKey") };
  return {
    accessKeyId: values.get("AwsBedrockLLMAccessKeyId"),
    secretAccessKey: values.get("AwsBedrockLLMAccessKey"),
    ...(chosen === "sessionToken" && { sessionToken: values.get("AwsBedrockLLMSessionToken") }),
  };
}

function endpoint(values: SettingValues, { baseUrl, limits }: EndpointOptions): BedrockEndpoint {
  const region = requireRegion(values.get("AwsBedrockLLMRegion"));
  const credentials = readCredentials(values);
  const runtime = baseUrl ?? bedrockUrl("bedrock-runtime", region);
  return {
    vendor: {
      name: "Amazon Bedrock",
      origin: readOrigin(runtime),
      secrets: Object.values(credentials),
    },
    baseUrl: runtime,
    listUrl: baseUrl ?? bedrockUrl("bedrock", region),
    region,
    credentials,
    limits: { ...hostedLimits, ...limits },
  };
}

export const bedrock: Vendor = {
  id: "bedrock",
  name: "Amazon Bedrock",
  group: "hosted",
  dataPolicyUrl: "https://docs.aws.amazon.com/bedrock/latest/userguide/data-protection.html",
  keyUrl: "https://console.aws.amazon.com/bedrock/home#/api-keys",
  language: {
    fields: [
      {
        key: method,
        label: "connectionMethod",
        kind: "select",
        required: false,
        default: "iam",
        options: ["iam", "sessionToken", "apiKey"],
      },
      credential("AwsBedrockLLMApiKey", "key", "apiKey"),
      credential("AwsBedrockLLMAccessKeyId", "accessKeyId", "iam", "sessionToken"),
      credential("AwsBedrockLLMAccessKey", "accessKey", "iam", "sessionToken"),
      credential("AwsBedrockLLMSessionToken", "sessionToken", "sessionToken"),
      {
        key: "AwsBedrockLLMRegion",
        label: "region",
        kind: "select",
        required: true,
        default: "us-west-2",
        options: regions,
        check: notEmpty,
      },
      { key: "AwsBedrockLLMModel", label: "model", kind: "model", required: true },
      {
        key: "AwsBedrockLLMTokenLimit",
        label: "contextWindow",
        kind: "number",
        required: true,
        default: 8192,
        min: 1,
      },
      {
        key: "AwsBedrockLLMMaxTokens",
        label: "longestAnswer",
        kind: "number",
        required: false,
        default: 4096,
        min: 1,
        advanced: true,
        aliases: ["AwsBedrockLLMMaxOutputTokens"],
      },
    ],
    supports: { images: true, files: true, tools: true, output: true },
    create: (values, options) =>
      new BedrockLanguageModel({
        ...endpoint(values, options),
        model: options.model?.trim() || values.get("AwsBedrockLLMModel"),
        contextWindow: values.getNumber("AwsBedrockLLMTokenLimit"),
        maxTokens: values.findNumber("AwsBedrockLLMMaxTokens"),
        facts: options.facts,
      }),
    listModels: (values, options, signal) => listBedrockModels(endpoint(values, options), signal),
    warm: () => Promise.all([loadProviderFetch(), loadEventStreams()]),
  },
};
