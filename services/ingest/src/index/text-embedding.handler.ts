import {
  CarrelError,
  describeEmbedder,
  developerKeyOf,
  embedTexts,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { ProviderError } from "@carrel/providers";
import { Controller } from "@nestjs/common";
import { embedLong, EmbeddingCalls } from "../embedding/embedding-calls.ts";
import { ModelUse } from "../usage/model-use.ts";
import { Embedder, type ReadyEmbedder } from "./embedder.ts";

/** Id of the built-in embedder. */
const builtIn = "native";
/** Leaves time to report the failure before the caller stops waiting. */
const longestMs = 55_000;

/** Embeds texts that aren't documents. */
@Controller()
export class TextEmbeddingHandler {
  constructor(
    private readonly embedder: Embedder,
    private readonly use: ModelUse,
    private readonly calls: EmbeddingCalls,
  ) {}

  @Handle(describeEmbedder)
  async describe(_input: In<typeof describeEmbedder>): Promise<Out<typeof describeEmbedder>> {
    const { model: embedder, dimensions } = await this.requireReady();
    const { provider, model } = embedder;
    return {
      provider,
      model,
      isCounted: provider !== builtIn,
      dimensions: dimensions ?? embedder.dimensions,
    };
  }

  @Handle(embedTexts)
  async embed(
    { texts, callId }: In<typeof embedTexts>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof embedTexts>> {
    const ready = await this.requireReady();
    const { provider, model } = ready.model;
    const decoded = await decodeTokens(texts);
    const began = performance.now();
    let used = 0;
    try {
      const vectors = await embedLong(
        this.calls.forDocuments(ready.model),
        decoded,
        AbortSignal.timeout(longestMs),
        (tokens) => {
          used += tokens;
        },
      );
      return { model, vectors: vectors.map(toBase64), tokens: Math.ceil(used) };
    } catch (error) {
      throw error instanceof ProviderError ? CarrelError.fromFault(error.fault) : error;
    } finally {
      if (used > 0)
        this.use.add({
          purpose: "embedding",
          userId: principal.userId,
          keyId: developerKeyOf(principal),
          provider,
          model,
          inputTokens: used,
          milliseconds: performance.now() - began,
          ...(callId === undefined ? {} : { callIds: [callId] }),
        });
    }
  }

  private async requireReady(): Promise<ReadyEmbedder> {
    const ready = await this.embedder.findReady();
    if (ready !== null) return ready;
    const { fault } = await this.embedder.nativeState();
    throw fault === null
      ? new CarrelError("openai.embedder-unavailable")
      : CarrelError.fromFault(fault);
  }
}

/** Some clients send tokens of OpenAI's embedders, which other embedders can't read. */
async function decodeTokens(texts: In<typeof embedTexts>["texts"]): Promise<string[]> {
  if (texts.every((text) => typeof text === "string")) return texts;
  const { decode } = await import("gpt-tokenizer/encoding/cl100k_base");
  return texts.map((text) => {
    if (typeof text === "string") return text;
    try {
      return decode(text);
    } catch {
      throw new CarrelError("openai.tokens-unknown");
    }
  });
}

const toBase64 = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64");
