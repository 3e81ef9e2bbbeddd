import { randomUUID } from "node:crypto";
import { budgetsChanged, eventLogged, type Scope } from "@carrel/contracts";
import { Broadcast, Outbox, eventMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { BudgetRepository, type ReachedBudget } from "./budget.repository.ts";

/** Writes to the instance's event log, in the transaction of the change. */
@Injectable()
export class BudgetEvents {
  constructor(private readonly outbox: Outbox) {}

  recordChange(
    manager: EntityManager,
    { principal, address }: Scope,
    event: "budget_created" | "budget_updated" | "budget_deleted",
    metadata: Record<string, unknown>,
  ): Promise<void> {
    const from = address === undefined ? {} : { address };
    return this.record(manager, event, principal.userId, { ...metadata, ...from });
  }

  recordReached(manager: EntityManager, budget: ReachedBudget): Promise<void> {
    const { level, periodStart: _periodStart, ...metadata } = budget;
    const event = level === "stop" ? "budget_used_up" : "budget_warning";
    return this.record(manager, event, null, metadata);
  }

  private record(
    manager: EntityManager,
    event: string,
    userId: number | null,
    metadata: Record<string, unknown>,
  ): Promise<void> {
    const occurredAt = new Date().toISOString();
    return this.outbox.add(
      manager,
      eventMessage(eventLogged, { id: randomUUID(), event, userId, metadata, occurredAt }),
    );
  }
}

/** Records in the event log when a budget reaches a level, once per level and period. */
@Injectable()
export class BudgetAnnouncer implements OnApplicationBootstrap, OnApplicationShutdown {
  private stopListening: () => void = () => undefined;
  /** null: not known. Without budgets, answers cost no query. */
  private exist: Promise<boolean> | null = null;
  private looking: Promise<void> | null = null;
  private isDue = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly budgets: BudgetRepository,
    private readonly events: BudgetEvents,
    private readonly broadcast: Broadcast,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const forget = (): void => {
      this.exist = null;
    };
    const stops = [
      this.broadcast.on(`event:${budgetsChanged.name}`, forget),
      this.broadcast.onGap(forget),
    ];
    this.stopListening = () => {
      for (const stop of stops) stop();
    };
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopListening();
    await this.looking;
  }

  /** Call when an answer has ended. Never throws; answers that end meanwhile share one check. */
  noteUse(): void {
    this.isDue = true;
    this.looking ??= this.look()
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't check the budgets, will retry"),
      )
      .finally(() => {
        this.looking = null;
      });
  }

  private async look(): Promise<void> {
    while (this.isDue) {
      this.isDue = false;
      this.exist ??= this.budgets.exist().catch((error: unknown) => {
        this.exist = null;
        throw error;
      });
      if (await this.exist) await this.announce();
    }
  }

  private async announce(): Promise<void> {
    const reached = await this.dataSource.transaction(async (manager) => {
      const budgets = await this.budgets.takeUnannounced(manager);
      for (const budget of budgets) await this.events.recordReached(manager, budget);
      return budgets;
    });
    if (reached.length > 0) await this.broadcast.publishEvent(budgetsChanged, {});
  }
}
