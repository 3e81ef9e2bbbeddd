import { EventEmitter } from "node:events";
import type { GenerationFrame } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { GenerationCollector } from "./collect-generation.ts";

const collect = async (frames: object[]) => {
  const raw = Object.assign(new EventEmitter(), { destroyed: false, socket: {} });
  const { signal: stopping } = new AbortController();
  // Frames that come with the reply need no relay.
  const collector = new GenerationCollector({} as never, { stopping } as never);
  const started = { generationId: null, frames: frames as GenerationFrame[] };
  return collector.collect(started as never, { scope: {}, reply: { raw } } as never);
};
const chunk = (textResponse: string): object => ({ type: "textResponseChunk", textResponse });
const reasoning = (start: number, end: number | null): object => ({
  type: "generationReasoning",
  start,
  end,
  milliseconds: 9,
});

describe("an answer that is replied as a whole", () => {
  it("has reasoning inline, whose opening tag is known only at its end", async () => {
    const late = [chunk("Okay…"), reasoning(0, 13), chunk("</think>Alpha"), reasoning(18, null)];
    expect(await collect([...late, chunk("<think>B")])).toMatchObject({
      text: "<think>Okay…</think>Alpha<think>B",
      reasoning: [
        { start: 0, end: 20 },
        { start: 25, end: 33 },
      ],
    });
    const ordinary = [reasoning(0, null), chunk("<think>Hm."), reasoning(0, 18)];
    expect(await collect([...ordinary, chunk("</think>Four.")])).toMatchObject({
      text: "<think>Hm.</think>Four.",
      reasoning: [{ start: 0, end: 18 }],
    });
  });
});
