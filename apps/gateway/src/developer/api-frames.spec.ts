import type { RunStep } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import type { FrameSink } from "../chat/generation-relay.ts";
import { ApiFrames } from "./api-frames.ts";

const source = { id: "s", title: "a.txt", text: "Text" };
const chunk = (textResponse: string, close: boolean, sources: object[] = []) => ({
  uuid: "u",
  sources,
  type: "textResponseChunk",
  textResponse,
  close,
  error: false,
});
const metrics = { total_tokens: 3 };
const final = {
  uuid: "u",
  type: "finalizeResponseStream",
  close: true,
  error: false,
  chatId: 9,
  metrics,
};
const step = (part: Partial<RunStep>): { type: string; step: RunStep } => ({
  type: "generationStep",
  step: {
    id: 1,
    at: 0,
    skill: "create-files-agent",
    tool: "create-text-file",
    state: "running",
    object: null,
    input: "{}",
    result: null,
    fault: null,
    progress: null,
    milliseconds: null,
    approval: null,
    form: null,
    outputs: [],
    ...part,
  },
});

async function send(
  given: readonly object[],
  { showsSteps = false, text = "" }: { showsSteps?: boolean; text?: string } = {},
): Promise<Record<string, unknown>[]> {
  const sent: Record<string, unknown>[] = [];
  const sink = {
    carrel: false,
    signal: new AbortController().signal,
    leftByClient: false,
    send: (frame: string) =>
      Promise.resolve(void sent.push(JSON.parse(frame) as Record<string, unknown>)),
    end: () => void sent.push({ type: "end" }),
  } satisfies FrameSink;
  const frames = new ApiFrames(sink, { id: "u", showsSteps });
  for (const frame of given) {
    if (frame === final) frames.noteText(text);
    await frames.send(JSON.stringify(frame));
  }
  frames.end();
  return sent;
}

describe("an answer", () => {
  it("has its sources in the last frame, and no new names", async () => {
    const tricky = chunk('"close":true', false);
    const sent = await send([
      chunk("It is.", false),
      tricky,
      chunk("", true, [source]),
      final,
      { action: "rename_thread", thread: { slug: "t", name: "It" } },
    ]);
    expect(sent).toEqual([
      chunk("It is.", false),
      tricky,
      chunk("", true),
      { ...final, sources: [source] },
      { type: "end" },
    ]);
  });
});

describe("an agent's answer", () => {
  const file = { filename: "tides.txt", storageFilename: "f.txt", fileSize: 4 };
  const chart: RunStep["outputs"][number] = {
    type: "chart",
    chart: "bar",
    title: "Tides",
    rows: [{ name: "noon" }],
  };
  const run = [
    { type: "generationAgent" },
    chunk("Let me look.", false),
    step({}),
    step({ object: "tides.txt" }),
    step({ object: "tides.txt", progress: { done: 1, total: 2 } }),
    step({
      object: "tides.txt",
      state: "done",
      outputs: [
        { type: "file", name: "tides.txt", file: "f.txt", mime: "text/plain", size: 4 },
        chart,
      ],
    }),
    step({ id: 2, tool: "send", state: "denied", fault: { code: "tool.needs-approval" } }),
    { id: "u", type: "statusResponse", textResponse: "That was the last call." },
    chunk("\n\nDone.", false),
    chunk("", true, [source]),
    final,
  ];

  it("is streamed step by step, and the last frame repeats all of it", async () => {
    const text = "<think>Hm.</think>Let me look.\n\nDone.";
    const sent = await send(run, { text });
    const outputs = [
      file,
      {
        type: "rechartVisualize",
        payload: { type: "bar", dataset: '[{"name":"noon"}]', title: "Tides" },
      },
    ];
    const thoughts = [
      "@agent calls create-text-file: tides.txt",
      "@agent calls send",
      "send: This call needs an approval, which can't be given here, so it wasn't made.",
      "That was the last call.",
    ];
    const open = { id: "u", close: false, error: null };
    const thought = (index: number) => ({
      ...open,
      type: "agentThought",
      thought: thoughts[index],
      sources: [],
      attachments: [],
      animate: true,
    });
    const part = (textResponse: string) => ({
      ...open,
      type: "textResponseChunk",
      textResponse,
      sources: [],
    });
    expect(sent).toEqual([
      part("Let me look."),
      thought(0),
      { ...open, type: "fileDownload", fileDownload: file },
      thought(1),
      thought(2),
      thought(3),
      part("\n\nDone."),
      { ...open, type: "usageMetrics", metrics },
      {
        id: "u",
        type: "textResponse",
        textResponse: "Let me look.\n\nDone.",
        sources: [],
        attachments: [],
        close: true,
        error: null,
        animate: false,
      },
      {
        uuid: "u",
        type: "finalizeResponseStream",
        textResponse: "Let me look.\n\nDone.",
        thoughts,
        outputs,
        sources: [source],
        metrics,
        close: true,
        error: false,
      },
      { type: "end" },
    ]);
  });

  it("has its steps for clients that decide about them", async () => {
    const steps = (await send(run, { showsSteps: true })).filter(
      ({ type }) => type === "agentStep",
    );
    expect(steps).toHaveLength(5);
    expect(steps[1]).toEqual({
      id: "u",
      type: "agentStep",
      step: step({ object: "tides.txt" }).step,
      close: false,
      error: null,
    });
  });
});
