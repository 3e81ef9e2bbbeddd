import {
  CarrelError,
  admitModelCall,
  budgetsChanged,
  createBudget,
  deleteBudget,
  findUsers,
  findWorkspaces,
  ingestModelUsed,
  listBudgetNotices,
  listBudgets,
  releaseModelCall,
  updateBudget,
  type EventPayload,
  type In,
  type Out,
} from "@carrel/contracts";
import {
  Broadcast,
  Consume,
  Handle,
  RequestClient,
  keyed,
  type RequestContext,
} from "@carrel/messaging";
import { isFreeProvider, noTokens } from "@carrel/providers";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { ModelModule } from "../model/model.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache, readPrices } from "../setting/settings-cache.ts";
import { UsageRepository, describeUse, noMedia, totalCost } from "../usage/usage-record.ts";
import { UsageModule } from "../usage/usage.module.ts";
import { BudgetAnnouncer, BudgetEvents } from "./budget-announcer.ts";
import { BudgetRepository, type BudgetLevels } from "./budget.repository.ts";
import { Budgets } from "./budgets.ts";
import { MediaCalls } from "./media-calls.ts";
import { QuestionEstimates } from "./question-estimate.ts";

@Controller()
class BudgetHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly budgets: BudgetRepository,
    private readonly events: BudgetEvents,
    private readonly announcer: BudgetAnnouncer,
    private readonly requests: RequestClient,
    private readonly broadcast: Broadcast,
  ) {}

  @Handle(listBudgets)
  async list(
    _input: In<typeof listBudgets>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof listBudgets>> {
    const budgets = await this.budgets.list();
    const scope = { principal, workspace: null };
    const idsOf = (subject: string): number[] =>
      budgets.flatMap((budget) =>
        budget.subject === subject && budget.subjectId !== null ? [budget.subjectId] : [],
      );
    const [userIds, workspaceIds] = [idsOf("user"), idsOf("workspace")];
    const [{ users }, { workspaces }] = await Promise.all([
      userIds.length === 0
        ? { users: [] }
        : this.requests.request(findUsers, { ids: userIds }, { scope }),
      workspaceIds.length === 0
        ? { workspaces: [] }
        : this.requests.request(findWorkspaces, { ids: workspaceIds }, { scope }),
    ]);
    const names = new Map<string, string>([
      ...users.map(({ id, username }) => [`user ${id}`, username] as const),
      ...workspaces.map(({ id, name }) => [`workspace ${id}`, name] as const),
    ]);
    return {
      budgets: budgets.map((budget) => ({
        ...budget,
        name: names.get(`${budget.subject} ${budget.subjectId}`) ?? null,
      })),
    };
  }

  @Handle(createBudget)
  async create(
    input: In<typeof createBudget>,
    ctx: RequestContext,
  ): Promise<Out<typeof createBudget>> {
    requireLevels(input);
    const subjectId = input.subject === "instance" ? null : (input.subjectId ?? null);
    if (input.subject !== "instance" && subjectId === null)
      throw new CarrelError("budget.subject-missing");
    const reply = await keyed(this.dataSource, ctx, async (manager) => {
      const id = await this.budgets.create(manager, { ...input, subjectId });
      if (id === null) throw new CarrelError("budget.exists");
      await this.events.recordChange(manager, ctx.scope, "budget_created", { ...input, id });
      return { id };
    });
    await this.announceChange();
    return reply;
  }

  @Handle(updateBudget)
  async update(
    { id, ...levels }: In<typeof updateBudget>,
    ctx: RequestContext,
  ): Promise<Out<typeof updateBudget>> {
    requireLevels(levels);
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.budgets.update(manager, id, levels)))
        throw new CarrelError("budget.not-found");
      await this.events.recordChange(manager, ctx.scope, "budget_updated", { id, ...levels });
    });
    await this.announceChange();
    return { success: true };
  }

  @Handle(deleteBudget)
  async delete(
    { id }: In<typeof deleteBudget>,
    ctx: RequestContext,
  ): Promise<Out<typeof deleteBudget>> {
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.budgets.delete(manager, id))) throw new CarrelError("budget.not-found");
      await this.events.recordChange(manager, ctx.scope, "budget_deleted", { id });
    });
    await this.announceChange();
    return { success: true };
  }

  @Handle(listBudgetNotices)
  async listNotices(
    _input: In<typeof listBudgetNotices>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof listBudgetNotices>> {
    const reached = await this.budgets.listReached(
      principal.role === "admin" ? undefined : principal.userId,
    );
    return {
      notices: reached.map(({ id, subject, period, periodStart, level }) => ({
        id,
        subject,
        period,
        periodStart,
        level,
      })),
    };
  }

  /** A new budget, or one with other levels, may have reached one already. */
  private async announceChange(): Promise<void> {
    await this.broadcast.publishEvent(budgetsChanged, {});
    this.announcer.noteUse();
  }
}

