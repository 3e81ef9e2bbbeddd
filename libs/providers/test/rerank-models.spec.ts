import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  LanguageRerankModel,
  messageText,
  NativeRerankModel,
  ProviderError,
  type LanguageModel,
  type StreamPart,
} from "@carrel/providers";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { parseScores } from "../src/language-rerank-model.ts";
import { writeRandomReranker } from "./random-model.ts";

jest.setTimeout(60_000);
const { signal } = new AbortController();
const of = (...texts: string[]) => texts.map((text) => ({ text, title: "", headingPath: [] }));

describe("the native cross-encoder, with random weights", () => {
  let modelsDir: string;
  let model: NativeRerankModel;
  beforeAll(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), "carrel-rerank-"));
    await writeRandomReranker(join(modelsDir, "ms-marco-MiniLM-L-6-v2"));
    model = new NativeRerankModel({ modelsDir, hub: null });
  });
  afterAll(async () => {
    await model.close();
    await rm(modelsDir, { recursive: true, force: true });
  });

  it("scores each text with the question, the same alone and in a batch, whatever its length", async () => {
    expect(await model.isReady()).toBe(true);
    const texts = of(
      "the cat sat on a mat",
      "rain",
      "the invoice total was paid in march ".repeat(200),
      "the dog was in the river",
      "",
      "🙂\u0000 漢字",
      ...Array.from({ length: 4 }, (_, n) => "book of rain ".repeat(n + 1)),
    );
    const scores = await model.score("where was the cat", texts, signal);
    expect(scores).toHaveLength(texts.length);
    for (const score of scores) expect(score).toBeGreaterThan(0);
    for (const score of scores) expect(score).toBeLessThan(1);
    for (const [place, text] of texts.entries())
      expect((await model.score("where was the cat", [text], signal))[0]).toBeCloseTo(
        scores[place]!,
        3,
      );
    expect((await model.score("what was paid in march", [texts[0]!], signal))[0]).not.toBeCloseTo(
      scores[0]!,
      4,
    );
    expect(await model.score("the cat sat ".repeat(300), of("rain"), signal)).toHaveLength(1);
  });

  it("stops when aborted", async () => {
    await expect(model.score("cat", of("rain"), AbortSignal.abort())).rejects.toThrow(
      ProviderError,
    );
  });

  it("says what is missing and which models are available", async () => {
    const offline = new NativeRerankModel({ modelsDir: join(modelsDir, "empty"), hub: null });
    await expect(offline.score("cat", of("rain"), signal)).rejects.toThrow(
      "The reranker's model Xenova/ms-marco-MiniLM-L-6-v2 isn't in the models folder, and downloads are disabled.",
    );
    expect(() => new NativeRerankModel({ modelsDir, model: "somebody/else" })).toThrow(
      /somebody\/else isn't a supported reranker/,
    );
  });
});

describe("a language model as reranker", () => {
  const answering = (answer: string): { model: LanguageModel; asked: string[] } => {
    const asked: string[] = [];
    return {
      asked,
      model: {
        provider: "openai",
        model: "gpt",
        contextWindow: 8_000,
        answerTokens: null,
        parameters: { temperature: true, topP: true, effort: false },
        supportsImages: () => Promise.resolve(false),
        supportsTools: () => Promise.resolve(false),
        async *stream({ system, messages }): AsyncIterable<StreamPart> {
          asked.push(system, messageText(messages[0]!));
          await Promise.resolve();
          yield { type: "text-delta", text: answer.slice(0, 3) };
          yield { type: "text-delta", text: answer.slice(3) };
          yield { type: "finish", reason: "stop", usage: null };
        },
      },
    };
  };

  it("scores all texts in one call and scales its numbers to 0 to 1", async () => {
    const { model, asked } = answering("[10, 2.5, 0]");
    expect(
      await new LanguageRerankModel(model).score(
        "Who?",
        of("Ada", "Bob", "x".repeat(5_000)),
        signal,
      ),
    ).toEqual([1, 0.25, 0]);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain("[2] \nBob");
    expect(asked[1]!.length).toBeLessThan(1_500);
  });

  it.each([
    ["Let me see [1]… \n```json\n[3, 4]\n```", [0.3, 0.4]],
    ["[20, -1]", [1, 0]],
  ])("reads %j", (answer, scores) => {
    expect(parseScores(answer, 2)).toEqual(scores);
  });
  it.each(["", "I cannot.", "[1]", "[1, 2, 3]", '["a", "b"]', "[1,]"])("rejects %j", (answer) => {
    expect(() => parseScores(answer, 2)).toThrow(
      "The language model didn't return a number for each passage.",
    );
  });
});
