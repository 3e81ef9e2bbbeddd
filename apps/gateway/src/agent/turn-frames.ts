import {
  renderFault,
  splitOwnTags,
  type GenerationFrame,
  type RunStep,
  type SourceWire,
  type StepOutput,
} from "@carrel/contracts";

/** A frame to a client of the agents' socket (wire-contract 5.3). */
export type SocketFrame = Readonly<Record<string, unknown>>;

export const statusFrame = (content: string): SocketFrame => ({
  type: "statusResponse",
  content,
  animate: true,
});
export const failureFrame = (content: string): SocketFrame => ({ type: "wssFailure", content });
export const waitingFrame = (): SocketFrame => ({
  type: "WAITING_ON_INPUT",
  question: "Reply to @agent, or type /exit to end the session.",
});
const report = (content: SocketFrame): SocketFrame => ({ type: "reportStreamEvent", content });

/** The ID of a question to the person; `readRequestId` reads the step from it. */
const requestIdOf = (generationId: string, step: number): string => `${generationId}:${step}`;
export function readRequestId(text: string): { generationId: string; step: number } | null {
  const found = /^([\da-f-]{36}):(\d{1,9})$/.exec(text);
  return found === null ? null : { generationId: found[1]!, step: Number(found[2]) };
}

/** What the client has been told of a step. */
interface Told {
  call: string | null;
  /** Which question about it the client has been asked: its kind, and until when it waits. */
  asked: string | null;
  /** What it says it is doing. */
  note: string | null;
  hasEnded: boolean;
}

/**
 * One answer as existing clients of both eras read it: those of today from reports, those of 2025
 * from the plain message at its end (wire-contract 5.3 and 5.4). `add` takes the frames of a
 * generation in order.
 */
export class TurnFrames {
  /** Why the answer failed, in English. */
  failure: string | null = null;
  /** Whether the answer has ended. */
  hasEnded = false;
  private text = "";
  private sources: SourceWire[] = [];
  private readonly told = new Map<number, Told>();

