import { randomUUID } from "node:crypto";
import {
  CarrelError,
  admitModelCall,
  createEmbeddings,
  describeEmbedder,
  embedTexts,
  getOpenAiModel,
  getSettings,
  listDocumentCounts,
  listOpenAiModels,
  listVectorStores,
  releaseModelCall,
  servicePrincipal,
  type Out,
  type Scope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyRequest } from "fastify";
import { Route, type Call } from "../http/route.ts";
import { WorkspaceList } from "../workspace/workspace-list.ts";
import { usesOpenAiPackage } from "./answer-reader.ts";

type Model = Out<typeof getOpenAiModel>;
type Embeddings = Out<typeof createEmbeddings>;

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
/** Texts per request to the ingest service, whose replies are limited. */
const textsAtOnce = 64;

/** Models, vector stores and embeddings in OpenAI's protocol (wire-contract 9.6). */
@Injectable()
export class OpenAiListRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly workspaces: WorkspaceList,
  ) {}

  @Route(listOpenAiModels)
  async models({ scope }: Call<typeof listOpenAiModels>): Promise<Out<typeof listOpenAiModels>> {
    const [workspaces, { language }] = await Promise.all([
      this.listWorkspaces(scope),
      this.readProviders(),
    ]);
    return {
      object: "list",
      data: workspaces.map((workspace) => describeModel(workspace, language)),
    };
  }

  @Route(getOpenAiModel)
  async model({ scope }: Call<typeof getOpenAiModel>): Promise<Model> {
    const [workspaces, { language }] = await Promise.all([
      this.listWorkspaces(scope),
      this.readProviders(),
    ]);
    const workspace = workspaces.find(({ id }) => id === scope.workspace?.id);
    if (workspace === undefined) throw new CarrelError("workspace.not-found");
    return describeModel(workspace, language);
  }

  /** There is only one page, so there is nothing after it. */
  @Route(listVectorStores)
  async vectorStores({
    scope,
    request,
  }: Call<typeof listVectorStores>): Promise<Out<typeof listVectorStores>> {
    if (asksForMore(request)) return { data: [], has_more: false };
    const [workspaces, { vectors }, { counts }] = await Promise.all([
      this.listWorkspaces(scope),
      this.readProviders(),
      this.requests.request(listDocumentCounts, {}, { scope }),
    ]);
    const totals = new Map(
      counts.map((count) => [count.workspaceId, count.total ?? count.documents]),
    );
    const data = workspaces.map(({ id, slug, name }) => ({
      id: slug,
      object: "vector_store" as const,
      name,
      file_counts: { total: totals.get(id) ?? 0 },
      provider: vectors,
    }));
    const [first, last] = [data[0], data.at(-1)];
    return {
      data,
      ...(first && { first_id: first.id }),
      ...(last && { last_id: last.id }),
      has_more: false,
    };
  }

  @Route(createEmbeddings)
  async embed({ input, scope, signal }: Call<typeof createEmbeddings>): Promise<Embeddings> {
    const texts = listTexts((input.input ?? input.inputs)!);
    const callId = await this.admit(texts, input.dimensions, scope);
    const data: Embeddings["data"] = [];
    let [model, tokens] = ["", 0];
    try {
      for (let from = 0; from < texts.length; from += textsAtOnce) {
        if (signal.aborted) throw new CarrelError("request.client-left");
        const part = await this.requests.request(
          embedTexts,
          {
            texts: texts.slice(from, from + textsAtOnce),
            ...(callId !== null && from + textsAtOnce >= texts.length ? { callId } : {}),
          },
          { scope },
        );
        model = part.model;
        tokens += part.tokens;
        requireLength(input.dimensions, countNumbers(part.vectors[0]!));
        for (const vector of part.vectors)
          data.push({
            object: "embedding",
            embedding: input.encoding_format === "base64" ? vector : readVector(vector),
            index: data.length,
          });
      }
    } finally {
      // Recording the use of the whole call releases it.
      if (callId !== null && (data.length < texts.length || tokens === 0))
        await this.requests.request(releaseModelCall, { callId }, { scope }).catch(() => undefined);
    }
    return { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
  }

  /** Asks the budgets to admit the call. Returns null if use of the embedder isn't counted. */
  private async admit(
    texts: readonly (string | number[])[],
    wantedLength: number | null | undefined,
    scope: Scope,
  ): Promise<string | null> {
    const embedder = await this.requests.request(describeEmbedder, {}, { scope });
    const { provider, model, isCounted, dimensions } = embedder;
    if (typeof dimensions === "number") requireLength(wantedLength, dimensions);
    if (!isCounted) return null;
    const callId = randomUUID();
    const inputTokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
    await this.requests.request(
      admitModelCall,
      { callId, provider, model, inputTokens },
      { scope },
    );
    return callId;
  }

  /** The workspaces that the key may use. */
  private async listWorkspaces(scope: Scope): Promise<WorkspaceWire[]> {
    const allowed = scope.principal.workspaceIds;
    const all = await this.workspaces.read(scope);
    return allowed === undefined ? all : all.filter(({ id }) => allowed.includes(id));
  }

  private async readProviders(): Promise<{ language: string; vectors: string }> {
    const { settings } = await this.requests.request(getSettings, {}, { scope: serviceScope });
    return {
      language: textOr(settings.LLMProvider, "extractive"),
      vectors: textOr(settings.VectorDB, "lancedb"),
    };
  }
}

/** Older clients' paging starts with the first parameter (wire-contract 9.6). */
function asksForMore(request: FastifyRequest): boolean {
  const names = Object.keys(request.query as object);
  return usesOpenAiPackage(request)
    ? names.includes("after") || names.includes("before")
    : names.length > 0;
}

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : otherwise;

const describeModel = (
  { slug, createdAt, chatProvider }: WorkspaceWire,
  language: string,
): Model => ({
  id: slug,
  object: "model",
  created: Math.floor(Date.parse(createdAt) / 1_000),
  owned_by: textOr(chatProvider, language),
});

/** Estimated for texts: four bytes each. */
const countTokens = (text: string | number[]): number =>
  typeof text === "string" ? Math.ceil(Buffer.byteLength(text) / 4) : text.length;

type Embeddable = NonNullable<Call<typeof createEmbeddings>["input"]["input"]>;

function listTexts(input: Embeddable): (string | number[])[] {
  if (typeof input === "string") return [input];
  return typeof input[0] === "number" ? [input as number[]] : (input as (string | number[])[]);
}

/**
 * The instance's documents and questions have vectors of one length, so its clients get the same.
 */
function requireLength(wanted: number | null | undefined, length: number): void {
  if (wanted != null && wanted !== length)
    throw new CarrelError("openai.dimensions-unsupported", { field: "dimensions", length });
}

const countNumbers = (base64: string): number => Buffer.byteLength(base64, "base64") / 4;

function readVector(base64: string): number[] {
  const bytes = Buffer.from(base64, "base64");
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}
