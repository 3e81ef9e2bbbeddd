import { isDeepStrictEqual } from "node:util";
import {
  CarrelError,
  hasFlowRunEnded,
  listFlowSteps,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { EventLog } from "../event-log/event-log.module.ts";
import { FlowRepository, type FlowRow } from "../flow/flow.repository.ts";
import { FlowRunBlockRepository } from "./flow-run-block.repository.ts";
import { FlowRunRights, mayRun } from "./flow-run-rights.ts";
import type { FlowRunRow, FlowSnapshot, NewFlowRun } from "./flow-run-row.ts";
import { cancelChannel } from "./flow-run.processor.ts";
import { canContinue, FlowRunRepository } from "./flow-run.repository.ts";

/** Starts runs of flows, in the transaction that needs them, and ends them early. */
@Injectable()
export class FlowRuns {
  constructor(
    private readonly dataSource: DataSource,
    private readonly runs: FlowRunRepository,
    private readonly blocks: FlowRunBlockRepository,
    private readonly flows: FlowRepository,
    private readonly rights: FlowRunRights,
    private readonly eventLog: EventLog,
    private readonly broadcast: Broadcast,
  ) {}

  /**
   * Starts a run with its owner's current rights. A second call with the same ID does nothing.
   * Throws CarrelError if the owner may not run the flow; `flowRunEnded` says when it has ended.
   */
  async start(manager: EntityManager, run: NewFlowRun): Promise<void> {
    if (await this.runs.exists(manager, run.id)) return;
    const scope = await this.rights.require(run, manager);
    await this.add(manager, scope, run);
  }

  /** For whoever is there and has been admitted to the workspace. Throws CarrelError. */
  async startAs(manager: EntityManager, scope: Scope, run: NewFlowRun): Promise<void> {
    await this.findFor(scope.principal, run.flowId, manager);
    await this.add(manager, scope, run);
  }

  /** A flow that a person may run; for others it looks like a missing one. */
  async findFor(
    principal: Principal,
    flowId: string,
    on: DataSource | EntityManager = this.dataSource,
  ): Promise<FlowRow> {
    const flow = await this.flows.read(on, flowId);
    if (flow === null) throw new CarrelError("flow.not-found");
    if (!mayRun(principal, flow, "manual"))
      throw new CarrelError(flow.shared ? "flow.inactive" : "flow.not-found");
    return flow;
  }

  /**
   * Runs the flow again as it is now, with the same inputs. With `keep`, blocks before the first
   * that has changed or wasn't done keep their results.
   */
  async startAgain(
    manager: EntityManager,
    scope: Scope,
    before: FlowRunRow,
    o: { id: string; keep: boolean },
  ): Promise<void> {
    if (!hasFlowRunEnded(before.state)) throw new CarrelError("flow.run-not-ended");
    if (o.keep && !canContinue(before)) throw new CarrelError("flow.run-complete");
    await this.findFor(scope.principal, before.flowId, manager);
    const { flowId, inputs, payload, workspaceId } = before;
    const run: NewFlowRun = {
      id: o.id,
      flowId,
      inputs,
      ...(payload !== null && { payload }),
      trigger: "rerun",
      ownerId: scope.principal.userId,
      workspaceId,
      approvals: null,
    };
    const now = await this.add(manager, scope, run);
    if (o.keep) await this.blocks.copy(manager, before.id, o.id, countSame(before, now));
  }

  find(id: string): Promise<FlowRunRow | null> {
    return this.runs.find(id);
  }

  /** False if it had ended. */
  async cancel(run: { id: string }): Promise<boolean> {
    const row = await this.runs.find(run.id);
    if (
      row === null ||
      !(await this.runs.endWithoutLease(row, { state: "cancelled", fault: null }))
    )
      return false;
    // Otherwise the replica that has it notices when it renews its lease.
    await this.broadcast.publish(cancelChannel, run.id).catch(() => undefined);
    return true;
  }

  private async add(manager: EntityManager, scope: Scope, run: NewFlowRun): Promise<FlowSnapshot> {
    const flow = await this.flows.read(manager, run.flowId);
    if (flow === null) throw new CarrelError("flow.not-found");
    const { name, version, steps } = flow;
    const reached = await this.flows.loadReached([flow], manager);
    const snapshot: FlowSnapshot = {
      name,
      version,
      steps,
      reached: Object.fromEntries(
        [...reached].map(([id, flow]) => [id, { name: flow.name, steps: flow.steps }]),
      ),
    };
    const isNew = await this.runs.add(manager, run, snapshot);
    const { id: runId, flowId, trigger } = run;
    if (isNew)
      await this.eventLog.record(manager, scope, "flow_run_started", { runId, flowId, trigger });
    return snapshot;
  }
}

/** How many of a flow's first blocks are the same, with the flows that they run. */
function countSame(before: FlowSnapshot, now: FlowSnapshot): number {
  // A flow that is run may run others in turn, so any change of one counts.
  const isSameReach = isDeepStrictEqual(before.reached, now.reached);
  const changed = now.steps.findIndex((step, index) => {
    const runsOthers = listFlowSteps([step]).some(({ type }) => type === "carrel-flow");
    return !isDeepStrictEqual(step, before.steps[index]) || (runsOthers && !isSameReach);
  });
  return changed < 0 ? now.steps.length : changed;
}
