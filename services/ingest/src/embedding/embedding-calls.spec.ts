import { ProviderError, type EmbeddingModel, type ProviderErrorKind } from "@carrel/providers";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { SearchPriority } from "../work-pool/search-priority.ts";
import { EmbeddingCalls, nextSize } from "./embedding-calls.ts";

type Embed = EmbeddingModel["embed"];
const ignore = (): void => undefined;
const { signal } = new AbortController();
const vectorsOf = (texts: string[]): Float32Array[] => texts.map(() => Float32Array.of(1));
const failWith = (kind: ProviderErrorKind) => () =>
  Promise.reject(new ProviderError({ code: "provider.cancelled" }, { kind }));

describe("an embedder's calls", () => {
  const embed = jest.fn<Embed>();
  const model: EmbeddingModel = {
    provider: "fake",
    model: "fake",
    vectorSpace: "fake",
    dimensions: 1,
    maxInputCharacters: 100,
    batchSize: 500,
    embed,
  };
  let priority: SearchPriority;
  let calls: EmbeddingCalls;
  let now = 0;
  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(Date, "now").mockImplementation(() => now);
    embed.mockReset().mockImplementation((texts) => Promise.resolve(vectorsOf(texts)));
    priority = new SearchPriority();
    calls = new EmbeddingCalls(priority);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const ask = () => calls.embedQuestion(model, "Where?", ignore);

  it("leave only the question without a vector that is late or fails", async () => {
    const limit = new AbortController();
    jest.spyOn(AbortSignal, "timeout").mockReturnValueOnce(limit.signal);
    embed.mockReturnValueOnce(new Promise(() => undefined));
    const late = ask();
    limit.abort();
    expect(await late).toBeNull();
    expect(await ask()).not.toBeNull();
    embed.mockImplementationOnce(failWith("server")).mockImplementationOnce(failWith("server"));
    expect([await ask(), await ask()]).toEqual([null, null]);
    expect(await ask()).not.toBeNull();
  });

  it("pause for questions after three failures, until a trial succeeds or settings change", async () => {
    embed.mockImplementation(failWith("unreachable"));
    for (let n = 0; n < 5; n++) expect(await ask()).toBeNull();
    expect(embed).toHaveBeenCalledTimes(3);
    now += 15_001;
    expect(await ask()).toBeNull();
    expect(await ask()).toBeNull();
    expect(embed).toHaveBeenCalledTimes(4);
    embed.mockImplementation((texts) => Promise.resolve(vectorsOf(texts)));
    expect(await ask()).toBeNull();
    calls.resumeQuestions();
    expect(await ask()).not.toBeNull();
    embed.mockImplementation(failWith("unreachable"));
    for (let n = 0; n < 3; n++) await ask();
    now += 15_001;
    embed.mockImplementation((texts) => Promise.resolve(vectorsOf(texts)));
    expect([await ask(), await ask()]).not.toContain(null);
  });

  it("go on for other questions when the embedder refuses a text", async () => {
    embed.mockImplementation(failWith("context-length"));
    for (let n = 0; n < 4; n++) expect(await ask()).toBeNull();
    expect(embed).toHaveBeenCalledTimes(4);
  });

  it("for documents wait for running searches, and are fewer and smaller once questions come", async () => {
    const documents = calls.forDocuments(model);
    expect(documents.batchSize).toBe(500);
    const gates: PromiseWithResolvers<void>[] = [];
    embed.mockImplementation(async (texts, kind) => {
      if (kind === "passage") {
        const gate = Promise.withResolvers<void>();
        gates.push(gate);
        await gate.promise;
      }
      return vectorsOf(texts);
    });
    const search = Promise.withResolvers<void>();
    const searching = priority.search(() => search.promise);
    expect(await ask()).not.toBeNull();
    expect(documents.batchSize).toBe(64);
    const pending = ["a", "b", "c"].map((text) => documents.embed(Array(40).fill(text), signal));
    await new Promise(setImmediate);
    expect(gates).toHaveLength(0);
    search.resolve();
    await searching;
    await new Promise(setImmediate);
    expect(gates).toHaveLength(2);
    // A question needs no place.
    expect(await ask()).not.toBeNull();
    for (let n = 0; n < pending.length; n++) {
      gates[n]!.resolve();
      await pending[n];
    }
  });
});

it("makes calls smaller that take long, and larger again", () => {
  expect(nextSize({ texts: 64, milliseconds: 2_000 }, 64, 500)).toBe(16);
  expect(nextSize({ texts: 1, milliseconds: 60_000 }, 16, 500)).toBe(1);
  expect(nextSize({ texts: 16, milliseconds: 400 }, 16, 500)).toBe(16);
  expect(nextSize({ texts: 16, milliseconds: 100 }, 16, 500)).toBe(32);
  expect(nextSize({ texts: 3, milliseconds: 10 }, 16, 500)).toBe(16);
  expect(nextSize({ texts: 400, milliseconds: 100 }, 400, 500)).toBe(500);
});
