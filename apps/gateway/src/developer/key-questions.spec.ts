import { describe, expect, it } from "@jest/globals";
import type { FrameSink } from "../chat/generation-relay.ts";
import { ApiFrames } from "./key-questions.ts";

const source = { id: "s", title: "a.txt", text: "Text" };
const chunk = (textResponse: string, close: boolean, sources: object[] = []) => ({
  uuid: "u",
  sources,
  type: "textResponseChunk",
  textResponse,
  close,
  error: false,
});
const final = { uuid: "u", type: "finalizeResponseStream", close: true, error: false, chatId: 9 };

describe("ApiFrames", () => {
  it("moves the sources to the last frame and leaves out new names", async () => {
    const sent: unknown[] = [];
    const sink = {
      carrel: false,
      signal: new AbortController().signal,
      leftByClient: false,
      send: (frame: string) => Promise.resolve(void sent.push(JSON.parse(frame))),
      end: () => void sent.push("end"),
    } satisfies FrameSink;
    const frames = new ApiFrames(sink);
    const tricky = chunk('"close":true', false);
    for (const frame of [
      chunk("It is.", false),
      tricky,
      chunk("", true, [source]),
      final,
      { action: "rename_thread", thread: { slug: "t", name: "It" } },
    ])
      await frames.send(JSON.stringify(frame));
    frames.end();
    expect(sent).toEqual([
      chunk("It is.", false),
      tricky,
      chunk("", true),
      { ...final, sources: [source] },
      "end",
    ]);
  });
});
