import {
  clipText,
  flowLimits,
  type FlowBlock,
  type FlowStep,
  type FlowStepRun,
} from "@carrel/contracts";
import { toolFault } from "../tool-fault.ts";
import { ToolError } from "../tool.ts";
import { flowOf, type BlockFlow } from "./block-flow.ts";
import {
  faultOf,
  measure,
  nameBlock,
  titleOf,
  tooLarge,
  type BlockContext,
  type BlockPlace,
  type FlowPorts,
  type FlowRequest,
} from "./block.ts";
import { runCondition } from "./compare.ts";
import { EventLoopTurns } from "./event-loop-turns.ts";
import { FlowClock } from "./flow-clock.ts";
import {
  blockStateOf,
  isRecorded,
  isRepeatableBlock,
  runStateOf,
  type EndedBlock,
  type FlowJournal,
} from "./flow-journal.ts";
import { performBlock } from "./perform-block.ts";
import { startFrom } from "./start-from.ts";
import { checkStart, startVariables } from "./start-variables.ts";
import { parseIfJson, readValue, showValue, substitute } from "./substitute.ts";

/** UTF-16 units of a result in the record of a block. */
const longestResult = 5_000;
/** Blocks that run, with those of loops and other flows. */
const mostRuns = 5_000;
/** Of those, how many are recorded. */
const mostRecorded = 500;

export interface FlowOptions {
  /** Null if the flow was never saved. */
  flowId: string | null;
  steps: readonly FlowStep[];
  /** Values of the start's variables, instead of their defaults. */
  inputs: Readonly<Record<string, string>>;
  ports: FlowPorts;
  signal: AbortSignal;
  /** The ID of the block to start from, with the variables of a run before. */
  from?: string | undefined;
  variables?: Readonly<Record<string, unknown>>;
  /** What it returns without a direct output: its last result, or, for a model, those of all blocks. */
  returns?: "last" | "all";
  /** Default: `flowLimits.minutes`. */
  milliseconds?: number;
  journal?: FlowJournal;
  /** Before each block of the flow itself: how many of how many are done. */
  progress?(done: number, total: number): void;
}

export interface FlowOutcome {
  state: "done" | "failed" | "denied";
  steps: FlowStepRun[];
  variables: Record<string, unknown>;
  /** What the flow returns; null if it failed. */
  output: string | null;
  /** Whether a block's direct output is the result. */
  isDirect: boolean;
  error: ToolError | null;
}

