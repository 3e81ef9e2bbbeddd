import { Controller } from "@nestjs/common";
import {
  listChatRecords,
  listChats,
  listThreadChats,
  listTurns,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { resolveThread } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { ChatRecordRepository } from "./chat-record.repository.ts";
import { mapHistory, mapTurn } from "./turn.mapper.ts";
import { TurnRepository } from "./turn.repository.ts";

@Controller()
export class TurnHandler {
  constructor(
    private readonly turns: TurnRepository,
    private readonly threads: ThreadRepository,
    private readonly records: ChatRecordRepository,
  ) {}

  @Handle(listChats)
  listDefault(input: In<typeof listChats>, ctx: RequestContext): Promise<Out<typeof listChats>> {
    return this.listHistory(inWorkspace(ctx.scope), null, input.before);
  }

  @Handle(listThreadChats)
  listInThread(
    input: In<typeof listThreadChats>,
    ctx: RequestContext,
  ): Promise<Out<typeof listThreadChats>> {
    return this.listHistory(inWorkspace(ctx.scope), input.threadSlug, input.before);
  }

  @Handle(listTurns)
  async page(input: In<typeof listTurns>, ctx: RequestContext): Promise<Out<typeof listTurns>> {
    const scope = inWorkspace(ctx.scope);
    const threadId = await resolveThread(
      this.threads,
      scope,
      input.thread === undefined || input.thread === "" || input.thread === "default"
        ? null
        : input.thread,
    );
    if (threadId === null) return { turns: [], hasMore: false };
    const { turns, hasMore } = await this.turns.page(
      scope,
      threadId,
      input.before ?? null,
      input.limit,
    );
    return { turns: turns.map(mapTurn), hasMore };
  }

  @Handle(listChatRecords)
  listRecords(input: In<typeof listChatRecords>): Promise<Out<typeof listChatRecords>> {
    return this.records.page(input.offset, input.limit);
  }

  private async listHistory(
    scope: WorkspaceScope,
    slug: string | null,
    before: number | undefined,
  ): Promise<Out<typeof listChats>> {
    const threadId = await resolveThread(this.threads, scope, slug);
    if (threadId === null) return { history: [] };
    const { turns, next } = await this.turns.listVisible(scope, threadId, before ?? null);
    return { history: turns.flatMap(mapHistory), next };
  }
}
