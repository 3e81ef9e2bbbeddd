import {
  flowLimits,
  runFlowTurn,
  type FaultWire,
  type JobPayload,
  type Scope,
} from "@carrel/contracts";
import { Broadcast, Process, ProcessFailed, type JobContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { runFlow, SourceNumbers } from "@carrel/skills";
import { Inject, Injectable } from "@nestjs/common";
import { FlowAbilities } from "../agent/flow-abilities.ts";
import type { ChatConfig } from "../chat.config.ts";
import { FlowRunBlockRepository } from "./flow-run-block.repository.ts";
import { FlowRunConsent, RunSuspended } from "./flow-run-consent.ts";
import { FlowRunJournal } from "./flow-run-journal.ts";
import { FlowRunReports } from "./flow-run-reports.ts";
import { FlowRunRights, RightsEndedError } from "./flow-run-rights.ts";
import { findReached, type DeniedFlowCall, type FlowRunRow } from "./flow-run-row.ts";
import { FlowRunRepository, LeaseLostError, mostLost } from "./flow-run.repository.ts";

/** Tells the replica that has a run that it was cancelled. */
export const cancelChannel = "chat.flow-run.cancel";
const renewEveryMs = 2_500;

interface Outcome {
  state: "done" | "failed" | "denied";
  output: string | null;
  fault: FaultWire | null;
  denied: DeniedFlowCall | null;
}
const failed = (fault: FaultWire): Outcome => ({
  state: "failed",
  output: null,
  fault,
  denied: null,
});
interface Ended {
  outcome: Outcome;
  scope: Scope | null;
}
/** Rethrows what isn't about the owner's rights. */
function endWithRights(error: unknown): Ended {
  if (!(error instanceof RightsEndedError)) throw error;
  return { outcome: failed(error.fault), scope: null };
}

/** Runs flows' turns; one that was interrupted continues at the block that was due. */
@Injectable()
export class FlowRunProcessor {
  private readonly waitMs: number;

  constructor(
    private readonly runs: FlowRunRepository,
    private readonly blocks: FlowRunBlockRepository,
    private readonly rights: FlowRunRights,
    private readonly abilities: FlowAbilities,
    private readonly broadcast: Broadcast,
    private readonly reports: FlowRunReports,
    @Inject(CONFIG) config: ChatConfig,
  ) {
    this.waitMs = config.CARREL_AGENT_WAIT_SECONDS * 1_000;
  }

  @Process(runFlowTurn, { concurrency: 32 })
  async run({ runId, turn }: JobPayload<typeof runFlowTurn>, context: JobContext): Promise<void> {
    const claimed = await this.runs.claim(runId, turn);
    if (claimed === null) return;
    const { run, lease } = claimed;
    const held = this.hold(run.id, lease, context.signal);
    try {
      const { outcome, scope } = await this.take(run, lease, held.signal).catch(endWithRights);
      const { state, fault } = outcome;
      await this.runs.end(run, lease, outcome, async (manager) => {
        if (state === "done") return;
        await this.reports.report(manager, run, scope, { state, fault: fault! });
      });
    } catch (error) {
      if (error instanceof RunSuspended) await this.suspend(run, lease, error);
      // Another replica has it, or it was cancelled.
      else if (error instanceof LeaseLostError || held.isLost()) return;
      else {
        await this.runs.release(run.id, lease);
        throw error;
      }
    } finally {
      held.stop();
    }
  }

  @ProcessFailed(runFlowTurn)
  async fail({ runId, turn }: JobPayload<typeof runFlowTurn>): Promise<void> {
    const run = await this.runs.find(runId);
    if (run === null) return;
    const ending = { state: "failed", fault: { code: "request.failed" } } as const;
    await this.runs.endWithoutLease(run, ending, {
      turn,
      record: (manager) => this.reports.report(manager, run, null, ending),
    });
  }

  private async take(run: FlowRunRow, lease: string, signal: AbortSignal): Promise<Ended> {
    if (run.lost > mostLost)
      return {
        outcome: failed({ code: "flow.interrupted", params: { count: run.lost } }),
        scope: null,
      };
    const { scope, fault: refusal } = await this.rights.check(run);
    if (scope === null) return { outcome: failed(refusal), scope };
    const { recorded, bytes, milliseconds, passages } = await this.blocks.load(run.id);
    const left = flowLimits.minutes * 60_000 - milliseconds;
    const consent = new FlowRunConsent(run, this.waitMs);
    const { state, error, output } = await runFlow({
      flowId: run.flowId,
      steps: run.steps,
      inputs: run.inputs,
      ...(run.payload !== null && { variables: { webhook: run.payload } }),
      ports: {
        ...(await this.abilities.open(scope)),
        admit: consent.admit,
        approve: consent.approve,
        sources: new SourceNumbers(passages),
        findFlow: (id) => Promise.resolve(findReached(run, id)),
      },
      signal,
      milliseconds: Math.max(1, left),
      journal: new FlowRunJournal(
        this.blocks,
        this.broadcast,
        { id: run.id, lease },
        this.rights.follow(run),
        recorded,
        bytes,
      ),
    });
    const fault = error && nameLimit(error.fault ?? { code: "request.failed" });
    return { outcome: { state, output, fault, denied: consent.denied }, scope };
  }

  private async suspend(run: FlowRunRow, lease: string, { question }: RunSuspended): Promise<void> {
    try {
      await this.runs.suspend(run, lease, question);
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
    }
  }

  /** Keeps the lease, and aborts the signal if it is lost. */
  private hold(
    runId: string,
    lease: string,
    stopping: AbortSignal,
  ): { signal: AbortSignal; isLost(): boolean; stop(): void } {
    const lost = new AbortController();
    const lose = (): void => lost.abort(new LeaseLostError());
    const renew = (): void => {
      this.runs.renew(runId, lease).then(
        (isHeld) => {
          if (!isHeld) lose();
        },
        // Until it ends, the lease may be renewed once PostgreSQL is back.
        () => undefined,
      );
    };
    const timer = setInterval(renew, renewEveryMs);
    const stopListening = this.broadcast.on(cancelChannel, (id) => {
      if (id === runId) lose();
    });
    return {
      signal: AbortSignal.any([lost.signal, stopping]),
      isLost: () => lost.signal.aborted,
      stop: () => {
        clearInterval(timer);
        stopListening();
      },
    };
  }
}

/** A run that has spent some of its time before would name fewer minutes than the limit. */
const nameLimit = (fault: FaultWire): FaultWire =>
  fault.code === "flow.timed-out"
    ? { code: fault.code, params: { minutes: flowLimits.minutes } }
    : fault;
