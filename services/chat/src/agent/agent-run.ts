import { clipText, longestStepText, type AgentSettings, type RunStep } from "@carrel/contracts";
import { ToolError, type Tool, type ToolCall, type ToolResult } from "@carrel/skills";
import type { AnswerTask } from "../answer/answerer.ts";
import type { PlacedUse } from "../usage/usage-record.ts";
import type { ApprovalDesk } from "./approval-desk.ts";
import { CallEnded } from "./call-ended.ts";
import { describeObject, readAgain } from "./call-input.ts";
import { CallTimeout, describeToolFault, rejectWhenAborted } from "./call-timeout.ts";
import { buildNewSteps, type CallingReply } from "./new-steps.ts";
import { RunClock } from "./run-clock.ts";
import { RunLostError, type RunStepRepository, type StoredStep } from "./run-step.repository.ts";
import { StepNotes } from "./step-notes.ts";
import { callKey, readToolInput } from "./tool-input.ts";
import {
  isDescribedByOthers,
  listRead,
  listTypedAddresses,
  listWords,
  normaliseAddress,
  readsPrivate,
} from "./trust.ts";

type ToolStep = Extract<StoredStep, { kind: "tool" }>;

/** Steps that run at the same time. */
const parallelCalls = 4;
/** How long one call may take, in ms, not counting the time it waits for a person. */
const callTimeoutMs = 5 * 60_000;
/** How often the same call may be made. */
const maxRepeats = 2;
const progressEveryMs = 500;

/** Ends the attempts of a model that calls in vain. */
export interface RunLimits {
  /** Calls so far. */
  calls: number;
  /** Inputs in a row that were malformed or invalid. */
  invalid: number;
  /** Calls that were made before. */
  repeated: number;
}

/** The steps of one answer: recorded before and after each happens, so that a run can go on. */
export class AgentRun {
  private readonly rows: StoredStep[] = [];
  private readonly resumed = new Set<ToolStep>();
  /** The inputs of calls that were made, as their tools read them. */
  private readonly inputs = new WeakMap<ToolStep, unknown>();
  /** The number that each call gave its first source. */
  private readonly firstSources = new WeakMap<ToolStep, number>();
  private readonly done = new Map<string, { times: number; step: number }>();
  readonly clock = new RunClock();
  readonly limits: RunLimits = { calls: 0, invalid: 0, repeated: 0 };
  readonly trust: {
    hasReadUntrusted: boolean;
    hasReadPrivate: boolean;
    readonly knownAddresses: Set<string>;
    readonly typedWords: Set<string>;
    readonly approved: Set<string>;
  };

  constructor(
    private readonly task: AnswerTask,
    private readonly tools: readonly Tool[],
    private readonly settings: Pick<AgentSettings, "rules">,
    private readonly repository: RunStepRepository,
    private readonly desk: ApprovalDesk,
  ) {
    const typed = [...task.history.map(({ question }) => question), task.question];
    this.trust = {
      ...listRead(task),
      knownAddresses: new Set(typed.flatMap(listTypedAddresses)),
      typedWords: new Set(typed.flatMap(listWords)),
      approved: new Set(),
    };
    // The same object: the answer's turn records what the run has read by its end.
    task.draft.read = this.trust;
  }

  get steps(): readonly StoredStep[] {
    return this.rows;
  }

  /** The whole result of a step that has ended. */
  findResult(id: number): string | null {
    const found = this.rows.find(
      (row): row is ToolStep => row.kind === "tool" && row.result.step.id === id,
    );
    return found?.result.text ?? null;
  }

  /** Takes up the steps of an earlier run of this answer, and shows them again. */
  async restore(): Promise<void> {
    if (!this.task.isResumed) return;
    const rows = await this.repository.load(this.task.turnId);
    if (rows.length === 0) return;
    const { draft, output } = this.task;
    await output.rewind(0);
    for (const row of rows) {
      this.rows.push(row);
      if (row.kind === "model") {
        const text = draft.text.restore(row.call.written);
        output.sendText(text, draft.text.takeChanges());
        draft.noteSpent(row.call.tokens);
        continue;
      }
      const { text, hasStarted, approvalKey } = row.result;
      // One that still waits is decided anew, with the same outcome.
      const wasAdmitted = text !== null || hasStarted === true;
      if (wasAdmitted && row.decision === "run" && approvalKey !== undefined)
        this.trust.approved.add(approvalKey);
      if (text === null) this.resumed.add(row);
      else this.noteEnd(row);
    }
    this.limits.calls = this.toolSteps.length;
    if (draft.sources.length > 0) output.sendSources(draft.sources);
    this.show();
    for (const row of this.toolSteps) output.sendStep(row.result.step);
  }

