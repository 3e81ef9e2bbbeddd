import type { ProviderReply } from "@carrel/egress";
import type { CalledVendor } from "../http/describe-fault.ts";
import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { isWebPage, webPageError } from "../http/read-fault.ts";
import { sharedPool, withOneRetry, type CallLimits } from "../http/run-request.ts";
import type { EmbeddingModel } from "../spec/embedding-model.ts";
import { ProviderError } from "../spec/provider-error.ts";

export interface Prefixes {
  passage: string;
  query: string;
}

export const noPrefixes: Prefixes = { passage: "", query: "" };

const onlyQuery = (query: string): Prefixes => ({ passage: "", query });
const searching = "Represent this sentence for searching relevant passages: ";

/**
 * Prefixes that models were trained with for passages and questions, by the models' names, from
 * their model cards (huggingface.co, 2024 to 2026). Servers that run the models don't add them.
 */
const known: readonly (readonly [RegExp, Prefixes])[] = [
  [/nomic-embed-(?:text|code)/, { passage: "search_document: ", query: "search_query: " }],
  [
    /multilingual-e5-large-instruct/,
    onlyQuery("Instruct: Given a question, retrieve passages that answer it\nQuery: "),
  ],
  [/(?:^|[^a-z0-9])e5-(?:small|base|large)/, { passage: "passage: ", query: "query: " }],
  [/embedding-?gemma/, { passage: "title: none | text: ", query: "task: search result | query: " }],
  [/mxbai-embed-large/, onlyQuery(searching)],
  [/snowflake-arctic-embed.*(?:2|v2)/, onlyQuery("query: ")],
  [/snowflake-arctic-embed/, onlyQuery(searching)],
  [/bge-(?:small|base|large)-en/, onlyQuery(searching)],
  [
    /qwen3-embedding/,
    onlyQuery("Instruct: Given a question, retrieve passages that answer it\nQuery:"),
  ],
];

/** Returns no prefixes for models that take none or aren't known. */
export function prefixesOf(model: string): Prefixes {
  const name = model.toLowerCase();
  return known.find(([pattern]) => pattern.test(name))?.[1] ?? noPrefixes;
}

interface EmbeddingRequest {
  model: string;
  texts: readonly string[];
  kind: "passage" | "query";
  /** Undefined: the model's own length. */
  dimensions: number | undefined;
}

/** Vectors as sent: lists of numbers or base64, one per text, in order. */
interface EmbeddingReply {
  vectors: readonly unknown[];
  /** null if the vendor doesn't count them. */
  tokens: number | null;
}

/**
 * How a vendor takes texts and returns vectors. It may cut off questions that are too long, but
 * never passages: the caller splits passages that are refused.
 */
export interface EmbeddingProtocol {
  /** Below the base URL. */
  path(model: string): string;
  headers(apiKey: string | undefined): Record<string, string>;
  body(request: EmbeddingRequest): object;
  /** null for a reply in another format. */
  read(reply: unknown): EmbeddingReply | null;
  refuse: Refusal;
}

export const bearerHeaders = (apiKey: string | undefined): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

/**
 * A vector from a list of numbers, or from base64 of 32-bit floats: some servers reply with one,
 * some with the other, whatever was requested. null if it is neither.
 */
function readVector(value: unknown): Float32Array | null {
  const vector = typeof value === "string" ? readBase64(value) : readList(value);
  return vector === null || vector.length === 0 ? null : vector;
}

function readBase64(text: string): Float32Array | null {
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  if (bytes.length % 4 !== 0) return null;
  const vector = new Float32Array(bytes.buffer);
  return vector.every(Number.isFinite) ? vector : null;
}

function readList(list: unknown): Float32Array | null {
  if (!Array.isArray(list)) return null;
  const vector = new Float32Array(list.length);
  for (let place = 0; place < list.length; place++) {
    const number: unknown = list[place];
    if (typeof number !== "number") return null;
    vector[place] = number;
  }
  return vector;
}

interface BatchLimits {
  /** Maximum texts per request. */
  texts: number;
  /** Maximum tokens of all texts in a request; undefined if only the number of texts is limited. */
  tokens?: number | undefined;
}

/**
 * More tokens than most texts have: English has a token per four bytes, Chinese one per two or
 * three. Counting exactly would take every vendor's tokenizer.
 */
const estimateMost = (text: string): number => Math.ceil(Buffer.byteLength(text) / 2);

/** Cuts texts into requests, in order; every request has at least one text. */
function planBatches(texts: readonly string[], limits: BatchLimits): string[][] {
  const batches: string[][] = [];
  let tokens = Infinity;
  for (const text of texts) {
    const own = limits.tokens === undefined ? 0 : estimateMost(text);
    const batch = batches.at(-1);
    if (!batch || batch.length >= limits.texts || tokens + own > (limits.tokens ?? Infinity)) {
      batches.push([text]);
      tokens = own;
    } else {
      batch.push(text);
      tokens += own;
    }
  }
  return batches;
}

export interface HttpEmbeddingOptions {
  provider: string;
  model: string;
  vectorSpace: string;
  vendor: CalledVendor;
  baseUrl: string;
  apiKey: string | undefined;
  limits: CallLimits;
  protocol: EmbeddingProtocol;
  maxInputCharacters: number;
  batchSize: number;
  /** Maximum tokens of all texts in a request. */
  batchTokens: number | undefined;
  prefixes: Prefixes;
  /** Requested from the vendor. */
  outputDimensions: number | undefined;
  /** The model's own length, if known. */
  knownDimensions: number | undefined;
}

