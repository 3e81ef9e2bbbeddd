import { hash, randomUUID } from "node:crypto";
import {
  CarrelError,
  clipText,
  getDocumentText,
  getWorkspaceSettings,
  listDocumentStatuses,
  searchPassages,
  startGeneration,
  type Fault,
  type KeyScope,
  type Out,
  type Principal,
  type Scope,
  type WorkspaceScope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { requireScope } from "../access/guard.ts";
import { WorkspaceScopes } from "../access/workspace-scopes.ts";
import { GenerationCollector, type CollectedAnswer } from "../chat/collect-generation.ts";
import { readClientInfo } from "../chat/read-question.ts";
import { WorkspaceList } from "../workspace/workspace-list.ts";

/** On whose behalf a tool runs. `scope` has a workspace if the endpoint is that of one. */
export interface McpCaller {
  scope: Scope;
  reply: FastifyReply;
  /** Logs an error that clients must not see. */
  report(error: unknown): void;
}

/** What clients may know of an error: its text if it was foreseen. */
export function asKnownError(error: unknown, { report }: McpCaller): CarrelError {
  if (error instanceof CarrelError && error.kind !== "INTERNAL") return error;
  report(error);
  return new CarrelError("request.failed");
}

type Documents = Out<typeof listDocumentStatuses>;
type DocumentText = Out<typeof getDocumentText>;
export type FoundPassage = Out<typeof searchPassages>["passages"][number];

interface Question {
  workspace: string | undefined;
  question: string;
  mode: "chat" | "query" | undefined;
  conversation: string | undefined;
}

/** Clients name conversations themselves: a person's own ID keeps theirs apart from other people's. */
function conversationOf({ kind, userId }: Principal, name: string): string {
  if (kind !== "user") return name;
  return `mcp-user-${userId}-${hash("sha256", name, "base64url")}`;
}

/**
 * What tools and resources do, within the scopes and workspaces of the caller's key or access token.
 */
@Injectable()
export class WorkspaceTools {
  constructor(
    private readonly requests: RequestClient,
    private readonly workspaces: WorkspaceScopes,
    private readonly list: WorkspaceList,
    private readonly collector: GenerationCollector,
  ) {}

  async listWorkspaces({ scope }: McpCaller): Promise<WorkspaceWire[]> {
    const allowed = scope.workspace === null ? scope.principal.workspaceIds : [scope.workspace.id];
    const all = await this.list.read(scope);
    return allowed === undefined ? all : all.filter(({ id }) => allowed.includes(id));
  }

  async search(
    caller: McpCaller,
    wanted: { workspace: string | undefined; query: string; limit: number | undefined },
  ): Promise<{ slug: string; passages: FoundPassage[] }> {
    const scope = await this.enter(caller, wanted.workspace, "read");
    const query = wanted.query.trim();
    if (query === "") throw new CarrelError("search.query-empty");
    const { workspace } = await this.requests.request(getWorkspaceSettings, {}, { scope });
    const { passages } = await this.requests.request(
      searchPassages,
      {
        query,
        rerank: workspace.vectorSearchMode === "rerank",
        topN: wanted.limit ?? workspace.topN,
        similarityThreshold: workspace.similarityThreshold,
      },
      { scope },
    );
    return { slug: scope.workspace.slug, passages };
  }

  /** Throws if there is no answer at all. */
  async ask(
    caller: McpCaller,
    { workspace, question, mode, conversation }: Question,
  ): Promise<{ slug: string; conversation: string; answer: CollectedAnswer }> {
    const scope = await this.enter(caller, workspace, "chat");
    const message = question.trim();
    if (message === "") throw new CarrelError("chat.message-empty");
    const known = conversation ?? `mcp-${randomUUID()}`;
    const sessionId = conversationOf(scope.principal, known);
    const { reply } = caller;
    const started = await this.requests.request(
      startGeneration,
      {
        threadSlug: null,
        conversation: { channel: "api", sessionId },
        message,
        ...(mode !== undefined && { mode }),
        ...readClientInfo(reply.request.headers),
      },
      { scope, idempotencyKey: randomUUID() },
    );
    const answer = await this.collector.collect(started, { scope, reply });
    if (answer.error !== null && answer.text === "")
      throw CarrelError.fromFault((answer.fault ?? { code: "generation.failed" }) as Fault);
    return { slug: scope.workspace.slug, conversation: known, answer };
  }

  async listDocuments(
    caller: McpCaller,
    wanted: {
      workspace: string | undefined;
      search?: string | undefined;
      cursor?: string | undefined;
      limit: number;
      isReadable?: boolean;
    },
  ): Promise<Documents & { slug: string }> {
    const scope = await this.enter(caller, wanted.workspace, "read");
    const { slug } = scope.workspace;
    const page = await this.requests.request(
      listDocumentStatuses,
      {
        slug,
        search: clipText(wanted.search ?? "", 200),
        limit: wanted.limit,
        ...(wanted.cursor !== undefined && { cursor: wanted.cursor }),
        ...(wanted.isReadable === true && { state: "ready" as const }),
      },
      { scope },
    );
    return { ...page, slug };
  }

  /** At most 150,000 characters at once. */
  async readDocument(
    caller: McpCaller,
    wanted: { workspace: string | undefined; documentId: string; start: number; length: number },
  ): Promise<DocumentText & { slug: string }> {
    const scope = await this.enter(caller, wanted.workspace, "read");
    const { slug } = scope.workspace;
    const { documentId, start, length } = wanted;
    const text = await this.requests.request(
      getDocumentText,
      { slug, documentId, start, end: start + length },
      { scope },
    );
    return { ...text, slug };
  }

  /** Unknown workspaces and those that the key may not use fail alike. */
  private async enter(
    { scope }: McpCaller,
    slug: string | undefined,
    needed: KeyScope,
  ): Promise<WorkspaceScope> {
    const { principal, address, language, workspace } = scope;
    requireScope(principal, needed);
    if (workspace !== null && (slug === undefined || slug === workspace.slug))
      return { ...scope, workspace };
    if (workspace !== null) throw new CarrelError("workspace.not-found");
    const found = await this.workspaces.resolve(principal, slug);
    return { ...found, ...(address && { address }), ...(language && { language }) };
  }
}
