import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBesideCheckout } from "@carrel/testing";
import { afterAll, describe, expect, it } from "@jest/globals";
import { ggufQueue } from "../src/gguf/gguf-queue.ts";
import {
  closeLocalModel,
  createLanguageModel,
  fitContext,
  listGgufModels,
  measuredSpeed,
  memoryNeeded,
  type LanguageModelCall,
  type StreamPart,
} from "../src/index.ts";

const file = "SmolLM2-135M-Instruct.Q4_1.gguf";
const models = findBesideCheckout("models");
const folder = models === null ? null : join(models, "smollm2");
const missing = folder === null ? " (not run: ../shared/models is missing)" : "";
const run = folder === null ? it.skip : it;

const create = () =>
  createLanguageModel(
    "local-gguf",
    { LocalGgufModelPref: file, LocalGgufTokenLimit: "1024" },
    // Threads wait for each other, which takes long on a busy machine.
    { local: { folder: folder!, idleMinutes: 1, threads: 1 } },
  );

const call = (question: string, changes: Partial<LanguageModelCall> = {}): LanguageModelCall => ({
  system: "You are helpful.",
  messages: [{ role: "user", content: question }],
  temperature: 0,
  maxTokens: 8,
  signal: new AbortController().signal,
  ...changes,
});

async function answer(question: string, changes: Partial<LanguageModelCall> = {}) {
  const parts: StreamPart[] = [];
  for await (const part of create().stream(call(question, changes))) parts.push(part);
  const text = parts.map((part) => (part.type === "text-delta" ? part.text : "")).join("");
  const end = parts.at(-1)!;
  if (end.type !== "finish") throw new Error("not finished");
  return { parts, text, reason: end.reason, usage: end.usage! };
}

