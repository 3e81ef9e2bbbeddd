import { describeTransportFault } from "../http/describe-transport-fault.ts";
import { withOneRetry } from "../http/run-request.ts";
import type { EmbeddingModel } from "../spec/embedding-model.ts";
import { ProviderError } from "../spec/provider-error.ts";
import { createOllamaClient, type OllamaEndpoint } from "./ollama-client.ts";

export interface OllamaEmbeddingOptions extends OllamaEndpoint {
  model: string;
  vectorSpace: string;
  maxInputCharacters: number;
  batchSize: number;
}

export class OllamaEmbeddingModel implements EmbeddingModel {
  readonly provider = "ollama";
  readonly model: string;
  readonly vectorSpace: string;
  readonly maxInputCharacters: number;
  readonly batchSize: number;
  private length: number | null = null;
  constructor(private readonly options: OllamaEmbeddingOptions) {
    this.model = options.model;
    this.vectorSpace = options.vectorSpace;
    this.maxInputCharacters = options.maxInputCharacters;
    this.batchSize = options.batchSize;
  }

  get dimensions(): number | null {
    return this.length;
  }

  async embed(
    texts: string[],
    _kind: "passage" | "query",
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += this.batchSize) {
      const input = texts.slice(start, start + this.batchSize);
      const { embeddings } = await withOneRetry(
        signal,
        () =>
          createOllamaClient(this.options, signal).embed({
            model: this.model,
            input,
            truncate: true,
          }),
        (fault, started) => describeTransportFault(this.options.vendor, fault, started),
      );
      if (embeddings?.length !== input.length)
        throw new ProviderError(
          { code: "provider.vectors-missing", params: { vendor: this.options.vendor.name } },
          { kind: "server" },
        );
      vectors.push(...embeddings.map((vector) => Float32Array.from(vector)));
    }
    this.length = vectors[0]?.length ?? this.length;
    return vectors;
  }
}
