import { clipText, type FaultWire, type WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { FlowRunRow } from "../flow-run/flow-run-row.ts";
import { FlowRuns } from "../flow-run/flow-runs.ts";
import { OwnerScopes } from "../owner/owner.module.ts";
import { inWorkspace } from "../workspace-scope.ts";

/** Of the value of a variable, where a thread says what ran. */
const longestValue = 1_000;

export interface ScheduledFlow {
  run: FlowRunRow;
  /** Where its result can be put; null if there is none, or its owner has lost the workspace. */
  scope: WorkspaceScope | null;
}

/** Runs of flows that schedules start; they have the IDs of the schedules' runs. */
@Injectable()
export class ScheduleFlows {
  constructor(
    private readonly runs: FlowRuns,
    private readonly owners: OwnerScopes,
  ) {}

  /** null: the run has none, or it was deleted. */
  async find(runId: string): Promise<ScheduledFlow | null> {
    const run = await this.runs.find(runId);
    if (run === null || run.state !== "done") return run && { run, scope: null };
    const { scope } = await this.owners.find(run.ownerId, run.workspaceId);
    return { run, scope: scope && inWorkspace(scope) };
  }
}

/** What ran, as the question of its result: the flow, and the values that were set for it. */
export const describeFlow = ({ name, inputs }: FlowRunRow): string =>
  [
    name,
    ...Object.entries(inputs).map(([key, value]) => `${key}: ${clipText(value, longestValue)}`),
  ].join("\n");

/** Why a run that has ended has no result. */
export const faultOf = ({ state, fault }: FlowRunRow): FaultWire | null =>
  state === "failed" || state === "denied" ? (fault ?? { code: "request.failed" }) : null;
