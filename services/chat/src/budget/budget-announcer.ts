import { budgetsChanged } from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from "@nestjs/common";
import { DataSource } from "typeorm";
import { BudgetEvents } from "./budget-events.ts";
import { BudgetRepository } from "./budget.repository.ts";

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