/** One that has ended may stay a zombie until its new parent asks. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    const stat = existsSync("/proc") ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
    return !/^\d+ \(.*\) Z/.test(stat);
  } catch {
    return false;
  }
};

const city = {
  type: "object",
  properties: { city: { type: "string", maxLength: 12 } },
  required: ["city"],
  additionalProperties: false,
};

describe(`a GGUF model in its own process${missing}`, () => {
  afterAll(closeLocalModel);

  run(
    "streams, and reads a follow-up's documents from its cache",
    async () => {
      const text = "The lighthouse was built in 1877, and its last keeper left in 1988. ".repeat(6);
      const first = await answer(`${text}When was it built?`);
      expect(first.text).not.toBe("");
      expect(first.parts.length).toBeGreaterThan(3);
      expect(first.usage).toMatchObject({ outputTokens: 8, cachedInputTokens: 0 });
      expect(first.reason).toBe("length");
      const second = await answer(`${text}When did the keeper leave?`);
      expect(second.usage.inputTokens).toBeGreaterThan(100);
      expect(second.usage.cachedInputTokens! / second.usage.inputTokens).toBeGreaterThan(0.8);
      expect(measuredSpeed(file)!.answer).toBeGreaterThan(0);
    },
    60_000,
  );

  run(
    "stops at once, and answers the next question",
    async () => {
      const stop = new AbortController();
      let stoppedAt = 0;
      const parts = (async () => {
        for await (const part of create().stream(
          call("Tell me a story.", { signal: stop.signal, maxTokens: 400 }),
        ))
          if (part.type === "text-delta" && stoppedAt === 0) {
            stoppedAt = performance.now();
            stop.abort();
          }
      })();
      await expect(parts).rejects.toMatchObject({ kind: "aborted" });
      // All of its 400 tokens would take several times as long.
      expect(performance.now() - stoppedAt).toBeLessThan(1_000);
      expect((await answer("Hello")).text).not.toBe("");
    },
    60_000,
  );

  run(
    "answers parallel questions in order, and says how many are ahead",
    async () => {
      const ended: number[] = [];
      const ahead: number[][] = Array.from({ length: 10 }, () => []);
      await Promise.all(
        ahead.map(async (list, n) => {
          await answer(`Question ${n}`, { maxTokens: 2, onQueue: (count) => list.push(count) });
          ended.push(n);
        }),
      );
      expect(ended).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(ahead[9]![0]).toBe(9);
      expect(ahead[9]!.at(-1)).toBe(0);
    },
    60_000,
  );

  run(
    "writes calls and JSON that follow their schema",
    async () => {
      const { parts, reason } = await answer("What is the weather in Paris?", {
        maxTokens: 40,
        tools: [{ name: "get_weather", description: "The weather of a city", inputSchema: city }],
        toolChoice: "required",
      });
      const made = parts.find((part) => part.type === "tool-call-end");
      expect(made).toMatchObject({ name: "get_weather" });
      expect(JSON.parse(made?.type === "tool-call-end" ? made.input : "")).toEqual({
        city: expect.any(String),
      });
      expect(reason).toBe("tool-calls");
      const { text } = await answer("Name a city.", {
        maxTokens: 40,
        output: { name: "city", schema: city },
      });
      expect(JSON.parse(text)).toEqual({ city: expect.any(String) });
    },
    60_000,
  );

  run(
    "fails when its process is killed, and starts another for the next question",
    async () => {
      const { pid } = ggufQueue;
      let text = "";
      const parts = (async () => {
        for await (const part of create().stream(call("Tell me a story.", { maxTokens: 400 })))
          if (part.type === "text-delta") {
            text += part.text;
            process.kill(pid!, "SIGKILL");
          }
      })();
      await expect(parts).rejects.toMatchObject({ kind: "broken-stream", isRetryable: true });
      expect(text).not.toBe("");
      expect((await answer("Hello")).text).not.toBe("");
      expect(ggufQueue.pid).not.toBe(pid);
    },
    60_000,
  );

  run(
    "gives its memory back when it is unloaded",
    async () => {
      await answer("Hello");
      const pid = ggufQueue.pid!;
      const status = `/proc/${pid}/status`;
      if (existsSync(status))
        expect(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"))![1])).toBeGreaterThan(
          100_000,
        );
      await closeLocalModel();
      expect(isRunning(pid)).toBe(false);
    },
    60_000,
  );

  run(
    "ends with the service",
    async () => {
      const script = `
      import { GgufProcess } from ${JSON.stringify(new URL("../src/gguf/gguf-process.ts", import.meta.url).href)};
      console.log(new GgufProcess(${JSON.stringify({ path: join(folder!, file), context: 256, conversations: 1, threads: 1 })}).pid);
      setTimeout(() => process.kill(process.pid, "SIGKILL"), 300);`;
      let output = "";
      try {
        execFileSync(
          process.execPath,
          [
            "--conditions=@carrel/source",
            "--experimental-transform-types",
            "--input-type=module-typescript",
            "-e",
            script,
          ],
          { cwd: join(import.meta.dirname, ".."), stdio: ["ignore", "pipe", "ignore"] },
        );
      } catch (fault) {
        output = String((fault as { stdout: Buffer }).stdout);
      }
      const pid = Number(output);
      expect(pid).toBeGreaterThan(0);
      // It notices once it has loaded the model.
      for (let n = 0; n < 600 && isRunning(pid); n++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      expect(isRunning(pid)).toBe(false);
    },
    60_000,
  );
});

describe("the models folder", () => {
  run("lists models by what their files say", async () => {
    expect(await listGgufModels(folder!)).toMatchObject([
      {
        file,
        architecture: "llama",
        quantization: "Q4_1",
        contextLength: 8192,
        parameters: 134515008,
      },
    ]);
  });

  it("leaves out unfinished downloads and other files", async () => {
    const other = mkdtempSync(join(tmpdir(), "carrel-gguf-"));
    try {
      writeFileSync(join(other, "half.gguf"), "GGUF");
      writeFileSync(join(other, "notes.txt"), "GGUF");
      expect(await listGgufModels(other)).toEqual([]);
    } finally {
      rmSync(other, { recursive: true });
    }
    expect(await listGgufModels(join(other, "none"))).toEqual([]);
  });

  it("fits the context to the memory", () => {
    const model = {
      size: 4e9,
      parameters: 7e9,
      contextLength: 32_768,
      layers: { count: 32, bytesPerToken: 131_072 },
    };
    expect(fitContext(model, null, 4e9)).toBeNull();
    const tight = fitContext(model, null, 6e9)!;
    expect(tight.conversations).toBe(1);
    expect(memoryNeeded(model, tight.context)).toBeLessThan(6e9);
    expect(fitContext(model, null, 64e9)).toEqual({ context: 16_384, conversations: 3 });
    expect(fitContext(model, 1_024, 64e9)!.context).toBe(1_024);
  });

  it("runs nothing on instances where local models are off", () => {
    expect(() => createLanguageModel("local-gguf", { LocalGgufModelPref: file })).toThrow(
      "CARREL_LOCAL_MODELS",
    );
  });
});
