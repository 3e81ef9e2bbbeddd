import { randomUUID } from "node:crypto";
import {
  CarrelError,
  clipText,
  createNamedThread,
  createThread,
  findThreadId,
  findThreadOwner,
  listAllThreads,
  listMarkedThreads,
  listThreads,
  markThread,
  multiUserEnabled,
  threadRenamed,
  updateDefaultThread,
  updateThread,
  type EventPayload,
  type In,
  type Out,
  type Principal,
} from "@carrel/contracts";
import { OwnerTransfer } from "@carrel/database";
import {
  Broadcast,
  Consume,
  Handle,
  Reconciler,
  keyed,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module, type OnModuleDestroy } from "@nestjs/common";
import slugify from "slugify";
import { DataSource, QueryFailedError, type EntityManager } from "typeorm";
import { hasNullCharacter, stripNullCharacters } from "../database/null-character.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { threadNotFound } from "./resolve-thread.ts";
import { ThreadChanges } from "./thread-changes.ts";
import {
  AllThreadsRepository,
  DefaultThreadRepository,
  ThreadListRepository,
} from "./thread-list.repository.ts";
import { defaultThreadName } from "./thread.entity.ts";
import { ThreadRepository, mapThread } from "./thread.repository.ts";

@Controller()
class ThreadHandler {
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

// The package is CommonJS with a `default` property; under NodeNext its types describe the module
// object.
const convert = slugify as unknown as typeof slugify.default;
const uniqueViolation = "23505";

/** Threads of all owners, for the developer API. */
@Controller()
class DeveloperThreadHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly allThreads: AllThreadsRepository,
    private readonly changes: ThreadChanges,
  ) {}

  @Handle(createNamedThread)
  async create(
    input: In<typeof createNamedThread>,
    ctx: RequestContext,
  ): Promise<Out<typeof createNamedThread>> {
    const scope = inWorkspace(ctx.scope);
    const slug = readSlug(input.wantedSlug ?? "");
    const name = clipText(stripNullCharacters(input.name ?? "").trim(), 255);
    const naming =
      name === ""
        ? { name: defaultThreadName, namedBy: null }
        : { name, namedBy: "person" as const };
    try {
      const made = await keyed(this.dataSource, ctx, async (manager) => ({
        thread: mapThread(await this.threads.create(manager, scope, naming, slug)),
      }));
      this.changes.announce(scope, "created", [made.thread.slug]);
      return made;
    } catch (error) {
      if (isTaken(error)) throw new CarrelError("thread.slug-taken", { slug });
      throw error;
    }
  }

  @Handle(findThreadOwner)
  async findOwner(
    { threadSlug }: In<typeof findThreadOwner>,
    ctx: RequestContext,
  ): Promise<Out<typeof findThreadOwner>> {
    const thread = hasNullCharacter(threadSlug)
      ? null
      : await this.allThreads.find(inWorkspace(ctx.scope), threadSlug);
    if (thread === null) throw threadNotFound();
    return { userId: thread.userId };
  }

  @Handle(listAllThreads)
  listAll(
    { after }: In<typeof listAllThreads>,
    ctx: RequestContext,
  ): Promise<Out<typeof listAllThreads>> {
    return this.allThreads.page(ctx.scope.workspace?.id ?? null, after);
  }
}

/** A slug as clients want it; a UUID if no part of the text can be in one. */
function readSlug(wanted: string): string {
  const slug = convert(wanted, { strict: true }).slice(0, 200);
  // The default thread's name in routes.
  if (slug === "default") throw new CarrelError("thread.slug-taken", { slug });
  return slug === "" ? randomUUID() : slug;
}

const isTaken = (error: unknown): boolean =>
  error instanceof QueryFailedError &&
  (error.driverError as { code?: string }).code === uniqueViolation;

/** The new name of the old default thread if the admin already has one. */
const earlierChatsName = "Earlier chats";

/**
 * Assigns the threads and memories of single-user mode to the first admin, each thread with all its
 * turns, generations and links in one transaction, so that its history is never incomplete.
 */
@Injectable()
class ThreadOwnerTransfer extends Reconciler implements OnModuleDestroy {
  private readonly transfer: OwnerTransfer;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) logger: Logger,
  ) {
    super();
    this.transfer = new OwnerTransfer(dataSource, {
      schema: "chat",
      tables: [
        {
          table: "thread",
          ownerColumn: "user_id",
          createdColumn: "created_at",
          // Conversations outside the app have no account, whatever the mode.
          condition: "channel IS NULL",
        },
        { table: "memory", ownerColumn: "user_id", createdColumn: "created_at" },
        { table: "flow_run", ownerColumn: "user_id", createdColumn: "created_at" },
        { table: "flow_trigger", ownerColumn: "user_id", createdColumn: "created_at" },
        { table: "schedule", ownerColumn: "user_id", createdColumn: "created_at" },
      ],
      batchSize: 50,
      beforeBatch: async (manager, { table }, ids, adminId) => {
        if (table === "thread") await this.moveContents(manager, ids, adminId);
      },
      onError: (error) =>
        logger.warn({ err: error }, "threads couldn't be transferred, will be retried"),
    });
  }

  @Consume(multiUserEnabled)
  async start({ adminId, at }: EventPayload<typeof multiUserEnabled>): Promise<void> {
    // Approvals are each person's own (wire-contract 1.4).
    await this.dataSource.query("DELETE FROM chat.skill_permission WHERE user_id IS NULL");
    await this.transfer.start(adminId, at);
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.transfer.resume();
    return [];
  }

  async onModuleDestroy(): Promise<void> {
    await this.transfer.stop();
  }

  private async moveContents(
    manager: EntityManager,
    threadIds: string[],
    adminId: number,
  ): Promise<void> {
    await manager.query(
      `UPDATE chat.thread SET slug = gen_random_uuid()::text, name = $3
      WHERE id = ANY($2)
        AND slug IS NULL
        AND EXISTS (
          SELECT 1 FROM chat.thread own
          WHERE own.workspace_id = thread.workspace_id AND own.user_id = $1 AND own.slug IS NULL
            AND own.channel IS NULL
        )`,
      [adminId, threadIds, earlierChatsName],
    );
    await manager.query(
      "UPDATE chat.turn SET user_id = $1 WHERE thread_id = ANY($2) AND user_id IS NULL",
      [adminId, threadIds],
    );
    await manager.query(
      "UPDATE chat.share SET user_id = $1 WHERE thread_id = ANY($2) AND user_id IS NULL",
      [adminId, threadIds],
    );
    // Queued questions must read the history as the new owner.
    const admin: Principal = { kind: "user", userId: adminId, role: "admin" };
    await manager.query(
      `UPDATE chat.generation SET user_id = $1, scope = jsonb_set(scope, '{principal}', $3::jsonb)
      WHERE thread_id = ANY($2) AND user_id IS NULL`,
      [adminId, threadIds, JSON.stringify(admin)],
    );
  }
}

@Module({
  controllers: [ThreadHandler, DeveloperThreadHandler],
  providers: [
    AllThreadsRepository,
    DefaultThreadRepository,
    ThreadChanges,
    ThreadListRepository,
    ThreadOwnerTransfer,
    ThreadRepository,
  ],
  exports: [DefaultThreadRepository, ThreadChanges, ThreadRepository],
})
export class ThreadModule {}
