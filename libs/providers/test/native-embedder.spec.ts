import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { closeNativeEmbedders, createEmbeddingModel } from "@carrel/providers";
import { groupByLength } from "../src/native/embedder-pool.ts";
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

  it("is ready without a download, under the folder's short name too", async () => {
    expect(await make().files!.state()).toMatchObject({ status: "ready" });
    expect(make()).toMatchObject({
      provider: "native",
      model: "Xenova/all-MiniLM-L6-v2",
      dimensions: 384,
      maxInputCharacters: 1000,
    });
  });

  it("gives unit vectors in the order of the texts, the same alone and in company", async () => {
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

  it("cuts at 256 tokens, and takes empty texts and strange ones", async () => {
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

  it("leaves the event loop to others and lets a question overtake passages", async () => {
    // The share of time, not a delay in ms: that depends on what else the machine does (figures:
    // bench-native.ts).
    const before = performance.eventLoopUtilization();
    const order: string[] = [];
    const passages = make()
      .embed(
        Array.from({ length: 150 }, (_, index) => "the cat sat on a mat ".repeat(1 + (index % 40))),
        "passage",
        signal,
      )
      .then(() => order.push("passages"));
    await make()
      .embed(["where is the cat"], "query", signal)
      .then(() => order.push("question"));
    await passages;
    expect(order).toEqual(["question", "passages"]);
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });

  it("drops what waits when it is aborted, and goes on for the others", async () => {
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

  it("a model file that is none is told as a fault, not tried for ever", async () => {
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

it("groups texts of like length, all of them once", () => {
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
