import { Controller } from "@nestjs/common";
import {
  createThread,
  findThreadId,
  listMarkedThreads,
  listThreads,
  markThread,
  threadRenamed,
  updateDefaultThread,
  updateThread,
  type In,
  type Out,
} from "@carrel/contracts";
import { Broadcast, Handle, keyed, type RequestContext } from "@carrel/messaging";
import { DataSource } from "typeorm";
import { stripNullCharacters } from "../database/null-character.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { DefaultThreadRepository } from "./default-thread.repository.ts";
import { ThreadChanges } from "./thread-changes.ts";
import { ThreadListRepository } from "./thread-list.repository.ts";
import { threadNotFound } from "./resolve-thread.ts";
import { mapThread } from "./thread.mapper.ts";
import { ThreadRepository } from "./thread.repository.ts";

@Controller()
export class ThreadHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly lists: ThreadListRepository,
    private readonly defaults: DefaultThreadRepository,
    private readonly broadcast: Broadcast,
    private readonly changes: ThreadChanges,
  ) {}

  @Handle(listThreads)
  list(_input: In<typeof listThreads>, ctx: RequestContext): Promise<Out<typeof listThreads>> {
    return this.lists.list(inWorkspace(ctx.scope));
  }

  @Handle(listMarkedThreads)
  listMarked(
    _input: In<typeof listMarkedThreads>,
    ctx: RequestContext,
  ): Promise<Out<typeof listMarkedThreads>> {
    return this.lists.listMarked(inWorkspace(ctx.scope));
  }

  @Handle(markThread)
  async mark(input: In<typeof markThread>, ctx: RequestContext): Promise<Out<typeof markThread>> {
    const scope = inWorkspace(ctx.scope);
    if (!(await this.threads.mark(scope, input.threadSlug, input))) throw threadNotFound();
    this.changes.announce(scope, "marked", [input.threadSlug]);
    return { success: true };
  }

  @Handle(updateDefaultThread)
  async updateDefault(
    input: In<typeof updateDefaultThread>,
    ctx: RequestContext,
  ): Promise<Out<typeof updateDefaultThread>> {
    const scope = inWorkspace(ctx.scope);
    await this.defaults.update(scope, input);
    this.changes.announce(scope, "marked", [""]);
    return { success: true };
  }

  @Handle(findThreadId)
  async findId(
    { threadSlug }: In<typeof findThreadId>,
    ctx: RequestContext,
  ): Promise<Out<typeof findThreadId>> {
    const scope = inWorkspace(ctx.scope);
    const found = await this.threads.find(scope, threadSlug);
    if (found !== null) return { threadId: found.id };
    // The default thread is created if missing.
    const made =
      threadSlug === null
        ? await this.dataSource.transaction((manager) => this.threads.lock(manager, scope, null))
        : null;
    if (made === null) throw threadNotFound();
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
    this.changes.announce(scope, "created", [made.thread.slug]);
    return made;
  }

  @Handle(updateThread)
  async update(
    input: In<typeof updateThread>,
    ctx: RequestContext,
  ): Promise<Out<typeof updateThread>> {
    const thread = await this.threads.findNamed(inWorkspace(ctx.scope), input.threadSlug);
    if (thread === null) throw threadNotFound();
    const name = stripNullCharacters(input.name ?? "").trim();
    if (name === "")
      return { thread: mapThread(thread), fault: { code: "thread.nothing-to-update" } };
    const renamed = await this.threads.rename(thread, name);
    await this.broadcast.publishEvent(threadRenamed, {
      workspaceId: renamed.workspaceId,
      threadId: renamed.id,
      slug: renamed.slug,
      name: renamed.name,
      userId: renamed.userId,
    });
    return { thread: mapThread(renamed), fault: null };
  }
}
