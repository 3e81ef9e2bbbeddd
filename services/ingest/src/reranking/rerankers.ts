import path from "node:path";
import {
  quotingProvider,
  CarrelError,
  developerKeyOf,
  getWorkspaceSettings,
  readModelOverrides,
  type Fault,
  type RerankerKind,
  type SearchTrace,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import type { RerankModel, RerankUse } from "@carrel/providers";
import { coverageDepth, scoreByCoverage, type RankedChunk } from "@carrel/retrieval";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import type { LiveChunk } from "../chunking/chunk.repository.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { TextRepository } from "../document/text.repository.ts";
import type { IngestConfig } from "../ingest.config.ts";
import { InstanceSettings } from "../setting/instance-settings.ts";
import { ModelUse } from "../usage/model-use.ts";

/** How long a question waits for its reranker before falling back to the built-in one. */
const longestMs = 10_000;

/** A ranking, and what the inspector shows about it. */
export interface Reranked {
  chunks: RankedChunk[];
  /** Scores from 0 to 1, by chunk id. */
  scores: ReadonlyMap<string, number>;
  trace: SearchTrace["rerank"];
}
export const noRerank: Pick<Reranked, "scores" | "trace"> = {
  scores: new Map(),
  trace: { kind: null, model: null, count: 0, milliseconds: 0, fault: null },
};

/**
 * Reorders the top candidates. Hybrid search always uses the built-in reranker unless the
 * workspace's search mode is `rerank`: then CARREL_RERANKER selects one, and `auto` is the native
 * cross-encoder if its model is installed, otherwise the built-in one. If a reranker fails or is too
 * slow, the built-in one decides.
 */
@Injectable()
export class Rerankers implements OnApplicationShutdown {
  private native:
    | (RerankModel & {
        isReady(): Promise<boolean>;
        fetch(): void;
        close(): Promise<void>;
      })
    | null = null;
  private language: { key: string; model: RerankModel } | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    private readonly requests: RequestClient,
    private readonly settings: InstanceSettings,
    private readonly texts: TextRepository,
    private readonly documents: DocumentRepository,
    private readonly use: ModelUse,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.native?.close();
  }

  async rerank(
    scope: WorkspaceScope,
    question: string,
    chunks: RankedChunk[],
    places: ReadonlyMap<string, LiveChunk>,
  ): Promise<Reranked> {
    const started = performance.now();
    let fault: Fault | null = null;
    if (chunks.length > 0 && this.config.CARREL_RERANKER !== "built-in") {
      try {
        const model = await this.choose(scope);
        if (model !== null) {
          const first = chunks.slice(0, model.maxTexts);
          const scores = await this.score(
            scope,
            model,
            oneLine(question),
            await this.read(scope, first, places),
          );
          return {
            ...order(chunks, scores),
            trace: traceOf(model.kind, nameOf(model), first.length, { started, fault: null }),
          };
        }
      } catch (error) {
        const { ProviderError } = await import("@carrel/providers");
        if (!(error instanceof ProviderError) && !(error instanceof CarrelError)) throw error;
        fault = error instanceof CarrelError ? error.toFault() : error.fault;
      }
    }
    return this.rerankBuiltIn(chunks, started, fault);
  }

  /** Uses the built-in reranker; `fault` says why it replaces another one. */
  rerankBuiltIn(
    chunks: RankedChunk[],
    started = performance.now(),
    fault: Fault | null = null,
  ): Reranked {
    const first = chunks.slice(0, coverageDepth);
    return {
      ...order(chunks, scoreByCoverage(first)),
      trace: traceOf("built-in", null, first.length, { started, fault }),
    };
  }

  /** Counts what the model used, unless it rejected the call. */
  private async score(
    { principal, workspace }: WorkspaceScope,
    model: RerankModel,
    ...[question, texts]: [string, Parameters<RerankModel["score"]>[1]]
  ): Promise<number[]> {
    const began = performance.now();
    const used: RerankUse[] = [];
    let state: "done" | "failed" = "failed";
    try {
      const scores = await model.score(question, texts, AbortSignal.timeout(longestMs), (use) => {
        used.push(use);
      });
      state = "done";
      return scores;
    } finally {
      const tokens = used[0] === undefined ? null : await countUse(used[0]);
      if (state === "done" || tokens !== null)
        this.use.add({
          purpose: "reranking",
          workspaceId: workspace.id,
          userId: principal.userId,
          keyId: developerKeyOf(principal),
          widgetId: principal.widget?.id ?? null,
          provider: model.provider,
          model: model.model,
          state,
          searches: 1,
          milliseconds: performance.now() - began,
          ...tokens,
        });
    }
  }

  /** null for the built-in reranker. Throws ProviderError with what is missing. */
  private async choose(scope: WorkspaceScope): Promise<RerankModel | null> {
    if (this.config.CARREL_RERANKER === "llm") return this.chooseLanguage(scope);
    const native = await this.openNative();
    if (this.config.CARREL_RERANKER === "native" || (await native.isReady())) return native;
    // Fetched for later questions; this one doesn't wait.
    native.fetch();
    return null;
  }

  private async openNative(): Promise<NonNullable<typeof this.native>> {
    if (this.native !== null) return this.native;
    const { NativeRerankModel } = await import("@carrel/providers");
    return (this.native ??= new NativeRerankModel({
      modelsDir: this.config.CARREL_MODELS_DIR ?? path.join(this.config.CARREL_HOME, "models"),
      hub: this.config.CARREL_MODEL_HUB,
      model: this.config.CARREL_RERANK_MODEL,
    }));
  }

  /** The workspace's model, chosen as chat does. */
  private async chooseLanguage(scope: WorkspaceScope): Promise<RerankModel> {
    const [values, { workspace }] = await Promise.all([
      this.settings.get(),
      this.requests.request(getWorkspaceSettings, {}, { scope }),
    ]);
    const { createLanguageModel, LanguageRerankModel, ProviderError, readLocalModels } =
      await import("@carrel/providers");
    const provider = workspace.chatProvider ?? values.LLMProvider ?? "";
    if (provider === "" || provider === quotingProvider)
      throw new ProviderError({ code: "reranker.language-model-missing" }, { kind: "invalid" });
    const key = JSON.stringify([provider, workspace.chatModel, values]);
    if (this.language?.key !== key)
      this.language = {
        key,
        model: new LanguageRerankModel(
          createLanguageModel(provider, values, {
            model: workspace.chatModel,
            overrides: readModelOverrides(values),
            local: readLocalModels(this.config),
          }),
        ),
      };
    return this.language.model;
  }

  private async read(
    scope: WorkspaceScope,
    chunks: readonly RankedChunk[],
    places: ReadonlyMap<string, LiveChunk>,
  ): Promise<{ text: string; title: string; headingPath: string[] }[]> {
    const found = chunks.map((chunk) => places.get(chunk.id)!);
    const [texts, documents] = await Promise.all([
      this.texts.readAll(
        scope,
        found.map(({ documentId, start, end }) => ({ documentId, start, end })),
      ),
      this.documents.listMetadata(scope, [...new Set(found.map((chunk) => chunk.documentId))]),
    ]);
    const titles = new Map(documents.map((document) => [document.id, document.title]));
    return found.map(({ documentId, headingPath }, n) => ({
      text: texts[n]!,
      title: titles.get(documentId) ?? "",
      headingPath,
    }));
  }
}

