import {
  clipText,
  flowLimits,
  innerStepsOf,
  renderFault,
  type FlowBlock,
  type FlowStep,
  type FlowStepRun,
} from "@carrel/contracts";
import { toolFault } from "../tool-fault.ts";
import { ToolError } from "../tool.ts";
import {
  deniedFault,
  measure,
  titleOf,
  tooLarge,
  type FlowPorts,
  type FlowRequest,
} from "./block.ts";
import { runCode, runInstruction, runSearch } from "./producers.ts";
import { runApiCall, runWebScraping } from "./requests.ts";
import { parseIfJson, readValue, showValue, substitute } from "./substitute.ts";
import { runCondition, runTransform } from "./transform.ts";

/** UTF-16 units of a result in the record of a block. */
const longestResult = 5_000;
/** Blocks that run, with those of loops and other flows. */
const mostRuns = 5_000;
/** Of those, how many are recorded. */
const mostRecorded = 500;

export interface FlowOptions {
  steps: readonly FlowStep[];
  /** Values of the start's variables, instead of their defaults. */
  inputs: Readonly<Record<string, string>>;
  ports: FlowPorts;
  signal: AbortSignal;
  /** The ID of the block to start from, with the variables of a run before. */
  from?: string | undefined;
  variables?: Readonly<Record<string, unknown>>;
  /** Default: `flowLimits.minutes`. */
  milliseconds?: number;
  /** Before each block of the flow itself: how many of how many are done. */
  progress?(done: number, total: number): void;
}

export interface FlowOutcome {
  steps: FlowStepRun[];
  variables: Record<string, unknown>;
  /** What the flow returns; null if it failed. */
  output: string | null;
  /** Whether a block's direct output is the result. */
  isDirect: boolean;
  error: ToolError | null;
}

/** What a list of blocks came to; `direct` ends the flow. */
interface Ended {
  last: unknown;
  direct: { value: unknown } | null;
}

/** The values that a flow starts with. */
export function startVariables(
  steps: readonly FlowStep[],
  inputs: Readonly<Record<string, string>>,
): Map<string, unknown> {
  const variables = new Map<string, unknown>();
  for (const step of steps)
    if (step.type === "start")
      for (const { name, value } of step.config.variables)
        if (name.trim() !== "") variables.set(name.trim(), value);
  for (const [name, value] of Object.entries(inputs)) variables.set(name, value);
  return variables;
}

/**
 * Runs a flow's blocks in order. The first direct output ends it. Rejects with the signal's reason
 * if that is aborted; what fails in the flow is in the outcome.
 */
export async function runFlow(options: FlowOptions): Promise<FlowOutcome> {
  const { steps, inputs, signal, milliseconds = flowLimits.minutes * 60_000 } = options;
  const variables = startVariables(steps, inputs);
  for (const [name, value] of Object.entries(options.variables ?? {})) variables.set(name, value);
  const clock = new FlowClock(milliseconds);
  const { approve, admit } = options.ports;
  const shared = {
    ports: {
      ...options.ports,
      approve: (question: string, details: string) =>
        clock.pauseDuring(() => approve(question, details)),
      admit: (request: FlowRequest) => clock.pauseDuring(() => admit(request)),
    },
    signal: AbortSignal.any([signal, clock.signal]),
    runs: 0,
    records: [] as FlowStepRun[],
  };
  const run = new FlowRun(shared, variables, 1);
  const outcome = (part: Pick<FlowOutcome, "output" | "isDirect" | "error">): FlowOutcome => ({
    steps: shared.records,
    variables: Object.fromEntries(variables),
    ...part,
  });
  try {
    const ended = await run.start(options);
    const { direct } = ended;
    const output = direct === null ? run.describe(ended.last) : showValue(direct.value);
    return outcome({ output, isDirect: direct !== null, error: null });
  } catch (error) {
    signal.throwIfAborted();
    if (clock.signal.aborted)
      return outcome({
        output: null,
        isDirect: false,
        error: toolFault({
          code: "flow.timed-out",
          params: { minutes: Math.ceil(milliseconds / 60_000) },
        }),
      });
    if (!(error instanceof ToolError)) throw error;
    return outcome({ output: null, isDirect: false, error });
  } finally {
    clock.stop();
  }
}

