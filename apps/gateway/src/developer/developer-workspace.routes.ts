import type { ProcessConfig } from "@carrel/config";
import {
  chatByKey,
  getKeyWorkspace,
  listAllThreads,
  listKeyChats,
  listKeyWorkspaces,
  readAllTurns,
  streamChatByKey,
  type Args,
  type ChatResult,
  type HistoryItem,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { ChatImages } from "../chat/chat-images.ts";
import { Route, type Call } from "../http/route.ts";
import { sendJson } from "../http/send-reply.ts";
import { WorkspaceList } from "../workspace/workspace-list.ts";
import { WorkspaceView } from "../workspace/workspace.view.ts";
import { KeyQuestions, workspacePlace } from "./key-questions.ts";

/** Pages of at most 240 kB of text each; longer histories are cut. */
const maxPages = 200;

/**
 * Histories of all owners, with the images of their questions; with DISABLE_VIEW_CHAT_HISTORY, only
 * what programs asked.
 */
@Injectable()
export class DeveloperHistory {
  constructor(
    private readonly requests: RequestClient,
    private readonly images: ChatImages,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  /** Replies with `{history}`; `limit` counts exchanges. */
  async send(
    reply: FastifyReply,
    scope: Scope,
    wanted: Omit<Args<typeof readAllTurns>, "after" | "ownerless">,
  ): Promise<FastifyReply> {
    const ownerless = this.config.DISABLE_VIEW_CHAT_HISTORY;
    const texts: string[] = [];
    let hasImages = false;
    let room = wanted.limit;
    let after: number | null = null;
    for (let pages = 0; pages < maxPages && room > 0; pages += 1) {
      const page: Out<typeof readAllTurns> = await this.requests.request(
        readAllTurns,
        { ...wanted, ownerless, limit: room, after },
        { scope },
      );
      if (page.items !== "") texts.push(page.items);
      hasImages ||= page.hasImages;
      room -= page.count;
      after = page.next;
      if (after === null) break;
    }
    const items = texts.join(",");
    if (!hasImages) return sendJson(reply, `{"history":[${items}]}`);
    const history = await this.images.fillItems(JSON.parse(`[${items}]`) as HistoryItem[]);
    return sendJson(reply, JSON.stringify({ history }));
  }
}

type Threads = Out<typeof listAllThreads>["threads"];

/** Workspaces in the developer API (wire-contract 9.4). */
@Injectable()
export class DeveloperWorkspaceRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly workspaces: WorkspaceList,
    private readonly view: WorkspaceView,
    private readonly history: DeveloperHistory,
    private readonly questions: KeyQuestions,
  ) {}

  @Route(listKeyWorkspaces)
  async list({ scope }: Call<typeof listKeyWorkspaces>): Promise<Out<typeof listKeyWorkspaces>> {
    const [all, threads] = await Promise.all([
      this.workspaces.read(scope),
      this.readThreads(scope),
    ]);
    const allowed = scope.principal.workspaceIds;
    const byWorkspace = Map.groupBy(threads, (thread) => thread.workspace_id);
    return {
      workspaces: all
        .filter(({ id }) => allowed === undefined || allowed.includes(id))
        .map((workspace) => ({
          ...workspace,
          threads: (byWorkspace.get(workspace.id) ?? []).map(({ user_id, slug, name }) => ({
            user_id,
            slug,
            name,
          })),
        })),
    };
  }

  @Route(getKeyWorkspace)
  async get({ scope }: Call<typeof getKeyWorkspace>): Promise<Out<typeof getKeyWorkspace>> {
    const [workspace, threads] = await Promise.all([
      this.view.build(scope),
      this.readThreads(scope),
    ]);
    return {
      workspace: [
        { ...workspace, threads: threads.map(({ user_id, slug }) => ({ user_id, slug })) },
      ],
    };
  }

  @Route(listKeyChats)
  chats({ input, scope, reply }: Call<typeof listKeyChats>): Promise<FastifyReply> {
    const { apiSessionId = "", limit, orderBy: order } = input;
    return this.history.send(reply, scope, {
      apiSessionId: apiSessionId === "" ? null : apiSessionId,
      threadSlug: null,
      order,
      limit,
    });
  }

  @Route(chatByKey)
  chat(call: Call<typeof chatByKey>): Promise<ChatResult | FastifyReply> {
    return this.questions.answer(call, workspacePlace(call.scope, call.input));
  }

  @Route(streamChatByKey)
  stream(call: Call<typeof streamChatByKey>): Promise<void> {
    return this.questions.stream(call, workspacePlace(call.scope, call.input));
  }

  /** Reads the threads of the workspace in scope, or of all workspaces. */
  private async readThreads(scope: Scope): Promise<Threads> {
    const threads: Threads = [];
    for (let after: number | null = null; ;) {
      const page: Out<typeof listAllThreads> = await this.requests.request(
        listAllThreads,
        { after },
        { scope },
      );
      threads.push(...page.threads);
      if (page.next === null) return threads;
      after = page.next;
    }
  }
}