const traceOf = (
  kind: RerankerKind,
  model: string | null,
  count: number,
  { started, fault }: { started: number; fault: Fault | null },
): SearchTrace["rerank"] => ({
  kind,
  model,
  count,
  fault,
  milliseconds: Math.round((performance.now() - started) * 100) / 100,
});

const nameOf = ({ kind, provider, model }: RerankModel): string =>
  kind === "llm" ? `${provider}:${model}` : model;

/** Puts scored chunks first, best first; ties keep their order. */
function order(
  chunks: RankedChunk[],
  judged: readonly number[],
): Pick<Reranked, "chunks" | "scores"> {
  const scores = new Map(judged.map((score, place) => [chunks[place]!.id, score]));
  const first = chunks
    .slice(0, judged.length)
    .sort((a, b) => scores.get(b.id)! - scores.get(a.id)!);
  return { chunks: [...first, ...chunks.slice(judged.length)], scores };
}

/**
 * A follow-up is preceded by earlier questions, one per line, but rerankers are trained on a single
 * line.
 */
const oneLine = (question: string): string =>
  question
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join(" ");

async function countUse({ usage, prompt, answer }: RerankUse): Promise<{
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  isEstimated: boolean;
}> {
  const { countTokens } = await import("@carrel/providers");
  const tokens = countTokens(usage, prompt, answer);
  return {
    inputTokens: tokens.input,
    cachedTokens: tokens.cached,
    outputTokens: tokens.output,
    reasoningTokens: tokens.reasoning,
    isEstimated: tokens.isEstimated,
  };
}
