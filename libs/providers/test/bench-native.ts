// Measures the native embedder's speed with a random model of all-MiniLM-L6-v2's full size, and how
// free the event loop stays:
// node --import ./tools/swc-hook.mjs --conditions=@carrel/source
// libs/providers/test/bench-native.ts
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { closeNativeEmbedders, createEmbeddingModel } from "@carrel/providers";
import { miniLmShape, writeRandomModel } from "./random-model.ts";

const modelsDir = await mkdtemp(join(tmpdir(), "carrel-bench-"));
try {
  await writeRandomModel(join(modelsDir, "Xenova/all-MiniLM-L6-v2"), miniLmShape);
  const model = createEmbeddingModel("native", {}, { modelsDir, hub: null });
  const { signal } = new AbortController();
  const before = process.memoryUsage().rss;
  const rows: Record<string, string | number>[] = [];
  const measure = async (what: string, texts: string[]) => {
    const lag = monitorEventLoopDelay({ resolution: 5 });
    lag.enable();
    const start = performance.now();
    await model.embed(texts, "passage", signal);
    const seconds = (performance.now() - start) / 1000;
    lag.disable();
    rows.push({
      what,
      texts: texts.length,
      "per s": Number((texts.length / seconds).toFixed(1)),
      "ms each": Number(((seconds * 1000) / texts.length).toFixed(1)),
      "loop lag p99 ms": Number((lag.percentile(99) / 1e6).toFixed(1)),
      "RSS MB": Math.round(process.memoryUsage().rss / 1e6),
    });
  };
  await measure("first text, loads the model", ["the cat sat on the mat"]);
  await measure(
    "questions of 10 words",
    Array.from({ length: 60 }, () => "the cat sat on a mat in the rain of march".slice(0, 40)),
  );
  await measure(
    "passages of 128 tokens",
    Array.from({ length: 40 }, () => "the cat sat on a mat ".repeat(21)),
  );
  await measure(
    "passages of 254 tokens",
    Array.from({ length: 30 }, () => "the cat sat on a mat ".repeat(42)),
  );
  await measure(
    "mixed lengths",
    Array.from({ length: 60 }, (_, index) =>
      "the cat sat on a mat ".repeat(1 + ((index * 7) % 42)),
    ),
  );
  console.table(rows);
  console.log(`memory before the first text: ${Math.round(before / 1e6)} MB`);
} finally {
  await closeNativeEmbedders();
  await rm(modelsDir, { recursive: true, force: true });
}