  /** Records a reply that calls tools, what it used, and the calls, before they are made. */
  async record(reply: CallingReply, use: PlacedUse): Promise<void> {
    const added = buildNewSteps(reply, {
      position: this.rows.length + 1,
      id: this.limits.calls + 1,
      at: this.task.draft.text.length,
      skillOf: (tool) => this.findTool(tool)?.skill ?? "",
    });
    await this.repository.add(this.task.turnId, added, use);
    this.rows.push(...added);
    this.limits.calls += reply.calls.length;
    this.show();
    for (const row of added) if (row.kind === "tool") this.task.output.sendStep(row.result.step);
  }

  /** Makes the recorded calls that haven't ended: those that only read at the same time. */
  async execute(): Promise<void> {
    const pending = this.toolSteps.filter(({ result }) => result.text === null);
    while (pending.length > 0) {
      const first = pending.shift()!;
      const batch = [first];
      if (this.isParallel(first))
        while (pending.length > 0 && batch.length < parallelCalls && this.isParallel(pending[0]!))
          batch.push(pending.shift()!);
      await Promise.all(batch.map((row) => this.runStep(row)));
    }
  }

  private get toolSteps(): ToolStep[] {
    return this.rows.filter((row): row is ToolStep => row.kind === "tool");
  }

  private isParallel({ call }: ToolStep): boolean {
    const tool = this.findTool(call.name);
    return (
      tool !== null && tool.effect === "none" && tool.isRepeatable && tool.approval === "never"
    );
  }

  private findTool(name: string): Tool | null {
    return this.tools.find((tool) => tool.name === name) ?? null;
  }

  /** Shows the change of a step. */
  private change(row: ToolStep, part: Partial<RunStep>): void {
    row.result = { ...row.result, step: { ...row.result.step, ...part } };
    this.show();
    this.task.output.sendStep(row.result.step);
  }

  private show(): void {
    this.task.draft.steps = this.toolSteps.map(({ result }) => result.step);
  }

  private async runStep(row: ToolStep): Promise<void> {
    const clock = new RunClock();
    let ended: Pick<ToolStep["result"], "text"> & { part: Partial<RunStep>; result?: ToolResult };
    try {
      const result = await this.makeCall(row, clock);
      ended = { text: result.text, result, part: { state: "done", outputs: result.outputs ?? [] } };
    } catch (error) {
      this.task.signal.throwIfAborted();
      if (error instanceof RunLostError) throw error;
      if (error instanceof CallEnded) ended = { text: error.message, part: error.part };
      else {
        const { text, fault } = describeToolFault(error, this.desk.reportUnknown);
        ended = { text, part: { state: "failed", fault } };
      }
    }
    const tool = this.findTool(row.call.name);
    // A fault may quote what the tool has read.
    const hasRead = tool !== null && this.inputs.has(row);
    const sources = ended.result?.sources ?? [];
    const text = sources.length === 0 ? ended.text : this.renumber(row, ended.text ?? "");
    row.result = {
      ...row.result,
      text,
      sources,
      addresses: ended.result?.addresses ?? [],
      isUntrusted: hasRead && tool.isUntrusted,
      isPrivate: hasRead && readsPrivate(tool),
      ...(ended.result?.isFinal === true && { isFinal: true }),
      step: {
        ...row.result.step,
        ...ended.part,
        progress: null,
        note: null,
        result: clipText(text ?? "", longestStepText),
        milliseconds: Math.round(clock.milliseconds),
      },
    };
    this.noteEnd(row);
    // Before it is shown: otherwise another replica might take back an end that the person has seen.
    await this.repository.update(this.task.turnId, row.position, row.result, {
      // After a crash of PostgreSQL, it would be made again, which is harmless.
      mayBeLost: tool?.isRepeatable === true,
    });
    this.change(row, {});
    // One that an earlier run had started ends here, too.
    if (tool !== null && (this.inputs.has(row) || row.result.hasStarted === true))
      await this.desk.auditCall(
        this.task,
        tool,
        this.inputs.get(row) ?? readAgain(tool, row.call.input),
        row.result.step.state,
      );
  }

  /** Calls that ran at the same time have numbered their sources alike. */
  private renumber(row: ToolStep, text: string): string {
    const shift = this.task.draft.sources.length + 1 - (this.firstSources.get(row) ?? 1);
    return shift === 0
      ? text
      : text.replace(
          /\[(END )?CONTEXT (\d+)\]/g,
          (_, end: string | undefined, number: string) =>
            `[${end ?? ""}CONTEXT ${Number(number) + shift}]`,
        );
  }

