import type { GenerationFrame, MetricsWire, RunStep, SourceWire } from "@carrel/contracts";
import { TurnFrames, readRequestId } from "./turn-frames.ts";

const uuid = "0b4d3a52-6a0e-4f7c-9f0e-0a8c1f6d2b11";
const metrics: MetricsWire = {
  prompt_tokens: 3,
  completion_tokens: 4,
  total_tokens: 7,
  outputTps: 2,
  duration: 2,
  timestamp: "2026-11-29T10:00:00.000Z",
};
const step = (part: Partial<RunStep> = {}): GenerationFrame => ({
  type: "generationStep",
  step: {
    id: 1,
    at: 0,
    skill: "web-browsing",
    tool: "web-search",
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
const chunk = (textResponse: string, sources: SourceWire[] | null = null): GenerationFrame => ({
  uuid,
  type: "textResponseChunk",
  textResponse,
  sources: sources ?? [],
  close: sources !== null,
  error: false,
});
const final: GenerationFrame = {
  uuid,
  type: "finalizeResponseStream",
  close: true,
  error: false,
  chatId: 12,
  metrics,
};
const approval: NonNullable<RunStep["approval"]> = {
  reason: "untrusted",
  destination: "https://example.org",
  details: [{ label: "to", value: "ann@example.org" }],
  expiresAt: "2026-11-29T10:02:00.000Z",
  decision: null,
  canBeLasting: false,
};

let frames: TurnFrames;
const addAll = (...added: GenerationFrame[]) => added.flatMap((frame) => frames.add(frame));
const report = (content: Record<string, unknown>) => ({ type: "reportStreamEvent", content });
beforeEach(() => {
  frames = new TurnFrames(uuid, () => Date.parse("2026-11-29T10:00:00.000Z"));
});

it("ends an answer in the order of the wire, for clients of both eras", () => {
  const source = { id: "s1", title: "Tides" } as SourceWire;
  expect(
    addAll(
      { type: "generationStarted", generationId: uuid, chatId: 12, queued: false },
      chunk("<think>Hm.</think>High "),
      chunk("tide."),
      chunk("", [source]),
      final,
      { action: "rename_thread", thread: { slug: "t", name: "Tides" } },
    ),
  ).toEqual([
    report({ type: "textResponseChunk", uuid, content: "<think>Hm.</think>High " }),
    report({ type: "textResponseChunk", uuid, content: "tide." }),
    report({ type: "usageMetrics", uuid, metrics }),
    report({ type: "citations", uuid, citations: [source] }),
    report({ type: "chatId", uuid, chatId: 12 }),
    { from: "@agent", to: "USER", content: "High tide.", state: "success" },
    { type: "rename_thread", content: { slug: "t", name: "Tides" } },
  ]);
  expect(frames).toMatchObject({ hasEnded: true, failure: null });
});

it("shows each call once, with what it is about", () => {
  const call = { uuid: `${uuid}:tool_call_invocation`, type: "toolCallInvocation" };
  expect(
    addAll(
      step(),
      step({ object: "high tide" }),
      step({ object: "high tide", progress: { done: 1, total: 2 } }),
      step({ object: "high tide", state: "done" }),
    ),
  ).toEqual([
    report({ ...call, content: "Calling web-search" }),
    report({ ...call, content: "Calling web-search: high tide" }),
    { type: "statusResponse", content: "@agent calls web-search: high tide", animate: true },
  ]);
});

it("asks for an approval once, and says why a call didn't run", () => {
  const waiting = step({ object: "mail", state: "waiting", approval });
  const asked = addAll(step({ object: "mail" }), waiting, waiting).slice(2);
  expect(asked).toEqual([
    {
      type: "toolApprovalRequest",
      requestId: `${uuid}:1`,
      skillName: "web-search",
      payload: { to: "ann@example.org" },
      description:
        "This answer has read content of others, which may have asked for this call. It goes to https://example.org.",
      timeoutMs: 120_000,
    },
  ]);
  expect(
    addAll(
      step({
        object: "mail",
        state: "denied",
        approval: { ...approval, decision: "timed-out" },
        fault: { code: "tool.approval-timed-out" },
      }),
    ),
  ).toEqual([
    {
      type: "statusResponse",
      content: "web-search: The approval timed out, so this call wasn't made.",
      animate: true,
    },
  ]);
});

it("asks the person's questions", () => {
  const questions = [
    { kind: "input" as const, question: "Year?", inputType: "number" as const, placeholder: "" },
  ];
  const form = { questions, answers: null, expiresAt: approval.expiresAt };
  expect(addAll(step({ state: "waiting", form })).at(-1)).toEqual({
    type: "clarificationRequest",
    requestId: `${uuid}:1`,
    questions,
    allowSkip: true,
    timeoutMs: 120_000,
  });
});

it("asks everything that a call asks, each once", () => {
  const form = (question: string, expiresAt: string) => ({
    questions: [{ kind: "input" as const, question, inputType: "text" as const, placeholder: "" }],
    answers: null,
    expiresAt,
  });
  const decided = { ...approval, decision: "once" as const };
  const first = form("Where to?", approval.expiresAt);
  const second = form("When?", "2026-11-29T10:03:00.000Z");
  const waiting = { state: "waiting" as const, approval: decided };
  const types = addAll(
    step({ state: "waiting", approval }),
    step({ approval: decided }),
    step({ ...waiting, form: first }),
    step({ ...waiting, form: first }),
    step({ approval: decided, form: { ...first, answers: ["Leith"] } }),
    step({ ...waiting, form: second }),
  ).map(({ type }) => type);
  expect(types.filter((type) => /Request$/.test(String(type)))).toEqual([
    "toolApprovalRequest",
    "clarificationRequest",
    "clarificationRequest",
  ]);
});

it("shows charts and files of calls that succeeded", () => {
  const shown = addAll(
    step({
      state: "done",
      outputs: [
        { type: "chart", chart: "bar", title: "Boats", rows: [{ name: "May", boats: 3 }] },
        { type: "table", title: "Boats", columns: ["a"], rows: [["1"]], total: 1 },
        { type: "file", name: "Boats.pdf", file: "f1.pdf", mime: "application/pdf", size: 900 },
        {
          type: "schedule",
          id: uuid,
          name: "Brief",
          schedule: "0 9 * * *",
          timeZone: "UTC",
          nextAt: "2026-11-30T09:00:00.000Z",
        },
      ],
    }),
  );
  expect(shown.slice(-3)).toEqual([
    {
      type: "rechartVisualize",
      content: { type: "bar", dataset: '[{"name":"May","boats":3}]', title: "Boats" },
    },
    {
      type: "fileDownloadCard",
      content: { filename: "Boats.pdf", storageFilename: "f1.pdf", fileSize: 900 },
    },
    {
      type: "scheduledJobCreated",
      content: {
        jobId: uuid,
        jobName: "Brief",
        schedule: "0 9 * * *",
        nextRun: "2026-11-30T09:00:00.000Z",
      },
    },
  ]);
});

it("withdraws text that is written again", () => {
  const shown = addAll(
    chunk("One two"),
    { type: "generationRewind", to: 3 },
    chunk(" three"),
    final,
  );
  expect(shown.slice(1, 3)).toEqual([
    report({ type: "removeStatusResponse", uuid }),
    report({ type: "textResponseChunk", uuid, content: "One" }),
  ]);
  expect(shown.at(-1)).toMatchObject({ content: "One three" });
  expect(
    addAll({ type: "generationStarted", generationId: uuid, chatId: 12, queued: false }),
  ).toEqual([report({ type: "removeStatusResponse", uuid })]);
});

it("keeps the reason of a failure, and sends refusals whole", () => {
  addAll({
    id: uuid,
    type: "abort",
    textResponse: null,
    sources: [],
    close: true,
    error: "The key was rejected.",
  });
  expect(frames).toMatchObject({ hasEnded: true, failure: "The key was rejected." });
  expect(
    new TurnFrames(uuid).add({
      id: uuid,
      type: "textResponse",
      textResponse: "Nothing relevant.",
      sources: [],
      close: true,
      error: null,
    }),
  ).toEqual([
    report({ type: "fullTextResponse", uuid, content: "Nothing relevant." }),
    { from: "@agent", to: "USER", content: "Nothing relevant.", state: "success" },
  ]);
});

it("accepts only the IDs of its own requests", () => {
  expect(readRequestId(`${uuid}:7`)).toEqual({ generationId: uuid, step: 7 });
  for (const text of ["", uuid, `${uuid}:`, `${uuid}:x`, `${uuid}:1:2`])
    expect(readRequestId(text)).toBeNull();
});
