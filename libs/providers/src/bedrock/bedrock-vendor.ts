import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import { notEmpty, type SettingField, type SettingLabel } from "@carrel/contracts";
import { loadProviderFetch, type ProviderReply } from "@carrel/egress";
import type { Checksum, SourceData } from "@smithy/types";
import { z, type ZodType } from "zod";
import {
  findCatalogueModel,
  findModelOfAnyVendor,
  type CatalogueModel,
} from "../catalogue/model-catalogue.ts";
import { describeFault, retryAfter, type CalledVendor } from "../http/describe-fault.ts";
import { fetchModelList } from "../http/fetch-json.ts";
import { readFault } from "../http/read-fault.ts";
import { hostedLimits, type CallLimits } from "../http/run-request.ts";
import { runStream, readErrorBody } from "../http/run-stream.ts";
import { readOrigin, type SettingValues } from "../setting-values.ts";
import type {
  LanguageModel,
  LanguageModelCall,
  ListedModel,
  ModelParameters,
} from "../spec/language-model.ts";
import { ProviderError } from "../spec/provider-error.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import type { EndpointOptions, ModelFacts, Vendor } from "../vendors/vendor.ts";
import { buildConverseRequest } from "./converse-request.ts";
import { ConverseReader, EventStreamMessages, loadEventStreams } from "./read-converse-events.ts";

interface BedrockOptions extends BedrockEndpoint {
  model: string;
  contextWindow: number;
  maxTokens: number | undefined;
  facts?: ModelFacts | undefined;
}

/** `us.anthropic.claude-…-v1:0` is an inference profile of Anthropic's `claude-…`. */
function findKnownModel(id: string): CatalogueModel | undefined {
  const [, vendor, name] = /^(?:[a-z]+\.)?([a-z0-9]+)\.(.+?)(?:-v\d+(?::\d+)*)?$/.exec(id) ?? [];
  if (vendor === undefined || name === undefined) return undefined;
  return findCatalogueModel(vendor, name) ?? findModelOfAnyVendor(name);
}

/** Converse, one API for all of Bedrock's models. */
class BedrockLanguageModel implements LanguageModel {
  readonly provider = "bedrock";
  readonly model: string;
  readonly contextWindow: number;
  readonly answerTokens: number | null;
  private readonly known: Partial<CatalogueModel>;
  constructor(private readonly options: BedrockOptions) {
    this.model = options.model;
    this.contextWindow = options.facts?.contextWindow ?? options.contextWindow;
    this.answerTokens = options.maxTokens ?? null;
    this.known = { ...findKnownModel(options.model), ...options.facts };
  }

  /** Converse has no field for the effort. */
  get parameters(): ModelParameters {
    const temperature = this.known.temperature ?? true;
    return { temperature, topP: temperature, effort: false };
  }

  supportsImages(): Promise<boolean | null> {
    return Promise.resolve(this.known.vision ?? null);
  }

  supportsTools(): Promise<boolean | null> {
    return Promise.resolve(this.known.tools ?? null);
  }

  async *stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const { vendor, baseUrl, limits } = this.options;
    const url = new URL(`${baseUrl}/model/${encodeURIComponent(this.model)}/converse-stream`);
    const eventStreams = await loadEventStreams();
    yield* runStream({
      vendor,
      signal: call.signal,
      paceMs: call.paceMs,
      url: url.href,
      limits,
      headers: (body) => authorize(this.options, { method: "POST", url, body }),
      request: () =>
        buildConverseRequest(call, {
          maxTokens: call.maxTokens ?? this.options.maxTokens,
          acceptsTemperature: this.parameters.temperature,
        }),
      splitter: new EventStreamMessages(eventStreams),
      reader: new ConverseReader(vendor),
      refuse: (reply, text) => refuseBedrockReply(vendor, reply, text),
    });
  }
}

/** ListFoundationModels and ListInferenceProfiles (AWS API reference, Bedrock, 2026). */
const modelList = z.object({
  modelSummaries: z.array(
    z.object({
      modelId: z.string(),
      modelName: z.string().optional(),
      providerName: z.string().optional(),
      outputModalities: z.array(z.string()).optional(),
      inferenceTypesSupported: z.array(z.string()).optional(),
      responseStreamingSupported: z.boolean().optional(),
    }),
  ),
});
const profileList = z.object({
  inferenceProfileSummaries: z.array(
    z.object({ inferenceProfileId: z.string(), inferenceProfileName: z.string().optional() }),
  ),
});
type Model = z.infer<typeof modelList>["modelSummaries"][number];

const canChat = ({ outputModalities = [], responseStreamingSupported }: Model): boolean =>
  outputModalities.includes("TEXT") && responseStreamingSupported !== false;

/** Newer models answer only through a profile: `us.amazon.nova-…` is one of `amazon.nova-…`. */
const modelOf = (profileId: string): string => profileId.slice(profileId.indexOf(".") + 1);

