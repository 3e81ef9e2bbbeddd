import { streamFrame } from "@carrel/contracts";
import { passageOf } from "../../test/factories/passage.ts";
import { selectSources } from "../retrieval/earlier-sources.ts";
import {
  abortFrame,
  abortFrames,
  breakOffFrame,
  breakOffFrames,
  buildMetrics,
  chunkFrame,
  closingFrame,
  finalizeFrame,
  noticeFrames,
  rebuildFrames,
  refusalFrame,
  renameThreadFrame,
  resetFrame,
  startedFrame,
  statusFrame,
} from "./frames.ts";

const id = "0b7f3c3e-6f0d-4b52-9d5f-0a2f4f6c9a11";
const metrics = buildMetrics({
  tokens: { input: 10, output: 20 },
  cost: null,
  milliseconds: 500,
  provider: "openai",
  model: "gpt-4o",
  isCut: false,
  kind: null,
  at: new Date("2026-11-21T00:00:00Z"),
});

describe("frames, to the byte (wire-contract 4)", () => {
  it.each([
    [
      chunkFrame(id, "Hi"),
      `{"uuid":"${id}","sources":[],"type":"textResponseChunk","textResponse":"Hi","close":false,"error":false}`,
    ],
    [
      closingFrame(id, []),
      `{"uuid":"${id}","sources":[],"type":"textResponseChunk","textResponse":"","close":true,"error":false}`,
    ],
    [
      finalizeFrame(id, 7, metrics),
      `{"uuid":"${id}","type":"finalizeResponseStream","close":true,"error":false,"chatId":7,"metrics":{"prompt_tokens":10,"completion_tokens":20,"total_tokens":30,"outputTps":40,"duration":0.5,"model":"gpt-4o","provider":"openai","timestamp":"2026-11-21T00:00:00.000Z"}}`,
    ],
    [
      abortFrame(id, "No key."),
      `{"id":"${id}","type":"abort","textResponse":null,"sources":[],"close":true,"error":"No key."}`,
    ],
    [
      breakOffFrame(id, "Cut."),
      `{"uuid":"${id}","type":"abort","textResponse":null,"sources":[],"close":true,"error":"Cut."}`,
    ],
    [
      refusalFrame(id, "Nothing.", null),
      `{"id":"${id}","type":"textResponse","textResponse":"Nothing.","sources":[],"close":true,"error":null}`,
    ],
    [
      refusalFrame(id, "Nothing.", []),
      `{"id":"${id}","type":"textResponse","textResponse":"Nothing.","sources":[],"attachments":[],"close":true,"error":null}`,
    ],
    [
      resetFrame(id),
      `{"uuid":"${id}","type":"textResponse","textResponse":"Chat memory was reset!","sources":[],"close":true,"error":false,"action":"reset_chat"}`,
    ],
    [
      statusFrame(id, "x"),
      `{"id":"${id}","type":"statusResponse","textResponse":"x","sources":[],"close":true,"animate":false,"error":null}`,
    ],
  ])("%j", (frame, bytes) => {
    expect(JSON.stringify(frame)).toBe(bytes);
    expect(streamFrame.parse(frame)).toEqual(frame);
  });

  it("the rename frame has no type, and Carrel's own frames start with theirs", () => {
    expect(JSON.stringify(renameThreadFrame("s", "n"))).toBe(
      '{"action":"rename_thread","thread":{"slug":"s","name":"n"}}',
    );
    expect(
      JSON.stringify(startedFrame(id, 7, false)).startsWith('{"type":"generationStarted"'),
    ).toBe(true);
  });

  it("rebuilds an answer from what is stored", () => {
    const sources = selectSources([passageOf()]);
    const base = {
      generationId: id,
      chatId: 7,
      answer: "Hello [1]",
      reasoning: null,
      notices: [],
      sources,
      steps: [],
      metrics,
      fault: null,
      error: null,
      refused: false,
    };
    const fault = { code: "generation.empty", params: { provider: "OpenAI" } };
    expect(rebuildFrames({ ...base, state: "done" }).slice(1)).toEqual([
      chunkFrame(id, "Hello [1]"),
      closingFrame(id, sources),
      finalizeFrame(id, 7, metrics),
    ]);
    expect(rebuildFrames({ ...base, state: "failed", error: "Cut." }).slice(1)).toEqual([
      chunkFrame(id, "Hello [1]"),
      closingFrame(id, sources),
      breakOffFrame(id, "Cut."),
      finalizeFrame(id, 7, metrics),
    ]);
    expect(
      rebuildFrames({ ...base, sources: [], state: "failed", error: "Cut." }).slice(2),
    ).toEqual([breakOffFrame(id, "Cut."), finalizeFrame(id, 7, metrics)]);
    expect(
      rebuildFrames({ ...base, state: "failed", answer: "", error: "No key." }).slice(1),
    ).toEqual([abortFrame(id, "No key.")]);
    expect(rebuildFrames({ ...base, sources: [], state: "failed", fault }).slice(2)).toEqual([
      ...breakOffFrames(id, fault),
      finalizeFrame(id, 7, metrics),
    ]);
    expect(rebuildFrames({ ...base, state: "failed", answer: "", fault }).slice(1)).toEqual(
      abortFrames(id, fault),
    );
    expect(
      rebuildFrames({ ...base, state: "done", refused: true, answer: "Nothing." }).slice(1),
    ).toEqual([refusalFrame(id, "Nothing.", null)]);
    expect(rebuildFrames({ ...base, state: "running" }).slice(1)).toEqual([
      chunkFrame(id, "Hello [1]"),
    ]);
    expect(rebuildFrames({ ...base, notices: ["Not seen."], state: "running" }).slice(1)).toEqual([
      { type: "generationNotice", notice: "Not seen." },
      statusFrame(id, "Not seen."),
      chunkFrame(id, "Hello [1]"),
    ]);
    expect(rebuildFrames({ ...base, notices: [fault], state: "running" }).slice(1)).toEqual([
      ...noticeFrames(id, fault),
      chunkFrame(id, "Hello [1]"),
    ]);
  });

  it("gives faults and notices as a code to Carrel's clients, then in English to others", () => {
    const fault = { code: "generation.empty", params: { provider: "OpenAI" } };
    const english = "OpenAI returned an empty answer.";
    expect(abortFrames(id, fault)).toEqual([
      { type: "generationFault", fault },
      abortFrame(id, english),
    ]);
    expect(breakOffFrames(id, fault)).toEqual([
      { type: "generationFault", fault },
      breakOffFrame(id, english),
    ]);
    expect(noticeFrames(id, fault)).toEqual([
      { type: "generationNotice", notice: fault },
      statusFrame(id, english),
    ]);
  });

  it("has the cost in dollars where the price is known (wire-contract 4.9)", () => {
    expect(
      buildMetrics({
        tokens: { input: 10, output: 2 },
        cost: { input: 15, output: 60 },
        milliseconds: 0,
        provider: null,
        model: null,
        isCut: false,
        kind: null,
        at: new Date(0),
      }),
    ).toEqual({
      prompt_tokens: 10,
      completion_tokens: 2,
      total_tokens: 12,
      outputTps: 0,
      duration: 0,
      timestamp: "1970-01-01T00:00:00.000Z",
      inputCost: 0.000015,
      outputCost: 0.00006,
      totalCost: 0.000075,
    });
  });
});