function requireLevels({ warnAt, stopAt }: BudgetLevels): void {
  if (warnAt === null && stopAt === null) throw new CarrelError("budget.level-missing");
  if (warnAt !== null && stopAt !== null && warnAt >= stopAt)
    throw new CarrelError("budget.level-order");
}

/** Records what ingest's models are used for. */
@Injectable()
class ModelUseConsumer {
  constructor(
    private readonly usage: UsageRepository,
    private readonly settings: SettingsCache,
    private readonly budgets: Budgets,
    private readonly announcer: BudgetAnnouncer,
  ) {}

  @Consume(ingestModelUsed)
  async record(event: EventPayload<typeof ingestModelUsed>): Promise<void> {
    const { id, workspaceId, userId, keyId, audioMs, searches } = event;
    const { values } = await this.settings.getInstance();
    const use = describeUse({
      purpose: event.purpose,
      state: event.state,
      principal: keyId === null ? { kind: "service" } : { kind: "key", keyId },
      provider: event.provider,
      model: event.model,
      findPrice: readPrices(values),
      tokens: {
        input: event.inputTokens,
        cached: event.cachedTokens,
        output: event.outputTokens,
        reasoning: event.reasoningTokens,
        isEstimated: event.isEstimated,
      },
      media: { characters: 0, audioMs, searches },
      firstTokenMs: null,
      milliseconds: event.milliseconds,
    });
    await this.usage.record(
      { turnId: null, threadId: null, workspaceId, userId },
      { ...use, widget_id: event.widgetId ?? null, event_id: id },
    );
    if (event.callIds !== undefined) await this.budgets.release(...event.callIds);
    this.announcer.noteUse();
  }
}

/** Applies budgets to models that other services call. */
@Controller()
class ModelCallHandler {
  constructor(
    private readonly budgets: Budgets,
    private readonly settings: SettingsCache,
  ) {}

  @Handle(admitModelCall)
  async admit(
    { callId, provider, model, inputTokens }: In<typeof admitModelCall>,
    { scope }: RequestContext,
  ): Promise<Out<typeof admitModelCall>> {
    const price = readPrices((await this.settings.getInstance()).values)(provider, model);
    const cost =
      price === null ? null : totalCost(price, { ...noTokens, input: inputTokens }, noMedia);
    await this.budgets.admitCall(callId, scope, {
      tokens: inputTokens,
      micros: cost ?? 0,
      isFree: isFreeProvider(provider),
    });
    return {};
  }

  @Handle(releaseModelCall)
  async release({ callId }: In<typeof releaseModelCall>): Promise<Out<typeof releaseModelCall>> {
    await this.budgets.release(callId);
    return {};
  }
}

@Module({
  imports: [ModelModule, SettingModule, UsageModule],
  controllers: [BudgetHandler, ModelCallHandler],
  providers: [
    BudgetAnnouncer,
    BudgetEvents,
    BudgetRepository,
    Budgets,
    MediaCalls,
    ModelUseConsumer,
    QuestionEstimates,
  ],
  exports: [BudgetAnnouncer, Budgets, MediaCalls, QuestionEstimates],
})
export class BudgetModule {}