/** How long a flow may run, not counting the time it waits for a person. */
class FlowClock {
  private readonly late = new AbortController();
  private since = performance.now();
  private timer: NodeJS.Timeout;

  constructor(private left: number) {
    this.timer = this.start();
  }

  get signal(): AbortSignal {
    return this.late.signal;
  }

  async pauseDuring<T>(wait: () => Promise<T>): Promise<T> {
    this.stop();
    this.left -= performance.now() - this.since;
    try {
      return await wait();
    } finally {
      this.since = performance.now();
      this.timer = this.start();
    }
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private start(): NodeJS.Timeout {
    return setTimeout(() => this.late.abort(), Math.max(0, this.left));
  }
}

/** What a flow and the flows in it have in common. */
interface Shared {
  ports: FlowPorts;
  signal: AbortSignal;
  runs: number;
  records: FlowStepRun[];
}

class FlowRun {
  private readonly sizes = new Map<string, number>();
  /** Variables that blocks have set, in this order. */
  private readonly results = new Set<string>();

  constructor(
    private readonly shared: Shared,
    private readonly variables: Map<string, unknown>,
    private readonly depth: number,
  ) {
    for (const [name, value] of variables) this.sizes.set(name, measure("Start", value));
  }

  async start({ steps, from, progress }: FlowOptions): Promise<Ended> {
    const first = from === undefined ? 0 : steps.findIndex((step) => holds(step, from));
    if (first < 0) throw toolFault({ code: "flow.step-not-found" });
    for (const step of steps.slice(0, first)) this.record(step, "skipped", 0, "");
    return this.runSteps(steps.slice(first), progress);
  }

  /** The result for whoever called the flow: what its blocks have found out. */
  describe(last: unknown): string {
    if (this.results.size === 0) return showValue(last);
    return [...this.results]
      .map((name) => `${name}:\n${showValue(this.variables.get(name))}`)
      .join("\n\n");
  }

  private async runSteps(
    steps: readonly FlowStep[],
    progress?: (done: number, total: number) => void,
  ): Promise<Ended> {
    let last: unknown = "";
    for (const [index, step] of steps.entries()) {
      this.shared.signal.throwIfAborted();
      progress?.(index, steps.length);
      const ended = await this.runStep(step);
      if (ended.last !== undefined) last = ended.last;
      if (ended.direct === null) continue;
      for (const skipped of steps.slice(index + 1)) this.record(skipped, "skipped", 0, "");
      return ended;
    }
    return { last, direct: null };
  }

  private async runStep(step: FlowStep): Promise<Ended> {
    const title = titleOf(step);
    this.shared.runs += 1;
    if (this.shared.runs > mostRuns)
      throw toolFault({
        code: "flow.too-many-rounds",
        params: { block: title, limit: mostRuns },
      });
    const startedAt = performance.now();
    const passed = (): number => Math.round(performance.now() - startedAt);
    try {
      const ended = await this.runBlock(step, title);
      this.record(step, "done", passed(), showValue(ended.last ?? ""));
      return ended;
    } catch (error) {
      if (error instanceof ToolError) {
        const named = nameBlock(title, error);
        const state = named.fault?.code === "flow.denied" ? "denied" : "failed";
        this.record(step, state, passed(), "", named);
        throw named;
      }
      throw error;
    }
  }

  /** What a block comes to; blocks inside others are recorded before the one that holds them. */
  private async runBlock(step: FlowStep, title: string): Promise<Ended> {
    const { ports, signal } = this.shared;
    const context = { title, variables: this.variables, ports, signal };
    switch (step.type) {
      case "start":
        return { last: undefined, direct: null };
      case "apiCall":
        return this.keep(title, await runApiCall(step, context), {
          resultVariable: step.config.responseVariable,
          directOutput: step.config.directOutput,
        });
      case "llmInstruction":
        return this.keep(title, await runInstruction(step, context), step.config);
      case "webScraping":
        return this.keep(title, await runWebScraping(step, context), step.config);
      case "carrel-search":
        return this.keep(title, await runSearch(step, context), step.config);
      case "carrel-code":
        return this.keep(title, await runCode(step, context), step.config);
      case "carrel-transform":
        return this.keep(title, runTransform(step, context), step.config);
      case "carrel-flow":
        return this.keep(title, await this.runSubFlow(step, title), step.config);
      case "carrel-condition":
        return this.runSteps(
          runCondition(step, context) ? step.config.then : step.config.otherwise,
        );
      case "carrel-loop":
        return this.runLoop(step, title);
      case "carrel-approval": {
        const [question, details] = [step.config.question, step.config.details].map((text) =>
          substitute(text, this.variables),
        ) as [string, string];
        if (!(await ports.approve(question || title, details))) throw toolFault(deniedFault(title));
        return { last: undefined, direct: null };
      }
    }
  }