/** The models that a region offers on demand, and profiles for the others. */
async function listBedrockModels(
  endpoint: BedrockEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const list = async <T>(path: string, schema: ZodType<T>): Promise<T> => {
    const url = new URL(endpoint.listUrl + path);
    return fetchModelList({
      vendor: endpoint.vendor,
      url: url.href,
      limits: endpoint.limits,
      headers: await authorize(endpoint, { method: "GET", url }),
      signal,
      schema,
      refuse: (status, text, headers) => refuseBedrock(endpoint.vendor, status, text, headers),
    });
  };
  const [{ modelSummaries }, { inferenceProfileSummaries }] = await Promise.all([
    list("/foundation-models", modelList),
    list("/inference-profiles?maxResults=1000", profileList),
  ]);
  const models = new Map(modelSummaries.filter(canChat).map((model) => [model.modelId, model]));
  const describe = (
    id: string,
    name: string | undefined,
    { providerName }: Model,
  ): ListedModel => ({
    id,
    name: name ?? id,
    organization: providerName ?? "Amazon Bedrock",
  });
  return [
    ...[...models.values()]
      .filter(({ inferenceTypesSupported = ["ON_DEMAND"] }) =>
        inferenceTypesSupported.includes("ON_DEMAND"),
      )
      .map((model) => describe(model.modelId, model.modelName, model)),
    ...inferenceProfileSummaries.flatMap(({ inferenceProfileId: id, inferenceProfileName }) => {
      const model = models.get(modelOf(id));
      return model === undefined ? [] : [describe(id, inferenceProfileName, model)];
    }),
  ];
}

const method = "AwsBedrockLLMConnectionMethod";

/** A field that applies to one or two ways of signing in. */
const credential = (key: string, label: SettingLabel, ...methods: string[]): SettingField => ({
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
 * Clients of August 2026 know only the API key and never send a method, so the key is used if it is
 * the only credential.
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

/** An API key, or the keys of an IAM user or a session. */
type BedrockCredentials =
  | { apiKey: string }
  | { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

interface BedrockEndpoint {
  vendor: CalledVendor;
  /** Address of the runtime, which answers. */
  baseUrl: string;
  /** Address of the control plane, which lists models. */
  listUrl: string;
  region: string;
  credentials: BedrockCredentials;
  limits: CallLimits;
}

/** AWS uses a separate domain for China. */
const bedrockUrl = (service: string, region: string): string =>
  `https://${service}.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;

/** Throws ProviderError 'invalid': a region is part of a host name. */
function requireRegion(region: string): string {
  if (!/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region))
    throw new ProviderError({ code: "provider.address-invalid" }, { kind: "invalid" });
  return region;
}

/** AWS's signer needs a hash implementation. */
class Sha256 implements Checksum {
  private readonly hash: Hash | Hmac;
  constructor(secret?: SourceData) {
    this.hash =
      secret === undefined
        ? createHash("sha256")
        : createHmac("sha256", typeof secret === "string" ? secret : toBytes(secret));
  }
  update(data: Uint8Array): void {
    this.hash.update(data);
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.hash.digest());
  }
  reset(): void {
    throw new TypeError("a hash is used once");
  }
}

const toBytes = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

/** AWS's own signer, loaded by the first call that needs it. */
let signing: Promise<typeof import("@smithy/signature-v4")> | undefined;
const loadSigning = (): Promise<typeof import("@smithy/signature-v4")> =>
  (signing ??= import("@smithy/signature-v4"));

/** Headers that authorise one request: a bearer token, or its signature (SigV4). */
async function authorize(
  { credentials, region }: BedrockEndpoint,
  { method, url, body }: { method: "GET" | "POST"; url: URL; body?: string },
): Promise<Record<string, string>> {
  if ("apiKey" in credentials) return { authorization: `Bearer ${credentials.apiKey}` };
  const { SignatureV4 } = await loadSigning();
  const signer = new SignatureV4({ service: "bedrock", region, credentials, sha256: Sha256 });
  const { headers } = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { host: url.host },
    ...(body !== undefined && { body }),
  });
  const { host: _host, ...signed } = headers;
  return signed;
}

/** Error bodies are `{message}`; their type is in a header (AWS API reference, 2026). */
function refuseBedrock(
  vendor: CalledVendor,
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): ProviderError {
  const code = headers.get("x-amzn-errortype")?.split(":")[0];
  const wait = retryAfter(headers);
  return describeFault(vendor, {
    statusCode: status,
    ...(code !== undefined && { code }),
    message: readFault(readErrorBody(text))?.message ?? text,
    ...(wait !== undefined && { retryAfterMs: wait }),
  });
}

const refuseBedrockReply = (
  vendor: CalledVendor,
  reply: ProviderReply,
  text: string,
): ProviderError =>
  refuseBedrock(vendor, reply.status, text, { get: (name) => reply.header(name) });
