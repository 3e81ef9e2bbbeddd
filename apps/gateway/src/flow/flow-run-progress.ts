import { setTimeout as wait } from "node:timers/promises";
import {
  flowRunChannel,
  hasFlowRunEnded,
  readFlowRunProgress,
  renderFault,
  type FaultWire,
  type FlowRunFrame,
  type KnownFault,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";

/** How often to look although nothing was broadcast, in ms. */
const lookEveryMs = 2_000;
/** Changes within this time are read together. */
const gatherMs = 50;

type Progress = Out<typeof readFlowRunProgress>;
type Ended = Extract<FlowRunFrame, { type: "end" }>;

const describeFault = (fault: FaultWire | null): string | null =>
  fault === null ? null : renderFault(fault as KnownFault);

/** Follows runs to their end. */
@Injectable()
export class FlowRunProgress {
  constructor(
    private readonly requests: RequestClient,
    private readonly broadcast: Broadcast,
  ) {}

  /** Everything that a run does; ends with the run, or with the signal. */
  async *follow(scope: Scope, id: string, signal: AbortSignal): AsyncGenerator<FlowRunFrame> {
    let wake: () => void = () => undefined;
    const stops = [
      this.broadcast.on(flowRunChannel(id), () => wake()),
      this.broadcast.on("event:flow-run.changed", (payload) => {
        if ((payload as { runId: string }).runId === id) wake();
      }),
    ];
    const onAbort = (): void => wake();
    signal.addEventListener("abort", onAbort);
    let position = 0;
    let shown = "";
    try {
      while (!signal.aborted) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const progress: Progress = await this.requests.request(
          readFlowRunProgress,
          { id, after: position },
          { scope },
        );
        ({ position } = progress);
        for (const block of progress.blocks) yield { type: "block", block };
        const { state, question, output, fault } = progress;
        if (hasFlowRunEnded(state)) {
          yield { type: "end", id, state, output, fault, error: describeFault(fault) };
          return;
        }
        const now = JSON.stringify([state, question]);
        if (now !== shown) yield { type: "run", id, state, question };
        shown = now;
        if (progress.blocks.length > 0) await wait(gatherMs);
        else await Promise.race([woken, wait(lookEveryMs)]);
      }
    } finally {
      for (const stop of stops) stop();
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** The run's end, or its state when the signal is aborted. */
  async wait(scope: Scope, id: string, signal: AbortSignal): Promise<Ended> {
    let state: Ended["state"] = "queued";
    for await (const frame of this.follow(scope, id, signal)) {
      if (frame.type === "end") return frame;
      if (frame.type === "run") ({ state } = frame);
    }
    return { type: "end", id, state, output: null, fault: null, error: null };
  }
}