  private keep(
    title: string,
    value: unknown,
    config: { resultVariable: string; directOutput: boolean },
  ): Ended {
    measure(title, value);
    this.set(title, config.resultVariable, value);
    return { last: value, direct: config.directOutput ? { value } : null };
  }

  private set(title: string, variable: string, value: unknown): void {
    const name = variable.trim();
    if (name === "") return;
    this.sizes.set(name, measure(title, value));
    const total = [...this.sizes.values()].reduce((sum, size) => sum + size, 0);
    if (total > flowLimits.variables) throw tooLarge(title);
    this.variables.set(name, value);
    this.results.delete(name);
    this.results.add(name);
  }

  private async runLoop({ config }: FlowBlock<"carrel-loop">, title: string): Promise<Ended> {
    const list = readValue(config.list, this.variables);
    if (!Array.isArray(list))
      throw toolFault({ code: "flow.list-missing", params: { block: title } });
    const item = config.itemVariable.trim() || "item";
    const before = this.variables.get(item);
    const results: unknown[] = [];
    let size = 0;
    try {
      for (const value of list.slice(0, config.maxItems)) {
        this.variables.set(item, value);
        const ended = await this.runSteps(config.steps);
        if (ended.direct !== null) return ended;
        size += measure(title, ended.last);
        if (size > flowLimits.variables) throw tooLarge(title);
        results.push(ended.last);
      }
    } finally {
      if (before === undefined) this.variables.delete(item);
      else this.variables.set(item, before);
    }
    return this.keep(title, results, { ...config, directOutput: false });
  }

  /** Another flow, with variables of its own. */
  private async runSubFlow({ config }: FlowBlock<"carrel-flow">, title: string): Promise<unknown> {
    if (this.depth >= flowLimits.depth)
      throw toolFault({
        code: "flow.nested-too-deep",
        params: { block: title, limit: flowLimits.depth },
      });
    const flow = await this.shared.ports.findFlow(config.flowId);
    if (flow === null) throw toolFault({ code: "flow.not-found" });
    const inputs = Object.fromEntries(
      config.inputs.map(({ name, value }) => [name, substitute(value, this.variables)]),
    );
    const run = new FlowRun(this.shared, startVariables(flow.steps, inputs), this.depth + 1);
    const ended = await run.runSteps(flow.steps);
    const value = ended.direct?.value ?? ended.last;
    return typeof value === "string" ? parseIfJson(value) : value;
  }

  private record(
    step: FlowStep,
    state: FlowStepRun["state"],
    milliseconds: number,
    result: string,
    error: ToolError | null = null,
  ): void {
    if (this.shared.records.length >= mostRecorded) return;
    this.shared.records.push({
      id: step.id ?? null,
      type: step.type,
      title: step.title ?? null,
      state,
      milliseconds,
      result: clipText(result, longestResult),
      fault:
        error === null
          ? null
          : (error.fault ?? {
              code: "flow.block-failed",
              params: { block: titleOf(step), reason: error.message },
            }),
    });
  }
}

const holds = (step: FlowStep, id: string): boolean =>
  step.id === id || innerStepsOf(step).some((inner) => holds(inner, id));

/** The error with the title of its block, unless it names one. */
function nameBlock(block: string, error: ToolError): ToolError {
  const { fault } = error;
  if (fault !== null && /^flow\./.test(fault.code) && fault.code !== "flow.not-found") return error;
  const named = {
    code: "flow.block-failed",
    params: { block, reason: fault ?? error.message },
  } as const;
  // The model reads what its own code did, too.
  return new ToolError(
    fault === null ? renderFault(named) : `${block} failed: ${error.message}`,
    named,
    {
      cause: error,
    },
  );
}
