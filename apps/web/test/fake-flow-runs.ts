import type { ServerResponse } from "node:http";
import {
  answerFlowRun,
  cancelFlowRun,
  describeFlowRequests,
  getFlowRun,
  listFlowRuns,
  listSharedFlows,
  readFlowRunResult,
  rerunFlow,
  startFlowRun,
  type FlowRunBlock,
  type FlowRunFrame,
  type FlowRunWire,
  type Out,
} from "@carrel/contracts";
import { answered, matcher, openStream, type FakeCall } from "./fake-call.ts";

const moment = (secondsAgo: number): string =>
  new Date(Date.now() - secondsAgo * 1_000).toISOString();
const idOf = (number: number): string =>
  `${String(number).padStart(8, "0")}-2222-4222-8222-222222222222`;

export const flowBlock = (path: string, more: Partial<FlowRunBlock> = {}): FlowRunBlock => ({
  path,
  id: null,
  type: "llmInstruction",
  title: null,
  state: "done",
  milliseconds: 1_200,
  result: "Sunny, 24 °C.",
  isCut: false,
  fault: null,
  ...more,
});

/** Flows that can be run, and their runs; none at first. */
export class FakeFlowRuns {
  flows: Out<typeof listSharedFlows>["flows"] = [];
  requests: Out<typeof describeFlowRequests> = { requests: [], approvals: [] };
  runs: FlowRunWire[] = [];
  /** The pieces of each block's whole result. */
  pieces = ["Sunny, 24 °C."];
  readonly sent: { method: string; path: string; body: Record<string, unknown> }[] = [];
  private readonly streams = new Map<string, Set<ServerResponse>>();

  addFlow(name: string, more: Partial<FakeFlowRuns["flows"][number]> = {}): string {
    const id = idOf(900 + this.flows.length);
    this.flows.push({
      id,
      name,
      description: "",
      variables: [],
      sends: false,
      searches: false,
      ...more,
    });
    return id;
  }

  /** One that sends a request. */
  addWeatherFlow(id: string): void {
    this.addFlow("Weather report", {
      id,
      sends: true,
      variables: [{ name: "city", value: "Rome", description: "Where" }],
    });
    const address = "https://weather.example/v1";
    this.requests.requests = [
      { title: "Fetch", address, origin: "https://weather.example", text: `GET ${address}` },
    ];
  }

  addRun(more: Partial<FlowRunWire> = {}): FlowRunWire {
    const run: FlowRunWire = {
      id: idOf(this.runs.length),
      flowId: this.flows[0]?.id ?? idOf(900),
      name: this.flows[0]?.name ?? "Weather report",
      version: 3,
      trigger: "manual",
      state: "running",
      owner: null,
      workspace: null,
      fault: null,
      createdAt: moment(65),
      startedAt: moment(64),
      endedAt: null,
      inputs: {},
      output: null,
      sources: [],
      question: null,
      blocks: [],
      blockCount: 0,
      canContinue: false,
      ...more,
    };
    this.runs.unshift(run);
    return run;
  }

  /** Changes a run, and says so to whoever watches it. */
  change(run: FlowRunWire, change: Partial<FlowRunWire>): void {
    Object.assign(run, change);
    this.send(run.id, { type: "run", id: run.id, state: run.state, question: run.question });
  }

  sendBlock(run: FlowRunWire, block: FlowRunBlock): void {
    run.blocks = [...run.blocks.filter(({ path }) => path !== block.path), block];
    this.send(run.id, { type: "block", block });
  }

  isWatched(run: FlowRunWire): boolean {
    return (this.streams.get(run.id)?.size ?? 0) > 0;
  }

  private send(id: string, frame: FlowRunFrame): void {
    for (const stream of this.streams.get(id) ?? [])
      stream.write(`data: ${JSON.stringify(frame)}\n\n`);
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, path, query, body, reply, json, response } = call;
    if (
      !/^\/(?:shared-flows$|flow-runs|flows\/[^/]+\/(?:requests|runs)$|workspace\/[^/]+\/flows\/[^/]+\/runs$)/.test(
        path,
      )
    )
      return false;
    const at = matcher(call);
    if (method !== "GET") this.sent.push({ method, path, body });
    if (at("GET", /^\/shared-flows$/))
      return answered(reply(listSharedFlows, { flows: this.flows }));
    if (at("POST", /\/requests$/)) return answered(reply(describeFlowRequests, this.requests));
    if (at("POST", /\/runs$/)) {
      const run = this.addRun({ inputs: body.inputs as Record<string, string> });
      return answered(reply(startFlowRun, { id: run.id }));
    }
    if (at("GET", /^\/flow-runs$/)) {
      const [flowId, state] = [call.query.get("flowId"), call.query.get("state")];
      const runs = this.runs
        .filter((run) => flowId === null || run.flowId === flowId)
        .filter((run) => state === null || run.state === state);
      return answered(reply(listFlowRuns, { runs, next: null }));
    }
    const run = this.runs.find(({ id }) => id === path.split("/")[2]);
    if (!run) return answered(json({ error: "This run doesn't exist." }, 404));
    if (at("GET", /\/stream$/)) {
      const streams = this.streams.get(run.id) ?? new Set();
      this.streams.set(run.id, streams.add(response));
      openStream(response, () => streams.delete(response));
      return true;
    }
    if (at("GET", /^\/flow-runs\/[^/]+$/)) return answered(reply(getFlowRun, run));
    if (at("GET", /\/blocks\/[^/]+\/result$/)) {
      const from = Number(query.get("from"));
      const next = from + 1 < this.pieces.length ? from + 1 : null;
      return answered(reply(readFlowRunResult, { text: this.pieces[from]!, next }));
    }
    if (at("DELETE", /^\/flow-runs\/[^/]+$/)) {
      this.change(run, { state: "cancelled", endedAt: moment(0) });
      return answered(reply(cancelFlowRun, { success: true }));
    }
    if (at("POST", /\/answer$/)) {
      const isDenied = body.decision === "denied";
      this.change(run, { question: null, state: isDenied ? "denied" : "running" });
      return answered(reply(answerFlowRun, { success: true }));
    }
    const again = this.addRun({ name: run.name, flowId: run.flowId, trigger: "rerun" });
    return answered(reply(rerunFlow, { id: again.id }));
  }
}
