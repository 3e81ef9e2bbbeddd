import { sourceWire } from "@carrel/contracts";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { TestDocuments } from "../document/documents.fixture.ts";
import { testCall } from "../test-call.fixture.ts";
import type { ModelPort } from "../tool.ts";
import { createDocumentSummarizer } from "./document-summarizer.ts";

type Call = Parameters<ModelPort["ask"]>[0];

/** Answers with `answer`; counts how many calls run at the same time. */
class TestModel implements ModelPort {
  readonly calls: Call[] = [];
  most = 0;
  private running = 0;

  constructor(
    readonly contextWindow: number,
    private readonly answer: (call: Call, number: number) => string | Promise<string>,
  ) {}

  async ask(call: Call): Promise<string> {
    this.calls.push(call);
    this.most = Math.max(this.most, ++this.running);
    try {
      await new Promise(setImmediate);
      return await this.answer(call, this.calls.length);
    } finally {
      this.running -= 1;
    }
  }
}

let documents: TestDocuments;
beforeEach(() => {
  documents = new TestDocuments();
});
const summarize = (model: ModelPort, call = testCall({ nextSource: 2 }), focus?: string) =>
  createDocumentSummarizer({ documents, model })[0]!.run(
    { document: "Report", ...(focus !== undefined && { focus }) },
    call,
  );

const paragraph = (number: number): string =>
  `Paragraph ${number} says that the harbour is ${"calm and quiet ".repeat(20)}.\n\n`;
const pages = (count: number): string[] =>
  Array.from({ length: count }, (_, page) =>
    Array.from({ length: 8 }, (__, index) => paragraph(page * 8 + index)).join(""),
  );
/** Prompt and answer, in the tokens that English takes. */
const tokensOf = ({ system, text, maxTokens }: Call): number =>
  Buffer.byteLength(system + text) / 4 + maxTokens;

it("summarizes a document that fits in one call", async () => {
  documents.add("r", "Report", pages(2), ["Paragraph 3"]);
  const model = new TestModel(100_000, () => "It is calm [p. 2].\u202e");
  const call = testCall({ nextSource: 2 });
  const result = await summarize(model, call, "the\nharbour");
  expect(result.text).toBe("Summary of Report (id r); cite it as [2].\n\nIt is calm [p. 2].");
  expect(result.sources!.map((source) => sourceWire.parse(source))).toMatchObject([
    { documentId: "r", title: "Report", page: 1 },
  ]);
  expect(model.calls).toHaveLength(1);
  expect(model.calls[0]!.system).toContain("above all: the harbour");
  expect(model.calls[0]!.text).toMatch(/^Document: Report\nPlace: pages 1 to 2\n\n\[p\. 1\]\nPara/);
  expect(model.calls[0]!.text).toContain("\n[p. 2]\nParagraph 8 says");
  expect(call.reported).toEqual([
    [0, 1],
    [1, 1],
  ]);
});

describe.each([2_000, 4_096, 32_000])("a window of %d tokens", (window) => {
  it("is never exceeded, and every paragraph is read, by two calls at a time", async () => {
    documents.add("r", "Report", pages(60), ["Paragraph 40"]);
    const model = new TestModel(
      window,
      ({ maxTokens }, number) => `Summary ${number} ${"word ".repeat(maxTokens * 0.7)}`,
    );
    const call = testCall();
    await summarize(model, call);
    for (const one of model.calls) expect(tokensOf(one)).toBeLessThanOrEqual(window);
    const parts = model.calls.filter(({ system }) => system.includes("one part"));
    const read = parts.map(({ text }) => text).join("\n");
    for (let number = 0; number < 480; number += 1)
      expect(read).toContain(`Paragraph ${number} says`);
    expect(parts.every(({ text }) => /Part \d+ of \d+\nPlace: .*pages? \d+/.test(text))).toBe(true);
    expect(model.most).toBe(2);
    const [done, total] = call.reported.at(-1)!;
    expect(done).toBe(model.calls.length);
    expect(total).toBeGreaterThanOrEqual(done);
    for (const [, size] of call.reported) expect(size).toBeLessThanOrEqual(total);
  });
});

it("cuts between paragraphs, and reads the text of other scripts within the window", async () => {
  documents.add("r", "Report", "港は静かで、潮は四時に満ちる。\n\n".repeat(2_000));
  const model = new TestModel(4_000, () => "静か");
  await summarize(model);
  // A character of these may take a token.
  for (const { text, maxTokens } of model.calls)
    expect(text.length + maxTokens).toBeLessThan(4_000);
  const parts = model.calls.filter(({ system }) => system.includes("one part"));
  expect(parts.length).toBeGreaterThan(5);
  expect(parts.every(({ text }) => text.endsWith("満ちる。"))).toBe(true);
});

it("comes to an end with a model that writes without end, or nothing", async () => {
  documents.add("r", "Report", pages(40));
  const endless = new TestModel(3_000, () => "on and on ".repeat(5_000));
  await summarize(endless);
  expect(endless.calls.length).toBeLessThan(200);
  for (const one of endless.calls) expect(tokensOf(one)).toBeLessThanOrEqual(3_000);
  await expect(summarize(new TestModel(3_000, () => " "))).rejects.toMatchObject({
    fault: { code: "document.summary-empty" },
  });
});

it("says how much of a very long document it has read", async () => {
  documents.mostAtOnce = 1_000_000;
  documents.add("r", "Report", pages(400));
  const model = new TestModel(2_000, () => "Calm.");
  const { text } = await summarize(model);
  expect(text).toMatch(/only the first \d+ % were summarized/);
  expect(model.calls.length).toBeLessThan(130);
});

it("ends all calls if one fails or the person stops", async () => {
  documents.add("r", "Report", pages(60));
  const broken = new TestModel(3_000, (_, number) => {
    if (number === 3) throw new Error("overloaded");
    return "Calm.";
  });
  await expect(summarize(broken)).rejects.toThrow("overloaded");
  const calls = broken.calls.length;
  expect(calls).toBeLessThan(6);
  expect(broken.calls[0]!.signal.aborted).toBe(true);

  const stop = new AbortController();
  const stopped = new TestModel(3_000, (_, number) => {
    if (number === 3) stop.abort(new Error("stopped"));
    return "Calm.";
  });
  await expect(summarize(stopped, testCall({ signal: stop.signal }))).rejects.toThrow("stopped");
  expect(stopped.calls.length).toBeLessThan(6);
  expect(broken.calls).toHaveLength(calls);
});
