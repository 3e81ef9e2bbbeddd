import { CarrelError, renderFault } from "@carrel/contracts";
import { ProviderError } from "@carrel/providers";
import { AnswerDraft } from "../answer/answer-draft.ts";
import { describeEnding } from "./ending.ts";
import type { RunnableGeneration } from "./generation.repository.ts";

const generation: RunnableGeneration = {
  id: "0b7f3c3e-6f0d-4b52-9d5f-0a2f4f6c9a11",
  turnId: 1,
  threadId: 1,
  channel: null,
  overrides: null,
  requestedMode: null,
  modelChoice: null,
  parameters: null,
  question: "What is the flow temperature of the pump?",
  attachments: [],
  timeZone: null,
  locale: null,
  notices: [],
  search: null,
  isResumed: false,
  fullTexts: null,
  history: null,
  scope: {
    principal: { kind: "instance", userId: null, role: "admin" },
    workspace: { id: 1, slug: "heat" },
  },
};
const stateWith = (text: string): AnswerDraft => {
  const state = new AnswerDraft();
  state.text.pushVerbatim(text);
  return state;
};

describe("ending of a run", () => {
  it("is done with its text", () => {
    expect(describeEnding(generation, stateWith("48 °C"), undefined, null)).toMatchObject({
      state: "done",
      answer: "48 °C",
      fault: null,
      refused: false,
      threadName: "What is the flow temperature of the pump?",
    });
  });
  it("keeps the text and the fault when the provider breaks off", () => {
    expect(
      describeEnding(
        generation,
        stateWith("48"),
        new ProviderError({ code: "provider.disconnected" }, { kind: "broken-stream" }),
        null,
      ),
    ).toMatchObject({
      state: "failed",
      answer: "48",
      fault: { code: "provider.disconnected" },
    });
  });
  it("keeps only the question when the provider is unreachable", () => {
    expect(
      describeEnding(
        generation,
        new AnswerDraft(),
        new CarrelError("generation.empty", { provider: "OpenAI" }),
        null,
      ),
    ).toMatchObject({
      state: "failed",
      answer: "",
      fault: { code: "generation.empty", params: { provider: "OpenAI" } },
      threadName: null,
    });
  });
  it("does not expose internal errors", () => {
    const { fault } = describeEnding(
      generation,
      new AnswerDraft(),
      new TypeError("secret of undefined"),
      null,
    );
    expect(fault).toEqual({ code: "generation.failed" });
    expect(renderFault(fault!)).not.toContain("secret");
  });
  it("is cancelled by a stop, whatever the provider throws", () => {
    expect(
      describeEnding(
        generation,
        stateWith("4"),
        new ProviderError({ code: "provider.cancelled" }, { kind: "aborted" }),
        "cancel",
      ),
    ).toMatchObject({ state: "cancelled", answer: "4", fault: null });
  });
  it("is refused with the refusal as its text", () => {
    const state = new AnswerDraft();
    state.refusal = { text: "Nothing.", isEmptyWorkspace: true };
    expect(describeEnding(generation, state, undefined, null)).toMatchObject({
      state: "done",
      answer: "Nothing.",
      refused: true,
    });
  });
});
