import {
  CarrelError,
  createMemory,
  deleteMemory,
  demoteMemory,
  extractMemories,
  listMemories,
  memoryLimits,
  promoteMemory,
  updateMemory,
  type In,
  type MemoryWire,
  type Out,
  type Scope,
} from "@carrel/contracts";
import {
  Handle,
  Reconciler,
  jobMessage,
  keyed,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { ModelModule } from "../model/model.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { ExtractionJob } from "./extraction.job.ts";
import { ExtractionRepository } from "./extraction.repository.ts";
import { MemoryKeeper } from "./memory-keeper.ts";
import { readMemorySettings } from "./memory-settings.ts";
import { MemoryRepository } from "./memory.repository.ts";

/**
 * The caller's own memories (wire-contract 3.5). While memories are switched off, they are kept but
 * inaccessible.
 */
@Controller()
class MemoryHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memories: MemoryRepository,
    private readonly settings: SettingsCache,
  ) {}

  @Handle(listMemories)
  async list(
    _input: In<typeof listMemories>,
    ctx: RequestContext,
  ): Promise<Out<typeof listMemories>> {
    await this.requireEnabled();
    const all = await this.memories.list(inWorkspace(ctx.scope));
    return {
      memories: {
        global: all.filter(({ scope }) => scope === "global"),
        workspace: all.filter(({ scope }) => scope === "workspace"),
      },
    };
  }

  @Handle(createMemory)
  async create(
    { content, scope: place }: In<typeof createMemory>,
    ctx: RequestContext,
  ): Promise<Out<typeof createMemory>> {
    await this.requireEnabled();
    const { principal, workspace } = inWorkspace(ctx.scope);
    const workspaceId = place === "global" ? null : workspace.id;
    return keyed(this.dataSource, ctx, async (manager) => {
      const memory = await this.memories.create(manager, principal.userId, workspaceId, content);
      if (memory === null) throw full(workspaceId);
      return { memory };
    });
  }

  @Handle(updateMemory)
  async update(
    { id, content }: In<typeof updateMemory>,
    ctx: RequestContext,
  ): Promise<Out<typeof updateMemory>> {
    await this.requireEnabled();
    const memory = await this.memories.update(ctx.scope, id, content);
    if (memory === null) throw missing();
    return { memory };
  }

  @Handle(deleteMemory)
  async delete(
    { id }: In<typeof deleteMemory>,
    ctx: RequestContext,
  ): Promise<Out<typeof deleteMemory>> {
    await this.requireEnabled();
    return keyed(this.dataSource, ctx, async (manager) => {
      if (!(await this.memories.delete(manager, ctx.scope, id))) throw missing();
      return { success: true };
    });
  }

  @Handle(promoteMemory)
  async promote(
    { id }: In<typeof promoteMemory>,
    ctx: RequestContext,
  ): Promise<Out<typeof promoteMemory>> {
    return { memory: await this.move(ctx.scope, id, null) };
  }

  @Handle(demoteMemory)
  async demote(
    { id }: In<typeof demoteMemory>,
    ctx: RequestContext,
  ): Promise<Out<typeof demoteMemory>> {
    return { memory: await this.move(ctx.scope, id, inWorkspace(ctx.scope).workspace.id) };
  }

  private async move(scope: Scope, id: number, workspaceId: number | null): Promise<MemoryWire> {
    await this.requireEnabled();
    const moved = await this.memories.move(scope, id, workspaceId);
    if (moved === "missing") throw missing();
    if (moved === "elsewhere") throw new CarrelError("memory.of-other-workspace");
    if (moved === "full") throw full(workspaceId);
    return moved;
  }

  private async requireEnabled(): Promise<void> {
    if (!readMemorySettings((await this.settings.getInstance()).values).isEnabled)
      throw new CarrelError("memory.disabled");
  }
}

const missing = (): CarrelError => new CarrelError("memory.not-found");
const full = (workspaceId: number | null): CarrelError =>
  workspaceId === null
    ? new CarrelError("memory.global-full", { limit: memoryLimits.global })
    : new CarrelError("memory.workspace-full", { limit: memoryLimits.workspace });

const batch = 200;

/**
 * Schedules extraction for settled threads every minute from PostgreSQL: memories aren't urgent,
 * and no due turn is ever lost.
 */
@Injectable()
export class ExtractionScheduler extends Reconciler {
  constructor(private readonly extraction: ExtractionRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    return (await this.extraction.listDue(batch)).map(({ threadId, turnId }) =>
      jobMessage(extractMemories, {
        rowId: threadId,
        version: turnId,
        payload: { threadId, turnId },
      }),
    );
  }
}

@Module({
  imports: [ModelModule, SettingModule, UsageModule],
  controllers: [MemoryHandler],
  providers: [
    ExtractionJob,
    ExtractionRepository,
    ExtractionScheduler,
    MemoryKeeper,
    MemoryRepository,
  ],
  exports: [MemoryKeeper, MemoryRepository],
})
export class MemoryModule {}
