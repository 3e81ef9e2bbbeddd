import { randomUUID } from "node:crypto";
import { flowRunReported, type FaultWire, type Scope } from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { EventLog } from "../event-log/event-log.module.ts";
import type { FlowRunRow } from "./flow-run-row.ts";

/** Tells people how unattended runs ended that failed or were denied something. */
@Injectable()
export class FlowRunReports {
  constructor(
    private readonly outbox: Outbox,
    private readonly eventLog: EventLog,
  ) {}

  /** @param scope the owner's, if they still have their rights */
  async report(
    manager: EntityManager,
    run: FlowRunRow,
    scope: Scope | null,
    { state, fault }: { state: "failed" | "denied"; fault: FaultWire },
  ): Promise<void> {
    const { id: runId, flowId, trigger, name, ownerId: userId, workspaceId } = run;
    if (state === "denied" && scope !== null)
      await this.eventLog.record(manager, scope, "flow_run_denied", {
        runId,
        flowId,
        trigger,
        ...fault.params,
      });
    // Schedules report it themselves, with where to allow it.
    if (run.approvals === null || trigger === "schedule") return;
    await this.outbox.add(
      manager,
      eventMessage(flowRunReported, {
        id: randomUUID(),
        kind: state === "denied" ? "flow.denied" : "flow.failed",
        runId,
        flowId,
        userId,
        workspaceId,
        title: name,
        fault,
        at: new Date().toISOString(),
      }),
    );
  }
}