/** What blocks came to: the last result, if any; `direct` is one that ends the flow. */
interface Ended {
  last: unknown;
  direct: { value: unknown } | null;
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
      approve: (question: string, details: string, block: BlockPlace) =>
        clock.pauseDuring(() => approve(question, details, block)),
      admit: (request: FlowRequest, block: BlockPlace) =>
        clock.pauseDuring(() => admit(request, block)),
    },
    journal: options.journal ?? null,
    signal: AbortSignal.any([signal, clock.signal]),
    turns: new EventLoopTurns(),
    runs: 0,
    records: [] as FlowStepRun[],
  };
  const run = new FlowRun(shared, flowOf(options.flowId, steps), variables, 1);
  const outcome = (part: Pick<FlowOutcome, "output" | "isDirect" | "error">): FlowOutcome => ({
    state: part.error === null ? "done" : runStateOf(part.error),
    steps: shared.records,
    variables: Object.fromEntries(variables),
    ...part,
  });
  try {
    const { direct, last = "" } = await run.start(options);
    const isAll = direct === null && options.returns === "all";
    const output = isAll ? run.describe(last) : showValue(last);
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

/** What a flow and the flows in it have in common. */
interface Shared {
  ports: FlowPorts;
  journal: FlowJournal | null;
  signal: AbortSignal;
  turns: EventLoopTurns;
  runs: number;
  records: FlowStepRun[];
}

class FlowRun {
  private readonly sizes = new Map<string, number>();
  /** Variables that blocks have set, in this order. */
  private readonly results = new Set<string>();

  constructor(
    private readonly shared: Shared,
    private readonly flow: BlockFlow,
    private readonly variables: Map<string, unknown>,
    private readonly depth: number,
  ) {
    for (const [name, value] of variables) this.sizes.set(name, measure("Start", value));
  }

  async start({ steps, from, progress }: FlowOptions): Promise<Ended> {
    const late = from === undefined ? { steps, skipped: [] } : startFrom(steps, from);
    if (late === null) throw toolFault({ code: "flow.step-not-found" });
    for (const step of late.skipped) this.record(step, "skipped", 0, "");
    return this.runSteps(late.steps, "", progress);
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
    /** Of the paths of its blocks. */
    prefix: string,
    progress?: FlowOptions["progress"],
  ): Promise<Ended> {
    let last: unknown;
    for (const [index, step] of steps.entries()) {
      await this.shared.turns.give();
      this.shared.signal.throwIfAborted();
      progress?.(index, steps.length);
      const ended = await this.runStep({ path: `${prefix}${index}`, step });
      if (ended.last !== undefined) last = ended.last;
      if (ended.direct === null) continue;
      for (const skipped of steps.slice(index + 1)) this.record(skipped, "skipped", 0, "");
      return ended;
    }
    return { last, direct: null };
  }

  private async runStep(block: BlockPlace): Promise<Ended> {
    const { step } = block;
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
      const ended = await this.runBlock(block, title);
      await this.end(block, "done", passed(), ended.last);
      return ended;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const named = nameBlock(title, error);
      await this.end(block, blockStateOf(named), passed(), undefined, named);
      throw named;
    }
  }

  /** What a block comes to; blocks inside others are recorded before the one that holds them. */
  private async runBlock({ path, step }: BlockPlace, title: string): Promise<Ended> {
    switch (step.type) {
      case "start":
        checkStart(step, this.variables);
        return { last: undefined, direct: null };
      case "carrel-condition": {
        const isMet = runCondition(step, this.contextFor({ path, step }, title));
        return isMet
          ? this.runSteps(step.config.then, `${path}.then.`)
          : this.runSteps(step.config.otherwise, `${path}.otherwise.`);
      }
      case "carrel-loop":
        return this.runLoop(step, title, path);
      case "carrel-flow":
        return this.keep(title, await this.runSubFlow(step, title, path), step.config);
      case "carrel-approval":
        await this.produce({ path, step }, title);
        return { last: undefined, direct: null };
      default: {
        const value = await this.produce({ path, step }, title);
        return this.keep(title, value, {
          resultVariable:
            step.type === "apiCall" ? step.config.responseVariable : step.config.resultVariable,
          directOutput: step.config.directOutput,
        });
      }
    }
  }

  /** The recorded result of a block, or what it comes to now. */
  private async produce(block: BlockPlace, title: string): Promise<unknown> {
    const { journal } = this.shared;
    const recorded = journal?.recorded.get(block.path);
    if (recorded?.state === "done") return recorded.value;
    if (recorded?.state === "sent")
      throw toolFault({ code: "flow.outcome-unknown", params: { block: title } });
    if (journal !== null && block.step.type !== "carrel-transform") {
      await journal.begin(block);
      this.shared.signal.throwIfAborted();
    }
    return performBlock(block.step, this.contextFor(block, title), (question, details) =>
      this.shared.ports.approve(question, details, block),
    );
  }

  private contextFor(block: BlockPlace, title: string): BlockContext {
    const { ports, signal, turns, journal } = this.shared;
    const { content, model, search, secrets, sources } = ports;
    const admit = async (request: FlowRequest): Promise<boolean> => {
      if (!(await ports.admit(request, block))) return false;
      if (!isRepeatableBlock(block.step)) await journal?.send(block);
      return true;
    };
    return {
      title,
      flow: this.flow,
      variables: this.variables,
      ports: { content, model, search, secrets, sources, admit },
      turns,
      signal,
    };
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

  private async runLoop(
    { config }: FlowBlock<"carrel-loop">,
    title: string,
    path: string,
  ): Promise<Ended> {
    const list = readValue(config.list, this.variables);
    if (!Array.isArray(list))
      throw toolFault({ code: "flow.list-missing", params: { block: title } });
    const item = config.itemVariable.trim() || "item";
    const before = this.variables.get(item);
    const results: unknown[] = [];
    let size = 0;
    try {
      for (const [round, value] of list.slice(0, config.maxItems).entries()) {
        this.variables.set(item, value);
        const { direct, last = "" } = await this.runSteps(config.steps, `${path}.${round}.`);
        if (direct !== null) return { direct, last };
        size += measure(title, last);
        if (size > flowLimits.variables) throw tooLarge(title);
        results.push(last);
      }
    } finally {
      if (before === undefined) this.variables.delete(item);
      else this.variables.set(item, before);
    }
    return this.keep(title, results, { ...config, directOutput: false });
  }

  /** Another flow, with separate variables. */
  private async runSubFlow(
    { config }: FlowBlock<"carrel-flow">,
    title: string,
    path: string,
  ): Promise<unknown> {
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
    const run = new FlowRun(
      this.shared,
      flowOf(config.flowId, flow.steps),
      startVariables(flow.steps, inputs),
      this.depth + 1,
    );
    const { last = "" } = await run.runSteps(flow.steps, `${path}.flow.`);
    return typeof last === "string" ? parseIfJson(last) : last;
  }

  private async end(
    { path, step }: BlockPlace,
    state: EndedBlock["state"],
    milliseconds: number,
    value: unknown,
    error: ToolError | null = null,
  ): Promise<void> {
    const result = showValue(value ?? "");
    this.record(step, state === "unknown" ? "failed" : state, milliseconds, result, error);
    const { journal } = this.shared;
    if (journal === null || journal.recorded.get(path)?.state === "done") return;
    const { id = null, type, title = null } = step;
    await journal.end({
      path,
      id,
      type,
      title,
      state,
      milliseconds,
      value: isRecorded(step) ? value : undefined,
      result: clipText(result, longestResult),
      fault: error === null ? null : faultOf(step, error),
    });
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
      fault: error === null ? null : faultOf(step, error),
    });
  }
}
