import {
  answerStep,
  decideStep,
  readStep,
  type GenerationFrame,
  type RunStep,
  type TurnWire,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

/** An answer that the fake gateway is writing. */
export interface Running {
  id: string;
  chatId: number;
  frames: string[];
  ended: boolean;
  listeners: Set<() => void>;
  slug: string;
  thread: string;
}

/** Text, a step in one of its states, or the position from which the text is withdrawn. */
export type ScriptPart = string | RunStep | { rewind: number };

/** A finished search, or with these changes another step. */
export const fakeStep = (id: number, changes: Partial<RunStep> = {}): RunStep => ({
  id,
  at: 0,
  skill: "rag-memory",
  tool: "search-documents",
  state: "done",
  object: "flow temperature",
  input: '{"query":"flow temperature"}',
  result: "4 passages of 2 documents",
  fault: null,
  progress: null,
  milliseconds: 1_200,
  approval: null,
  form: null,
  outputs: [],
  ...changes,
});

/** An answer with steps as frames. Steps get the position that the text has reached. */
export function scriptFrames(uuid: string, parts: readonly ScriptPart[]): GenerationFrame[] {
  let length = 0;
  const places = new Map<number, number>();
  return parts.map((part): GenerationFrame => {
    if (typeof part === "string") {
      length += part.length;
      return {
        type: "textResponseChunk",
        uuid,
        textResponse: part,
        sources: [],
        close: false,
        error: false,
      };
    }
    if ("rewind" in part) {
      length = part.rewind;
      return { type: "generationRewind", to: part.rewind };
    }
    const at = places.get(part.id) ?? length;
    places.set(part.id, at);
    return { type: "generationStep", step: { ...part, at } };
  });
}

const stepsOf = (frames: readonly string[]): RunStep[] => {
  const steps = new Map<number, RunStep>();
  for (const data of frames) {
    const frame = JSON.parse(data) as GenerationFrame;
    if (!("type" in frame)) continue;
    if (frame.type === "generationStep") steps.set(frame.step.id, frame.step);
    if (frame.type === "generationRewind")
      for (const { id, at } of steps.values()) if (at > frame.to) steps.delete(id);
  }
  return [...steps.values()];
};

/** The steps as the server records them. */
export function recordSteps(frames: readonly string[]): Pick<TurnWire, "steps"> {
  const steps = stepsOf(frames);
  return steps.length === 0 ? {} : { steps };
}

/** Whether the run waits for the person. */
export const isWaiting = ({ frames }: Running): boolean =>
  stepsOf(frames).some(({ state }) => state === "waiting");

/** What a person decides and answers while a run waits, and what they read of its steps. */
export class FakeSteps {
  /** What persons have decided and answered. */
  readonly sent: Record<string, unknown>[] = [];
  constructor(private readonly find: (id: string) => Running | undefined) {}

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const is = matcher(call);
    let match: RegExpExecArray | null;
    if ((match = is("GET", /^\/agent-skills\/generated-files\/([^/]+)$/)))
      return answered(call.text(`The file ${match[1]}`));
    match = /^\/generation\/([^/]+)\/step\/(\d+)(?:\/(?:decision|answers))?$/.exec(call.path);
    if (!match) return false;
    const run = this.find(match[1]!);
    const step = run && stepsOf(run.frames).find(({ id }) => id === Number(match[2]));
    if (call.method === "GET")
      return answered(
        call.reply(readStep, {
          input: step?.input ?? "{}",
          result: `${step?.result ?? ""} … and the rest`,
        }),
      );
    this.sent.push(call.body);
    const { decision, answers } = call.body as {
      decision?: NonNullable<RunStep["approval"]>["decision"];
      answers?: NonNullable<RunStep["form"]>["answers"];
    };
    const isOpen = run !== undefined && !run.ended && step?.state === "waiting";
    if (isOpen) {
      const changed: RunStep = {
        ...step,
        state: decision === "denied" ? "denied" : "done",
        milliseconds: 900,
        result: decision === "denied" ? null : "It is done.",
        approval: step.approval && { ...step.approval, decision: decision ?? null },
        form: step.form && { ...step.form, answers: answers ?? null },
      };
      const frame: GenerationFrame = { type: "generationStep", step: changed };
      run.frames.push(JSON.stringify(frame));
      for (const each of [...run.listeners]) each();
    }
    const contract = decision === undefined ? answerStep : decideStep;
    return answered(call.reply(contract, { success: isOpen }));
  }
}
