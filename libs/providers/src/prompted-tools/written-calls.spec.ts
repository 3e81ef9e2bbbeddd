import { ReasoningSplitter } from "../reasoning/split-reasoning.ts";
import type { LanguageModel } from "../spec/language-model.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import { broken, mentions } from "./broken-calls.fixture.ts";
import type { WrittenCall } from "./call-object.ts";
import { CallScanner } from "./call-scanner.ts";
import { ToolNames } from "./tool-names.ts";
import { withWrittenCalls } from "./with-prompted-tools.ts";
import { templates, tools } from "./written-calls.fixture.ts";

const parse = (input: string): unknown => {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
};
const pairs = (calls: readonly WrittenCall[]) =>
  calls.map(({ name, input }) => [name, parse(input)]);
const plain = (text: string) => text.trim().replaceAll(/\n{2,}/g, "\n\n");

/** The answer as a model with tools of its own streams it, read to its end. */
async function readAnswer(answer: string) {
  const parts: StreamPart[] = [];
  const splitter = new ReasoningSplitter({
    text: (text) => parts.push({ type: "text-delta", text }),
    reasoning: (text) => parts.push({ type: "reasoning-delta", text }),
    textWasReasoning: () => parts.push({ type: "text-was-reasoning" }),
  });
  splitter.addText(answer);
  splitter.flush();
  parts.push({ type: "finish", reason: "stop", usage: null });
  const model = withWrittenCalls({
    stream: async function* () {
      yield* await Promise.resolve(parts);
    },
  } as unknown as LanguageModel);
  let text = "";
  const calls: (WrittenCall & { id: string })[] = [];
  for await (const part of model.stream({
    system: "",
    messages: [],
    temperature: null,
    tools,
    signal: new AbortController().signal,
  })) {
    if (part.type === "text-delta") text += part.text;
    if (part.type === "text-was-reasoning") text = "";
    if (part.type === "tool-call-end") calls.push(part);
  }
  return { text, calls };
}

describe("calls that models write", () => {
  it.each([...templates, ...broken].map((each) => [each.name, each] as const))(
    "%s",
    async (_name, { answer, calls, text = "" }) => {
      const found = await readAnswer(answer);
      expect(pairs(found.calls)).toEqual(calls);
      expect(plain(found.text)).toBe(text);
      expect(new Set(found.calls.map(({ id }) => id)).size).toBe(calls.length);
    },
  );

  it.each(mentions)("leaves alone: %s", async (text) => {
    const { text: shown, calls } = await readAnswer(text);
    expect(calls).toEqual([]);
    if (!text.includes("think>")) expect(shown).toBe(text);
  });
});

/** Reads the text in pieces of this length. */
function scan(text: string, length: number, isCut = false) {
  const found = { text: "", calls: [] as WrittenCall[] };
  const scanner = new CallScanner(new ToolNames(tools), {
    text: (piece) => (found.text += piece),
    call: (call) => found.calls.push(call),
  });
  for (let at = 0; at < text.length; at += length) scanner.push(text.slice(at, at + length));
  scanner.end(isCut);
  return found;
}

describe("calls in pieces", () => {
  const all = [...templates, ...broken].map(({ answer }) => answer);
  it.each([...all, ...mentions])("mean the same however they arrive: %s", (text) => {
    const whole = scan(text, text.length);
    for (const length of [1, 2, 3, 5, 11]) {
      const got = scan(text, length);
      expect([length, got.calls, plain(got.text)]).toEqual([
        length,
        whole.calls,
        plain(whole.text),
      ]);
    }
  });

  it("text passes at once, up to what may begin a call", () => {
    const pieces: string[] = [];
    const scanner = new CallScanner(new ToolNames(tools), {
      text: (piece) => pieces.push(piece),
      call: () => undefined,
    });
    for (const piece of ["Hello, ", "a < b", " and <tool", "s> or\n", "get_", "up early."])
      scanner.push(piece);
    expect(pieces).toEqual(["Hello, ", "a < b", " and ", "<tools> or\n", "get_up early."]);
  });

  it("an unfinished call in an incomplete answer isn't one", () => {
    const answer = '<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "one';
    expect(scan(answer, 4, true)).toEqual({ text: answer, calls: [] });
  });

  it("an argument that is cut off keeps its broken input, so that nobody runs it", () => {
    const answer = '<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "one';
    const { calls } = scan(answer, 4);
    expect(calls).toEqual([{ name: "write_file", input: '{"path": "a", "content": "one' }]);
  });

  it.each([
    ["brackets", `<tool_call>${"[".repeat(200_000)}`],
    ["braces", '{"name":'.repeat(30_000)],
    ["tags", "<tool_call>".repeat(20_000)],
    ["invokes", `<invoke name="${'<parameter name="a" '.repeat(10_000)}`],
    ["python", `get_weather(${"[".repeat(100_000)}`],
    ["fences", "```json\n{".repeat(10_000)],
    ["quotes", `<tool_call>{"name":"get_weather","arguments":"${'\\"'.repeat(100_000)}`],
  ])("endures %s without end", (_name, text) => {
    const started = performance.now();
    const { calls } = scan(text, 1_000);
    expect(calls.length).toBeLessThan(2);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
