import { Controller } from "@nestjs/common";
import {
  CarrelError,
  deleteChats,
  listChatRecords,
  listChats,
  listThreadChats,
  listTurns,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { DataSource } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { ChatRecordRepository } from "./chat-record.repository.ts";
import { TurnChanges } from "./turn-changes.ts";
import { TurnBranches, type StoppedGenerations } from "./turn-branches.ts";
import { mapHistory, mapTurn } from "./turn.mapper.ts";
import { TurnRepository } from "./turn.repository.ts";

@Controller()
export class TurnHandler {
  private readonly dataSource: DataSource;
  private readonly turns: TurnRepository;
  private readonly threads: ThreadRepository;
  private readonly branches: TurnBranches;
  private readonly records: ChatRecordRepository;
  private readonly changes: TurnChanges;

  constructor(
    dataSource: DataSource,
    turns: TurnRepository,
    threads: ThreadRepository,
    branches: TurnBranches,
    records: ChatRecordRepository,
    changes: TurnChanges,
  ) {
    this.dataSource = dataSource;
    this.turns = turns;
    this.threads = threads;
    this.branches = branches;
    this.records = records;
    this.changes = changes;
  }

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
    const threadId = await this.findThread(
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

  @Handle(deleteChats)
  async delete(input: In<typeof deleteChats>, ctx: RequestContext): Promise<void> {
    const scope = inWorkspace(ctx.scope);
    if (input.chatIds.length === 0) return;
    const { stopped, threads } = await inTransaction(this.dataSource, async (manager) => {
      await this.branches.lock(manager, [
        ...(await this.turns.groupOwn(manager, scope, input.chatIds)).keys(),
      ]);
      // Again: something may have gone while we waited for the lock.
      const byThread = await this.turns.groupOwn(manager, scope, input.chatIds);
      const stopped: StoppedGenerations[] = [];
      for (const [threadId, ids] of byThread)
        stopped.push(await this.branches.delete(manager, scope, threadId, ids));
      return { stopped, threads: [...byThread.keys()] };
    });
    for (const each of stopped) await this.branches.end(each);
    for (const threadId of threads) this.changes.tell(scope, threadId);
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
    const threadId = await this.findThread(scope, slug);
    if (threadId === null) return { history: [] };
    const { turns, next } = await this.turns.listVisible(scope, threadId, before ?? null);
    return { history: turns.flatMap(mapHistory), next };
  }

  /** null: the default thread, before its first message. */
  private async findThread(scope: WorkspaceScope, slug: string | null): Promise<number | null> {
    const thread = await this.threads.find(scope, slug);
    if (thread === null && slug !== null)
      throw new CarrelError("THREAD_NOT_FOUND", "Workspace thread does not exist.");
    return thread?.id ?? null;
  }
}
