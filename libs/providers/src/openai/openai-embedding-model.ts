import type OpenAI from "openai";
import { withOneRetry } from "../http/run-request.ts";
import type { EmbeddingModel } from "../spec/embedding-model.ts";
import { ProviderError } from "../spec/provider-error.ts";
import { createOpenAiClient, describeOpenAiFault, type OpenAiEndpoint } from "./openai-client.ts";

export interface OpenAiEmbeddingOptions extends OpenAiEndpoint {
  provider: string;
  model: string;
  vectorSpace: string;
  maxInputCharacters: number;
  batchSize: number;
  passagePrefix?: string;
  queryPrefix?: string;
  /** Requests shorter vectors from the vendor. */
  outputDimensions?: number;
}

const knownDimensions: Record<string, number> = {
  "text-embedding-ada-002": 1536,
  "text-embedding-3-small": 1536,
  "text-embedding-3-large": 3072,
};

/** OpenAI's embeddings protocol, for its own API and compatible servers. */
export class OpenAiEmbeddingModel implements EmbeddingModel {
  readonly provider: string;
  readonly model: string;
  readonly vectorSpace: string;
  readonly maxInputCharacters: number;
  readonly batchSize: number;
  private length: number | null;
  /** Kept, because the SDK creates all its resources with each client. */
  private client: OpenAI | null = null;

  constructor(private readonly options: OpenAiEmbeddingOptions) {
    this.provider = options.provider;
    this.model = options.model;
    this.vectorSpace = options.vectorSpace;
    this.maxInputCharacters = options.maxInputCharacters;
    this.batchSize = options.batchSize;
    this.length = options.outputDimensions ?? knownDimensions[options.model] ?? null;
  }

  get dimensions(): number | null {
    return this.length;
  }

  async embed(
    texts: string[],
    kind: "passage" | "query",
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const prefix = (kind === "query" ? this.options.queryPrefix : this.options.passagePrefix) ?? "";
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += this.batchSize) {
      vectors.push(
        ...(await this.embedBatch(
          texts.slice(start, start + this.batchSize).map((text) => prefix + text),
          signal,
        )),
      );
    }
    return vectors;
  }

  private async embedBatch(input: string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { vendor, outputDimensions } = this.options;
    const client = (this.client ??= await createOpenAiClient(this.options));
    const { data } = await withOneRetry(
      signal,
      () =>
        client.embeddings.create(
          {
            // Set explicitly, because the SDK would request base64, which other servers don't
            // support.
            model: this.model,
            input,
            encoding_format: "float",
            ...(outputDimensions !== undefined && { dimensions: outputDimensions }),
          },
          { signal },
        ),
      (fault, started) => describeOpenAiFault(vendor, fault, started),
    );
    const vectors = new Array<Float32Array | undefined>(input.length).fill(undefined);
    for (const { index, embedding } of data) vectors[index] = Float32Array.from(embedding);
    if (vectors.some((vector) => vector === undefined || vector.length === 0))
      throw new ProviderError(
        { code: "provider.vectors-missing", params: { vendor: vendor.name } },
        { kind: "server" },
      );
    this.length = vectors[0]?.length ?? this.length;
    return vectors as Float32Array[];
  }
}
