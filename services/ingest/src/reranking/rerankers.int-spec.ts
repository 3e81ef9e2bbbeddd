import path from "node:path";
import { searchPassages } from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { writeRandomReranker } from "../../../../libs/providers/test/random-model.ts";
import { startTestIngest, workspaceScope, type TestIngest } from "../../test/test-ingest.ts";
import { ModelUse } from "../usage/model-use.ts";

const texts = [
  "The heat pump in the cellar runs at a flow temperature of 48 degrees.",
  "The flow temperature of the old boiler was 70 degrees before the heat pump came.",
];
const question = "What is the flow temperature of the heat pump?";

async function start(reranker: string): Promise<TestIngest> {
  const ingest = await startTestIngest({ environment: { CARREL_RERANKER: reranker } });
  for (const [n, text] of texts.entries())
    await ingest.until(1, await ingest.upload(1, `t${n}.txt`, text), "embedded");
  return ingest;
}
const search = async (ingest: TestIngest, rerank = true) => {
  const { passages, trace } = await ingest.search(1, question, {
    similarityThreshold: 0,
    rerank,
    trace: 10,
  });
  return {
    first: passages[0]!.text,
    trace: trace!.rerank,
    scores: trace!.candidates.map((row) => row[10]),
  };
};

describe("reranking by the language model", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await start("llm");
  });
  afterAll(() => ingest?.stop());

  it("uses the model's order, and only if the workspace asks for it", async () => {
    expect((await search(ingest)).trace).toMatchObject({
      kind: "built-in",
      fault: { code: "reranker.language-model-missing" },
    });
    await ingest.changeSettings({
      ...ingest.withEmbedder,
      LLMProvider: "generic-openai",
      GenericOpenAiBasePath: `${ingest.fake.url}/v1`,
      GenericOpenAiModelPref: "fake-chat",
    });
    const before = (await search(ingest, false)).first;
    ingest.fake.behave({ reply: "I think: [1, 9]" });
    const reranked = await search(ingest);
    expect(reranked).toMatchObject({
      trace: { kind: "llm", model: "generic-openai:fake-chat", count: 2, fault: null },
      scores: [0.9, 0.1],
    });
    expect(reranked.first).not.toBe(before);
  });

  it("counts for the widget whose visitor asked, and so does embedding the question", async () => {
    const added = jest.spyOn(ModelUse.prototype, "add");
    const { workspace } = workspaceScope(1);
    const widget = { id: 71, host: null, address: null, username: null };
    const principal = { kind: "widget" as const, userId: null, role: "none" as const, widget };
    await ingest.client.request(
      searchPassages,
      { query: "How warm is the water?", topN: 4, similarityThreshold: 0, rerank: true },
      { scope: { principal, workspace } },
    );
    const uses = added.mock.calls.map(([use]) => use);
    added.mockRestore();
    expect(uses).toEqual(
      ["embedding", "reranking"].map((purpose) =>
        expect.objectContaining({ purpose, workspaceId: 1, widgetId: 71 }),
      ),
    );
    expect(uses[0]!.inputTokens).toBeGreaterThan(0);
  });

  it("falls back to the built-in order, and says why, if the model's answer is unusable", async () => {
    ingest.fake.behave({ reply: "I would rather not." });
    expect(await search(ingest)).toMatchObject({
      trace: {
        kind: "built-in",
        fault: { code: "reranker.scores-missing" },
      },
    });
  });
});

describe("reranking by the native cross-encoder", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await start("native");
  });
  afterAll(() => ingest?.stop());

  it("says what is missing, and reranks once its model is installed", async () => {
    expect((await search(ingest)).trace).toMatchObject({
      kind: "built-in",
      fault: expect.objectContaining({ code: "reranker.downloads-disabled" }),
    });
    await writeRandomReranker(
      path.join(ingest.config.CARREL_HOME, "models", "ms-marco-MiniLM-L-6-v2"),
    );
    const { trace, scores } = await search(ingest);
    expect(trace).toMatchObject({
      kind: "native",
      model: "Xenova/ms-marco-MiniLM-L-6-v2",
      count: 2,
      fault: null,
    });
    for (const score of scores) expect(score).not.toBeNull();
  });
});
