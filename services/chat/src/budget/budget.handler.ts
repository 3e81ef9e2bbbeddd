import { Controller } from "@nestjs/common";
import {
  budgetsChanged,
  CarrelError,
  createBudget,
  deleteBudget,
  findUsers,
  findWorkspaces,
  listBudgetNotices,
  listBudgets,
  updateBudget,
  type In,
  type Out,
} from "@carrel/contracts";
import { Broadcast, Handle, keyed, RequestClient, type RequestContext } from "@carrel/messaging";
import { DataSource } from "typeorm";
import { BudgetAnnouncer } from "./budget-announcer.ts";
import { BudgetEvents } from "./budget-events.ts";
import { BudgetRepository, type BudgetLevels } from "./budget.repository.ts";

@Controller()
export class BudgetHandler {
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
