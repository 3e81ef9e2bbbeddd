import { describe, expect, it } from "@jest/globals";
import { readEventData } from "./event-data.ts";

const streamOf = (chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      controller.close();
    },
  });
const read = (chunks: (string | Uint8Array)[]): Promise<string[]> =>
  Array.fromAsync(readEventData(streamOf(chunks)));

describe("readEventData", () => {
  it("reads events whatever the chunks and line breaks", async () => {
    const text = ": comment\n\nid: 1\ndata: one\n\ndata:two\r\ndata: lines\r\n\r\ndata: three\r\r";
    const expected = ["one", "two\nlines", "three"];
    expect(await read([text])).toEqual(expected);
    expect(await read([...text])).toEqual(expected);
  });

  it("joins characters split between chunks, and drops an incomplete event", async () => {
    const bytes = new TextEncoder().encode("data: 48 °C\n\ndata: cut");
    const middle = bytes.indexOf(0xc2) + 1;
    expect(await read([bytes.slice(0, middle), bytes.slice(middle)])).toEqual(["48 °C"]);
  });

  it("cancels the stream when the reader stops", async () => {
    let reason: unknown = "still open";
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: one\n\n")),
      cancel: () => void (reason = "cancelled"),
    });
    for await (const data of readEventData(stream)) {
      expect(data).toBe("one");
      break;
    }
    expect(reason).toBe("cancelled");
  });
});
