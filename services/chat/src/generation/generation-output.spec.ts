import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RunStep } from "@carrel/contracts";
import { StreamTakenError, type StreamWriter } from "@carrel/messaging";
import { Coalescer, GenerationOutput } from "./generation-output.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function openOutput(): {
  output: GenerationOutput;
  written: string[];
  events: string[];
  fail: (error: Error) => void;
} {
  const [written, events]: [string[], string[]] = [[], []];
  let failure: Error | null = null;
  const writer = {
    write: (data: string): Promise<number> => {
      if (failure !== null) return Promise.reject(failure);
      const { stage, type, textResponse } = JSON.parse(data) as Record<string, string>;
      return Promise.resolve(
        written.push(stage ?? (type === "textResponseChunk" ? textResponse! : type!)),
      );
    },
    end: (): Promise<void> => {
      written.push("end");
      return Promise.resolve();
    },
  } as unknown as StreamWriter;
  const output = new GenerationOutput("id", writer, {
    delayMs: 1,
    onTaken: () => events.push("taken"),
    onLost: () => events.push("lost"),
    onWaiting: (isWaiting) => events.push(isWaiting ? "waits" : "goes on"),
  });
  return {
    output,
    written,
    events,
    fail: (error) => {
      failure = error;
    },
  };
}

describe("the frames of an answer", () => {
  it("are written in their order", async () => {
    const { output, written, events } = openOutput();
    output.send({ type: "generationStage", stage: "searching" });
    output.notify({ code: "notice.agent-unavailable" });
    output.startWriting([]);
    output.sendText("It is ");
    await settled();
    output.sendText("so.");
    expect(await output.close([{ type: "generationStage", stage: "reading" }])).toBe(true);
    expect(written).toEqual([
      "searching",
      "generationNotice",
      "statusResponse",
      "writing",
      "It is ",
      "so.",
      "reading",
      "end",
    ]);
    expect(events).toEqual([]);
  });

  it("say once that a step waits for the person, and once that it goes on", () => {
    const { output, events } = openOutput();
    const step = (id: number, state: RunStep["state"]): void =>
      output.sendStep({ id, state, input: "", result: null } as RunStep);
    step(1, "done");
    step(2, "running");
    step(3, "waiting");
    step(3, "waiting");
    step(2, "done");
    expect(events).toEqual(["waits"]);
    step(3, "running");
    step(3, "done");
    expect(events).toEqual(["waits", "goes on"]);
  });

  it("name the queue of a local model only while a step waits in it", () => {
    const { output, written } = openOutput();
    for (const ahead of [0, 2, 1, 0, 0]) output.showQueue(ahead);
    expect(written).toEqual(["queued", "queued", "reading"]);
  });

  it("stop when another replica continues the stream", async () => {
    const { output, events, fail } = openOutput();
    fail(new StreamTakenError("gen:id"));
    output.sendText("It is so.");
    await settled();
    expect(events).toEqual(["taken"]);
  });
});

describe("Coalescer", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("sends the first text at once and batches the rest", async () => {
    const parts: string[] = [];
    const coalescer = new Coalescer(async (text) => {
      parts.push(text);
    }, 20);
    coalescer.push("a");
    await nextTurn();
    expect(parts).toEqual(["a"]);
    for (const text of ["b", "c", "d"]) coalescer.push(text);
    mock.timers.tick(9); // at least half of the delay
    await nextTurn();
    expect(parts).toEqual(["a"]);
    mock.timers.tick(22); // at most one and a half
    await nextTurn();
    expect(parts).toEqual(["a", "bcd"]);
    coalescer.push("e");
    await coalescer.finish();
    expect(parts).toEqual(["a", "bcd", "e"]);
  });

  it("sends larger parts to a slow stream instead of queueing more, and keeps the order", async () => {
    const parts: string[] = [];
    const waiting: (() => void)[] = [];
    const coalescer = new Coalescer(async (text) => {
      parts.push(text);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }, 5);
    const numbers = Array.from({ length: 40 }, (_, index) => `${index},`);
    for (const [index, text] of numbers.entries()) {
      coalescer.push(text);
      mock.timers.tick(10);
      if (index === 19) waiting.shift()!();
      await nextTurn();
    }
    const finished = coalescer.finish();
    for (let flush = 0; flush < 2; flush += 1) {
      await nextTurn();
      waiting.shift()!();
    }
    await finished;
    expect(parts).toEqual([numbers[0], numbers.slice(1, 20).join(""), numbers.slice(20).join("")]);
  });

  it("reports a failed flush to the producer", async () => {
    const coalescer = new Coalescer(async () => {
      throw new Error("full");
    }, 1);
    coalescer.push("a");
    await nextTurn();
    expect(() => coalescer.push("b")).toThrow("full");
    await expect(coalescer.finish()).rejects.toThrow("full");
  });
});
