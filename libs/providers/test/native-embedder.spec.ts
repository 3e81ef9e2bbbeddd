import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeNativeEmbedders, createEmbeddingModel } from "@carrel/providers";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { EmbedderPool, groupByLength } from "../src/native/native-embedding-model.ts";
import { writeRandomModel } from "./random-model.ts";

jest.setTimeout(60_000);
const { signal } = new AbortController();
const near = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, place) => sum + value * b[place]!, 0);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-native-"));
});
afterAll(async () => {
  await closeNativeEmbedders();
  await rm(folder, { recursive: true, force: true });
});

describe("the built-in embedder on a model with random weights", () => {
  let modelsDir: string;
  beforeAll(async () => {
    modelsDir = join(folder, "ready");
    await writeRandomModel(join(modelsDir, "all-MiniLM-L6-v2"));
  });
  const make = () => createEmbeddingModel("native", {}, { modelsDir, hub: null });

  it("is ready without a download, also under the folder's short name", async () => {
    expect(await make().files!.state()).toMatchObject({ status: "ready" });
    expect(make()).toMatchObject({
      provider: "native",
      model: "Xenova/all-MiniLM-L6-v2",
      dimensions: 384,
      maxInputCharacters: 1000,
    });
  });

  it("returns unit vectors in input order, the same alone and in a batch", async () => {
    const texts = [
      "the cat sat on the mat",
      "rain",
      "the invoice total was paid in march and the book is on the mat ".repeat(6),
      "the cat sat on a mat",
      "rain",
    ];
    const together = await make().embed(texts, "passage", signal);
    for (const [place, vector] of together.entries()) {
      expect(vector).toHaveLength(384);
      expect(near(vector, vector)).toBeCloseTo(1, 4);
      const [alone] = await make().embed([texts[place]!], "query", signal);
      expect(near(vector, alone!)).toBeGreaterThan(0.9999);
    }
    expect(near(together[1]!, together[4]!)).toBeCloseTo(1, 5);
    expect(near(together[0]!, together[3]!)).toBeGreaterThan(near(together[0]!, together[2]!));
  });

  it("truncates at 256 tokens and accepts empty and unusual texts", async () => {
    const words = "the cat sat on a mat ";
    const [long, longer, ...odd] = await make().embed(
      [
        words.repeat(60),
        words.repeat(60) + "rain sun book ".repeat(100),
        "",
        "🙂\u0000 漢字",
        " \n ",
      ],
      "passage",
      signal,
    );
    expect(near(long!, longer!)).toBeGreaterThan(0.9999);
    for (const vector of odd) expect(near(vector, vector)).toBeCloseTo(1, 4);
  });

  it("embeds questions before all waiting passages, in their order", async () => {
    const pool = new EmbedderPool(
      {
        modelPath: join(modelsDir, "all-MiniLM-L6-v2/model_quantized.onnx"),
        tokenizerPath: join(modelsDir, "all-MiniLM-L6-v2/tokenizer.json"),
        maxTokens: 256,
      },
      1,
    );
    const order: string[] = [];
    const embed = (text: string, kind: "passage" | "query") =>
      pool.embed([text], kind, signal).then(() => order.push(text));
    await Promise.all([
      ...["passage 1", "passage 2", "passage 3"].map((text) => embed(text, "passage")),
      ...["question 1", "question 2"].map((text) => embed(text, "query")),
    ]);
    await pool.close();
    // The first passage had begun.
    expect(order).toEqual(["passage 1", "question 1", "question 2", "passage 2", "passage 3"]);
  });

  it("keeps the event loop free", async () => {
    // Compares CPU times rather than measuring a delay in ms, which depends on the machine's other
    // load (for figures see bench-native.ts).
    const [own, all] = [process.threadCpuUsage(), process.cpuUsage()];
    await make().embed(
      Array.from({ length: 150 }, (_, index) => "the cat sat on a mat ".repeat(1 + (index % 40))),
      "passage",
      signal,
    );
    const seconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;
    expect(seconds(process.threadCpuUsage(own))).toBeLessThan(seconds(process.cpuUsage(all)) / 2);
  });

  it("drops waiting work when aborted and continues for other callers", async () => {
    const controller = new AbortController();
    const many = make().embed(
      Array.from({ length: 200 }, () => "the cat sat on a mat ".repeat(40)),
      "passage",
      controller.signal,
    );
    controller.abort();
    await expect(many).rejects.toMatchObject({ name: "ProviderError", kind: "aborted" });
    expect(await make().embed(["rain"], "query", signal)).toHaveLength(1);
  });

  it("reports an invalid model file instead of retrying forever", async () => {
    const broken = join(folder, "broken");
    await writeRandomModel(join(broken, "all-MiniLM-L6-v2"));
    await writeFile(join(broken, "all-MiniLM-L6-v2/model_quantized.onnx"), "not a model");
    await expect(
      createEmbeddingModel("native", {}, { modelsDir: broken, hub: null }).embed(
        ["a", "b".repeat(2000)],
        "passage",
        signal,
      ),
    ).rejects.toMatchObject({ name: "ProviderError", kind: "server" });
  });
});

it("groups texts of similar length, each exactly once", () => {
  const texts = [
    "a".repeat(900),
    "b",
    "c".repeat(500),
    "d".repeat(510),
    "e".repeat(2000),
    ...Array.from({ length: 20 }, () => "ff"),
  ];
  const groups = groupByLength(texts);
  expect(groups.flat().sort((a, b) => a - b)).toEqual(texts.map((_, place) => place));
  expect(groups.some((group) => group.includes(2) && group.includes(3))).toBe(true);
  expect(Math.max(...groups.map((group) => group.length))).toBeLessThanOrEqual(8);
});
