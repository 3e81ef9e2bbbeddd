import { Controller } from "@nestjs/common";
import {
  CarrelError,
  createThread,
  deleteThread,
  deleteThreads,
  findThreadId,
  listThreads,
  threadRenamed,
  updateThread,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Broadcast, Handle, keyed, type RequestContext } from "@carrel/messaging";
import { DataSource } from "typeorm";
import { stripNullCharacters } from "../database/null-character.ts";
import { inTransaction } from "../database/in-transaction.ts";
import { GenerationRepository } from "../generation/generation.repository.ts";
import { GenerationRunner } from "../generation/generation-runner.ts";
import { TrashRepository } from "../trash/trash.repository.ts";
import { TurnRepository } from "../turn/turn.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { ThreadChanges } from "./thread-changes.ts";
import { mapThread } from "./thread.mapper.ts";
import { ThreadRepository } from "./thread.repository.ts";

@Controller()
export class ThreadHandler {
  private readonly dataSource: DataSource;
  private readonly threads: ThreadRepository;
  private readonly turns: TurnRepository;
  private readonly generations: GenerationRepository;
  private readonly runner: GenerationRunner;
  private readonly trash: TrashRepository;
  private readonly broadcast: Broadcast;
  private readonly changes: ThreadChanges;

  constructor(
    dataSource: DataSource,
    threads: ThreadRepository,
    turns: TurnRepository,
    generations: GenerationRepository,
    runner: GenerationRunner,
    trash: TrashRepository,
    broadcast: Broadcast,
    changes: ThreadChanges,
  ) {
    this.dataSource = dataSource;
    this.threads = threads;
    this.turns = turns;
    this.generations = generations;
    this.runner = runner;
    this.trash = trash;
    this.broadcast = broadcast;
    this.changes = changes;
  }

  @Handle(listThreads)
  async list(
    _input: In<typeof listThreads>,
    ctx: RequestContext,
  ): Promise<Out<typeof listThreads>> {
    const scope = inWorkspace(ctx.scope);
    const [threads, defaultThreadChatCount] = await Promise.all([
      this.threads.list(scope),
      this.turns.countInDefaultThread(scope),
    ]);
    return { threads: threads.map(mapThread), defaultThreadChatCount };
  }

  @Handle(findThreadId)
  async findId(
    { threadSlug }: In<typeof findThreadId>,
    ctx: RequestContext,
  ): Promise<Out<typeof findThreadId>> {
    const scope = inWorkspace(ctx.scope);
    const found = await this.threads.find(scope, threadSlug);
    if (found !== null) return { threadId: found.id };
    // The default thread is made when it is missing.
    const made =
      threadSlug === null
        ? await this.dataSource.transaction((manager) =>
            this.generations.lockThread(manager, scope, null),
          )
        : null;
    if (made === null) throw noThread();
    return { threadId: made };
  }

  @Handle(createThread)
  async create(
    _input: In<typeof createThread>,
    ctx: RequestContext,
  ): Promise<Out<typeof createThread>> {
    const scope = inWorkspace(ctx.scope);
    const made = await keyed(this.dataSource, ctx, async (manager) => ({
      thread: mapThread(await this.threads.create(manager, scope)),
      message: null,
    }));
    this.changes.tell(scope, "created", [made.thread.slug]);
    return made;
  }

  @Handle(updateThread)
  async update(
    input: In<typeof updateThread>,
    ctx: RequestContext,
  ): Promise<Out<typeof updateThread>> {
    const thread = await this.threads.findNamed(inWorkspace(ctx.scope), input.threadSlug);
    if (thread === null) throw noThread();
    const name = stripNullCharacters(input.name ?? "").trim();
    if (name === "") return { thread: mapThread(thread), message: "No valid fields to update!" };
    const renamed = await this.threads.rename(thread, name);
    await this.broadcast.publishEvent(threadRenamed, {
      workspaceId: renamed.workspaceId,
      threadId: renamed.id,
      slug: renamed.slug,
      name: renamed.name,
      userId: renamed.userId,
    });
    return { thread: mapThread(renamed), message: null };
  }

  @Handle(deleteThread)
  async delete(input: In<typeof deleteThread>, ctx: RequestContext): Promise<void> {
    if ((await this.deleteAll(inWorkspace(ctx.scope), [input.threadSlug])) === 0) throw noThread();
  }

  @Handle(deleteThreads)
  async deleteMany(input: In<typeof deleteThreads>, ctx: RequestContext): Promise<void> {
    if (input.slugs.length > 0) await this.deleteAll(inWorkspace(ctx.scope), input.slugs);
  }

  /**
   * Own ones only; what runs in them is stopped. With a trash they can be brought back for a time.
   */
  private async deleteAll(scope: WorkspaceScope, slugs: string[]): Promise<number> {
    const { deleted, running, queued } = await inTransaction(this.dataSource, async (manager) => {
      const found = await this.threads.lockAll(manager, scope, slugs);
      const ids = found.map(({ id }) => id);
      const stopped = await this.generations.requestCancelAll(manager, {
        workspaceId: scope.workspace.id,
        threadIds: ids,
      });
      if (this.trash.days > 0) await this.trash.put(manager, scope, ids);
      else await this.trash.deleteForGood(manager, scope, ids);
      return { deleted: found, ...stopped };
    });
    this.runner.stop(running);
    await this.runner.endDeleted(queued);
    this.changes.tell(
      scope,
      "deleted",
      deleted.map(({ slug }) => slug),
    );
    return deleted.length;
  }
}

const noThread = (): CarrelError =>
  new CarrelError("THREAD_NOT_FOUND", "Workspace thread does not exist.");