/** An embedder behind an address, whatever its protocol. */
export class HttpEmbeddingModel implements EmbeddingModel {
  readonly provider: string;
  readonly model: string;
  readonly vectorSpace: string;
  readonly maxInputCharacters: number;
  readonly batchSize: number;
  private length: number | null;

  constructor(private readonly options: HttpEmbeddingOptions) {
    this.provider = options.provider;
    this.model = options.model;
    this.vectorSpace = options.vectorSpace;
    this.maxInputCharacters = options.maxInputCharacters;
    this.batchSize = options.batchSize;
    this.length = options.outputDimensions ?? options.knownDimensions ?? null;
  }

  get dimensions(): number | null {
    return this.length;
  }

  async embed(
    texts: string[],
    kind: "passage" | "query",
    signal: AbortSignal,
    onTokens?: (tokens: number) => void,
  ): Promise<Float32Array[]> {
    const { batchTokens: tokens, prefixes } = this.options;
    const prefixed = texts.map((text) => prefixes[kind] + text);
    const vectors: Float32Array[] = [];
    for (const batch of planBatches(prefixed, { texts: this.batchSize, tokens }))
      vectors.push(...(await this.embedBatch(batch, kind, signal, onTokens)));
    return vectors;
  }

  private async embedBatch(
    texts: string[],
    kind: "passage" | "query",
    signal: AbortSignal,
    onTokens?: (tokens: number) => void,
  ): Promise<Float32Array[]> {
    const { vendor, baseUrl, apiKey, limits, protocol, outputDimensions } = this.options;
    const reply = await postJson({
      vendor,
      url: joinPath(baseUrl, protocol.path(this.model)),
      limits,
      headers: protocol.headers(apiKey),
      body: protocol.body({ model: this.model, texts, kind, dimensions: outputDimensions }),
      signal,
      refuse: protocol.refuse,
    }).catch((fault: unknown) => {
      throw describeLength(vendor, fault);
    });
    const read = protocol.read(reply);
    if (read?.tokens) onTokens?.(read.tokens);
    const vectors = read?.vectors.map(readVector) ?? [];
    if (vectors.length !== texts.length || vectors.includes(null))
      throw new ProviderError(
        { code: "provider.vectors-missing", params: { vendor: vendor.name } },
        { kind: "server" },
      );
    return this.requireLength(vectors as Float32Array[]);
  }

  /** Vectors of different lengths can't be compared, and a store can't hold both. */
  private requireLength(vectors: Float32Array[]): Float32Array[] {
    const { vendor, outputDimensions } = this.options;
    const expected = outputDimensions ?? vectors[0]?.length ?? 0;
    const wrong = vectors.find(({ length }) => length !== expected);
    if (wrong)
      throw new ProviderError(
        {
          code: "provider.vector-length-wrong",
          params: { vendor: vendor.name, length: wrong.length, expected },
        },
        { kind: "invalid" },
      );
    if (vectors.length > 0) this.length = expected;
    return vectors;
  }
}

/** The base URL may end in a query (Azure's api-version). */
function joinPath(baseUrl: string, path: string): string {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url.href;
}

/** There is no conversation here, only a text that is too long. */
function describeLength(vendor: CalledVendor, fault: unknown): unknown {
  if (!(fault instanceof ProviderError) || fault.fault.code !== "provider.prompt-too-long")
    return fault;
  return new ProviderError(
    {
      code: "provider.text-too-long",
      params: { vendor: vendor.name, said: fault.fault.params.said },
    },
    { kind: "context-length", statusCode: fault.statusCode, cause: fault },
  );
}

/** Describes a reply with an error status. */
type Refusal = (vendor: CalledVendor, reply: ProviderReply, text: string) => ProviderError;

interface JsonCall {
  vendor: CalledVendor;
  url: string;
  limits: CallLimits;
  headers: Record<string, string>;
  body: object;
  signal: AbortSignal;
  refuse: Refusal;
}

/** A vendor's JSON reply to a POST, retried once if that may help. Only throws ProviderError. */
function postJson(call: JsonCall): Promise<unknown> {
  const { vendor, limits, signal } = call;
  const url = new URL(call.url);
  const body = JSON.stringify(call.body);
  return withOneRetry(
    signal,
    async () => {
      const reply = await sharedPool(url.origin, limits).post({
        url,
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          "user-agent": "Carrel",
          ...call.headers,
        },
        body,
        signal,
      });
      if (reply.status >= 400) throw call.refuse(vendor, reply, await reply.text());
      if (isWebPage(reply.header("content-type"))) {
        reply.release();
        throw webPageError(url.origin);
      }
      return readJson(vendor, await readAll(reply));
    },
    (fault, started) => describeTransportFault(vendor, fault, started),
  );
}

/** Unlike `text()`, without a limit: a batch of vectors takes tens of megabytes. */
async function readAll(reply: ProviderReply): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function readJson(vendor: CalledVendor, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProviderError(
      { code: "provider.reply-unreadable", params: { vendor: vendor.name } },
      { kind: "server", cause },
    );
  }
}
