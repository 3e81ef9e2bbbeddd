import { clipText, longestStepText, type RunStep } from "@carrel/contracts";
import type { AssistantPart } from "@carrel/providers";
import type { Reply, WrittenCall } from "../answer/model-reply.ts";
import type { ModelCall, StoredStep } from "./run-step.repository.ts";
import { readObject } from "./tool-input.ts";

type ToolStep = Extract<StoredStep, { kind: "tool" }>;

/** A reply that calls tools. */
export interface CallingReply {
  reply: Reply;
  /** Those of its calls that are made. */
  calls: readonly WrittenCall[];
  written: ModelCall["written"];
  tokens: ModelCall["tokens"];
}

/**
 * The steps that a reply begins: its own, then one for each call, which is about to be made.
 *
 * @param o.position of the first
 * @param o.id of the first call
 * @param o.at where in the answer's text the calls are shown
 */
export function buildNewSteps(
  { reply, calls, written, tokens }: CallingReply,
  o: { position: number; id: number; at: number; skillOf: (tool: string) => string },
): StoredStep[] {
  const parts: AssistantPart[] = [
    // Vendors reject blank text, which may be what is left beside a written call.
    ...reply.parts.filter(({ type, text }) => type !== "text" || text.trim() !== ""),
    ...calls.map(({ id, name, input, metadata }) => ({
      type: "tool-call" as const,
      id,
      name,
      input: readObject(input),
      ...(metadata !== undefined && { metadata }),
    })),
  ];
  return [
    { position: o.position, kind: "model", call: { parts, written, tokens } },
    ...calls.map((call, index): ToolStep => ({
      position: o.position + 1 + index,
      kind: "tool",
      call: { id: call.id, name: call.name, input: call.input },
      result: {
        step: buildStep(call, { id: o.id + index, at: o.at, skill: o.skillOf(call.name) }),
        text: null,
        sources: [],
        addresses: [],
        isUntrusted: false,
        isPrivate: false,
      },
      decision: null,
      answers: null,
    })),
  ];
}

const buildStep = (call: WrittenCall, own: Pick<RunStep, "id" | "at" | "skill">): RunStep => ({
  ...own,
  tool: call.name,
  state: "running",
  object: null,
  input: clipText(call.input, longestStepText),
  result: null,
  fault: null,
  progress: null,
  milliseconds: null,
  approval: null,
  form: null,
  outputs: [],
});