  constructor(
    private readonly generationId: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** The text so far is shown from the start: by a connection that may have shown some of it. */
  restart(): SocketFrame[] {
    this.text = "";
    this.failure = null;
    this.hasEnded = false;
    this.told.clear();
    return [report({ type: "removeStatusResponse", uuid: this.generationId })];
  }

  add(frame: GenerationFrame): SocketFrame[] {
    if (!("type" in frame)) return [{ type: "rename_thread", content: { ...frame.thread } }];
    switch (frame.type) {
      case "generationStarted":
        // A lost stream begins again.
        return this.text === "" ? [] : this.restart();
      case "generationStep":
        return this.addStep(frame.step);
      case "generationRewind":
        return this.rewind(frame.to);
      case "textResponseChunk":
        if (frame.close) this.sources = frame.sources;
        return this.addText(frame.textResponse);
      case "textResponse":
        return this.replyWhole(frame.textResponse, frame.chatId);
      case "statusResponse":
        return [statusFrame(frame.textResponse)];
      case "abort":
        this.failure = frame.error;
        this.hasEnded = true;
        return [];
      case "finalizeResponseStream":
        this.hasEnded = true;
        return [
          this.report("usageMetrics", { metrics: frame.metrics }),
          ...(this.sources.length === 0
            ? []
            : [this.report("citations", { citations: this.sources })]),
          ...this.chatIdOf(frame.chatId),
          ...plainMessage(splitOwnTags(this.text).answer.trim()),
        ];
      default:
        return [];
    }
  }

  private report(type: string, fields: SocketFrame): SocketFrame {
    return report({ type, uuid: this.generationId, ...fields });
  }

  private chatIdOf(chatId: number | undefined): SocketFrame[] {
    return chatId === undefined ? [] : [this.report("chatId", { chatId })];
  }

  private addText(content: string): SocketFrame[] {
    this.text += content;
    return content === "" ? [] : [this.report("textResponseChunk", { content })];
  }

  private rewind(to: number): SocketFrame[] {
    const kept = this.text.slice(0, to);
    if (kept === this.text) return [];
    this.text = "";
    return [
      report({ type: "removeStatusResponse", uuid: this.generationId }),
      ...this.addText(kept),
    ];
  }

  private replyWhole(content: string, chatId: number | undefined): SocketFrame[] {
    this.text = content;
    this.hasEnded = true;
    return [
      this.report("fullTextResponse", { content }),
      ...this.chatIdOf(chatId),
      ...plainMessage(content),
    ];
  }

  private addStep(step: RunStep): SocketFrame[] {
    const told = this.told.get(step.id) ?? {
      call: null,
      asked: null,
      note: null,
      hasEnded: false,
    };
    this.told.set(step.id, told);
    const frames: SocketFrame[] = [];
    const call = describeCall(step);
    if (told.call !== call && !told.hasEnded) {
      told.call = call;
      frames.push(
        report({
          type: "toolCallInvocation",
          uuid: `${this.generationId}:tool_call_invocation`,
          content: `Calling ${call}`,
        }),
      );
      // What it is about is known once its input has been checked.
      if (step.object !== null || step.state !== "running")
        frames.push(statusFrame(`@agent calls ${call}`));
    }
    if (step.note && step.note !== told.note) {
      told.note = step.note;
      frames.push(statusFrame(step.note));
    }
    const question = step.state === "waiting" ? openQuestion(step) : null;
    if (question !== null) {
      const request = this.ask(step, question);
      const asked = `${String(request.type)} ${question.expiresAt}`;
      if (told.asked !== asked) frames.push(request);
      told.asked = asked;
    }
    if (hasEnded(step) && !told.hasEnded) {
      told.hasEnded = true;
      frames.push(...this.endStep(step));
    }
    return frames;
  }

  private ask({ id, skill, tool }: RunStep, question: Question): SocketFrame {
    const common = {
      requestId: requestIdOf(this.generationId, id),
      timeoutMs: Math.max(0, Date.parse(question.expiresAt) - this.now()),
    };
    return "questions" in question
      ? {
          type: "clarificationRequest",
          questions: question.questions,
          allowSkip: true,
          ...common,
        }
      : {
          type: "toolApprovalRequest",
          skillName: tool === "" ? skill : tool,
          payload: Object.fromEntries(question.details.map(({ label, value }) => [label, value])),
          description: describeApproval(question),
          ...common,
        };
  }

  private endStep(step: RunStep): SocketFrame[] {
    if (step.state !== "done") return [statusFrame(describeFailure(step))];
    return step.outputs.flatMap(showOutput);
  }
}

type Question = NonNullable<RunStep["approval"]> | NonNullable<RunStep["form"]>;

/** What the person is asked about a step that waits. */
function openQuestion({ approval, form }: RunStep): Question | null {
  if (approval !== null && approval.decision === null) return approval;
  return form !== null && form.answers === null ? form : null;
}

export const hasEnded = ({ state }: RunStep): boolean => state !== "running" && state !== "waiting";

/** A call in a few words. */
export const describeCall = ({ tool, object }: RunStep): string =>
  object === null ? tool : `${tool}: ${object}`;

/** Why a call has no result. */
export const describeFailure = ({ tool, fault }: RunStep): string =>
  `${tool}: ${fault === null ? "It was stopped." : renderFault(fault)}`;

const reasons = {
  untrusted: "This answer has read content of others, which may have asked for this call.",
  outside: "This call sends or changes something.",
  required: "An admin wants you to be asked about this call.",
} as const;

const describeApproval = ({ reason, destination }: NonNullable<RunStep["approval"]>): string =>
  destination === null ? reasons[reason] : `${reasons[reason]} It goes to ${destination}.`;

type OutputOf<Type extends StepOutput["type"]> = Extract<StepOutput, { type: Type }>;

/** A chart as clients of this wire read it (wire-contract 5.3). */
export const describeChart = ({ chart, rows, title, caption }: OutputOf<"chart">) => ({
  type: chart,
  dataset: JSON.stringify(rows),
  title,
  ...(caption !== undefined && { caption }),
});

/** A file as clients of this wire read it (wire-contract 5.3). */
export const describeFile = ({ name, file, size }: OutputOf<"file">) => ({
  filename: name,
  storageFilename: file,
  fileSize: size,
});

/** Clients of this wire have no tables; the answer's text has what matters of them. */
function showOutput(output: StepOutput): SocketFrame[] {
  switch (output.type) {
    case "chart":
      return [{ type: "rechartVisualize", content: describeChart(output) }];
    case "file":
      return [{ type: "fileDownloadCard", content: describeFile(output) }];
    case "schedule": {
      const { id: jobId, name: jobName, schedule, nextAt: nextRun } = output;
      return [{ type: "scheduledJobCreated", content: { jobId, jobName, schedule, nextRun } }];
    }
    default:
      return [];
  }
}

/** Clients of 2025 show only this; those of today only where they have had no report. */
const plainMessage = (content: string): SocketFrame[] =>
  content === "" ? [] : [{ from: "@agent", to: "USER", content, state: "success" }];