  /** What a call that has ended means for the calls after it. */
  private noteEnd(row: ToolStep): void {
    const { call, result } = row;
    const { draft, output } = this.task;
    if (result.isUntrusted) this.trust.hasReadUntrusted = true;
    if (result.isPrivate) this.trust.hasReadPrivate = true;
    for (const address of result.addresses)
      this.trust.knownAddresses.add(normaliseAddress(address));
    if (result.sources.length > 0) {
      draft.setSources([...draft.sources, ...result.sources]);
      output.sendSources(draft.sources);
    }
    const tool = this.findTool(call.name);
    // Another attempt at what failed or wasn't allowed may go better.
    if (tool === null || result.step.state !== "done") return;
    const key = callKey(call.name, this.inputs.get(row) ?? readAgain(tool, call.input));
    const times = (this.done.get(key)?.times ?? 0) + 1;
    this.done.set(key, { times, step: this.done.get(key)?.step ?? result.step.id });
  }

  /** Throws ToolError or CallEnded for whatever keeps the call from being made. */
  private async makeCall(row: ToolStep, clock: RunClock): Promise<ToolResult> {
    const { call } = row;
    const tool = this.findTool(call.name);
    // Whatever its tool says now, and also if it was interrupted while it asked the person something.
    if (this.resumed.delete(row) && row.result.hasStarted === true)
      throw new CallEnded(
        "Carrel was interrupted during this call, so its outcome is unknown: it may or may not have had an effect. Don't repeat it without asking the person.",
        { state: "unknown", fault: { code: "tool.outcome-unknown" } },
      );
    if (tool === null)
      throw new ToolError(
        `There is no tool called ${call.name}. The tools are: ${this.tools.map(({ name }) => name).join(", ")}.`,
        { code: "tool.unknown", params: { tool: call.name } },
      );
    let input: unknown;
    try {
      input = readToolInput(tool, call.input);
      this.limits.invalid = 0;
    } catch (error) {
      this.limits.invalid += 1;
      throw error;
    }
    const earlier = this.done.get(callKey(call.name, input));
    if (earlier !== undefined && earlier.times >= maxRepeats) {
      this.limits.repeated += 1;
      throw new ToolError(
        `This call was made before, as step ${earlier.step}, and would give the same result. Use that result, or do something else.`,
        { code: "tool.repeated" },
      );
    }
    this.change(row, { object: describeObject(tool, input) });
    if (this.tools.some(isDescribedByOthers)) this.trust.hasReadUntrusted = true;
    await this.pauseDuring(clock, () =>
      this.desk.admit(this.task, row, tool, input, {
        trust: this.trust,
        rule: this.settings.rules[tool.skill],
        change: (part) => this.change(row, part),
      }),
    );
    if (!tool.isRepeatable) {
      await this.repository.start(this.task.turnId, row.position, row.result);
      row.result = { ...row.result, hasStarted: true };
    }
    await this.desk.auditCall(this.task, tool, input, null);
    return this.callTool(row, clock, tool, input);
  }

  /** Waits for the person, which counts neither for the run nor for the step with this clock. */
  private pauseDuring<T>(clock: RunClock, work: () => Promise<T>): Promise<T> {
    return this.clock.pauseDuring(() => clock.pauseDuring(work));
  }

  private async callTool(
    row: ToolStep,
    clock: RunClock,
    tool: Tool,
    input: unknown,
  ): Promise<ToolResult> {
    const { task } = this;
    this.inputs.set(row, input);
    // The time that the person takes doesn't count.
    const { skill, timeoutMs = callTimeoutMs } = tool;
    const timeout = new CallTimeout(skill === "request-user-input" ? null : timeoutMs);
    const signal = AbortSignal.any([task.signal, timeout.signal]);
    let shownAt = 0;
    const notes = new StepNotes((note) => this.change(row, { note }));
    this.firstSources.set(row, task.draft.sources.length + 1);
    const context: ToolCall = {
      signal,
      key: `${task.generationId}:${row.position}`,
      nextSource: task.draft.sources.length + 1,
      progress: (done, total) => {
        const now = performance.now();
        if (now - shownAt < progressEveryMs || total <= 0) return;
        shownAt = now;
        this.change(row, { progress: { done, total } });
      },
      note: (text) => notes.add(text),
      ask: (questions) =>
        timeout.pauseDuring(() =>
          this.pauseDuring(clock, () =>
            this.desk.ask(task, row, questions, (part) => this.change(row, part)),
          ),
        ),
      isApproved: (part) => this.desk.isApproved(task, tool, part),
    };
    try {
      return await Promise.race([tool.run(input, context), rejectWhenAborted(signal)]);
    } catch (error) {
      if (timeout.signal.aborted && !task.signal.aborted)
        throw new ToolError("The call took too long and was stopped.", { code: "tool.timed-out" });
      throw error;
    } finally {
      timeout.stop();
      notes.stop();
    }
  }
}
