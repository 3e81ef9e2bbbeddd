import {
  createFlow,
  deleteFlow,
  getFlow,
  getFlowVersion,
  listFlowVersions,
  listFlows,
  shareFlow,
  testFlow,
  toggleFlow,
  updateFlow,
  type FlowStep,
  type FlowStepRun,
  type FlowWire,
  type Out,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

interface Version {
  version: number;
  name: string;
  description: string;
  steps: FlowStep[];
  savedAt: string;
}

const ids = ["11111111", "22222222", "33333333"].map(
  (part) => `${part}-1111-4111-8111-111111111111`,
);

/** As an existing client saved it: its blocks have no ids, and fields that Carrel doesn't know. */
export const clientSteps = (): FlowStep[] => [
  { type: "start", config: { variables: [{ name: "city", value: "Rome", description: "" }] } },
  {
    type: "apiCall",
    config: {
      url: "https://weather.example/v1?city=${city}",
      method: "GET",
      headers: [{ key: "Accept", value: "application/json" }],
      bodyType: "json",
      body: "",
      formData: [],
      responseVariable: "weather",
      directOutput: false,
      uiColor: "blue",
    },
  },
  {
    type: "llmInstruction",
    config: {
      instruction: "Describe the weather in one sentence: ${weather}",
      resultVariable: "report",
      directOutput: true,
    },
  },
];

const count = (steps: readonly FlowStep[]): number =>
  steps.reduce(
    (sum, { config }) =>
      sum +
      1 +
      ["then", "otherwise", "steps"].reduce(
        (inner, slot) =>
          inner + count(((config as Record<string, unknown>)[slot] ?? []) as FlowStep[]),
        0,
      ),
    0,
  );

/** Flows of the fake gateway; none at first. */
export class FakeFlows {
  flows: FlowWire[] = [];
  private readonly versions: Record<string, Version[]> = {};
  /** Bodies of calls that change or run flows. */
  readonly sent: { method: string; path: string; body: Record<string, unknown> }[] = [];
  /** What a test returns, instead of a run in which each block succeeds. */
  run: ((steps: FlowStep[], body: Record<string, unknown>) => Out<typeof testFlow>) | null = null;

  add(name: string, steps: FlowStep[], more: Partial<FlowWire> = {}): FlowWire {
    const id = ids[this.flows.length] ?? `0000000${this.flows.length}-1111-4111-8111-111111111111`;
    const flow: FlowWire = {
      id,
      name,
      description: "",
      active: true,
      shared: false,
      version: 1,
      updatedAt: new Date(Date.now() - 3_600_000).toISOString(),
      stepCount: count(steps),
      hasOwnBlocks: steps.some(({ type }) => type.startsWith("carrel-")),
      sends: false,
      steps,
      ...more,
    };
    this.flows.push(flow);
    this.keep(flow);
    return flow;
  }

  fill(): void {
    this.add("Weather report", clientSteps(), {
      description: "Reports the weather in a city in one sentence.",
      shared: true,
    });
    this.add("File a ticket", [], {
      description: "Opens a ticket with the facilities team and returns its number.",
      active: false,
      sends: true,
    });
  }

  /** Saves a flow as someone else does. */
  change(id: string, change: Partial<Pick<FlowWire, "name" | "description" | "steps">>): void {
    const flow = this.flows.find((each) => each.id === id)!;
    Object.assign(flow, change, { version: flow.version + 1, updatedAt: new Date().toISOString() });
    flow.stepCount = count(flow.steps);
    this.keep(flow);
  }

  private keep({ id, version, name, description, steps }: FlowWire): void {
    const savedAt = new Date(Date.now() - (10 - version) * 60_000).toISOString();
    (this.versions[id] ??= []).unshift({ version, name, description, steps, savedAt });
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, path, body, reply, json } = call;
    if (!/^\/(?:workspace\/[^/]+\/flows|flows|agent-flows)(?:\/|$)/.test(path)) return false;
    const at = matcher(call);
    if (method !== "GET") this.sent.push({ method, path, body });
    if (at("GET", /^\/flows$/)) {
      const flows = this.flows
        .map(({ steps: _, ...summary }) => summary)
        .toSorted((a, b) => a.name.localeCompare(b.name));
      return answered(reply(listFlows, { flows }));
    }
    const content = body as unknown as Pick<FlowWire, "name" | "description" | "steps">;
    if (at("POST", /^\/flows$/)) {
      const { id, version } = this.add(content.name, content.steps, {
        description: content.description,
        active: body.active !== false,
        updatedAt: new Date().toISOString(),
      });
      return answered(reply(createFlow, { id, version }));
    }
    if (at("POST", /\/flows\/(?:[^/]+\/)?test$/)) return answered(reply(testFlow, this.test(body)));
    const id = /flows\/([^/]+)/.exec(path)?.[1];
    const flow = this.flows.find((each) => each.id === id);
    if (!flow) return answered(json({ error: "This flow doesn't exist." }, 404));
    if (at("GET", /^\/flows\/[^/]+$/)) return answered(reply(getFlow, flow));
    if (at("PUT", /^\/flows\/[^/]+$/)) {
      if (body.version !== flow.version)
        return answered(
          json(
            {
              error: "This flow was changed in the meantime. Load it again before you save it.",
            },
            409,
          ),
        );
      const { name, description, steps } = content;
      this.change(flow.id, { name, description, steps });
      return answered(reply(updateFlow, { version: flow.version }));
    }
    if (at("PUT", /\/sharing$/)) {
      flow.shared = body.shared === true;
      return answered(reply(shareFlow, { success: true }));
    }
    if (at("POST", /\/toggle$/)) {
      flow.active = body.active === true;
      return answered(reply(toggleFlow, flow));
    }
    if (at("DELETE", /^\/agent-flows\//)) {
      this.flows = this.flows.filter((each) => each !== flow);
      return answered(reply(deleteFlow, { success: true }));
    }
    const versions = this.versions[flow.id] ?? [];
    if (at("GET", /\/versions$/))
      return answered(
        reply(listFlowVersions, {
          versions: versions.map(({ version, name, savedAt, steps }) => ({
            version,
            name,
            savedAt,
            savedBy: null,
            stepCount: count(steps),
          })),
        }),
      );
    if (at("GET", /\/versions\/\d+$/)) {
      const { savedAt: _, ...found } = versions.find(
        ({ version }) => version === Number(path.split("/").at(-1)),
      )!;
      return answered(reply(getFlowVersion, found));
    }
    return answered(json({ error: "There is no such route." }, 404));
  }

  private test(body: Record<string, unknown>): Out<typeof testFlow> {
    const steps = body.steps as FlowStep[];
    if (this.run) return this.run(steps, body);
    const first = steps.findIndex(({ id }) => id === body.from);
    const runs = steps.map((step, index): FlowStepRun => ({
      id: step.id ?? null,
      type: step.type,
      title: step.title ?? null,
      state: index < first ? "skipped" : "done",
      milliseconds: 120,
      result:
        step.type === "apiCall" ? '{"temperature": 24, "sky": {"clouds": 3}}' : "Sunny, 24 °C.",
      fault: null,
    }));
    return {
      ok: true,
      steps: runs,
      variables: {
        ...(body.inputs as Record<string, unknown>),
        weather: { temperature: 24, sky: { clouds: 3 } },
        report: "Sunny, 24 °C.",
      },
      omitted: [],
      output: "Sunny, 24 °C.",
      fault: null,
    };
  }
}
