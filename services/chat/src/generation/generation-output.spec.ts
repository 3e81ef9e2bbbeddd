import { StreamTakenError, type StreamWriter } from "@carrel/messaging";
import { GenerationOutput } from "./generation-output.ts";

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

  it("stop when another replica continues the stream", async () => {
    const { output, events, fail } = openOutput();
    fail(new StreamTakenError("gen:id"));
    output.sendText("It is so.");
    await settled();
    expect(events).toEqual(["taken"]);
  });
});
