import { randomUUID } from "node:crypto";
import { eventLogged, type Scope } from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import type { ReachedBudget } from "./budget.repository.ts";

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
