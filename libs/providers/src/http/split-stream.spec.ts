import { describe, expect, it } from "@jest/globals";
import { TextEvents, type StreamSplitter } from "./split-stream.ts";

/** Splits the text, received in pieces of `size` bytes. */
function split(splitter: StreamSplitter, text: string, size: number): string[] {
  const bytes = Buffer.from(text);
  const events: string[] = [];
  for (let at = 0; at < bytes.length; at += size)
    events.push(...splitter.push(bytes.subarray(at, at + size)));
  return [...events, ...splitter.end()];
}

describe.each([1, 2, 3, 7, 1_000])("a stream in pieces of %i bytes", (size) => {
  it("is split into the data of its events", () => {
    expect(
      split(
        new TextEvents(),
        ': ping\n\nevent: delta\ndata: {"text":"wörld ✓ 👩‍👧"}\n\ndata:one\r\ndata: two\r\nid: 3\r\n\r\n\ndata: [DONE]',
        size,
      ),
    ).toEqual(['{"text":"wörld ✓ 👩‍👧"}', "one\ntwo", "[DONE]"]);
  });

  it("is split into lines", () => {
    expect(split(new TextEvents(), '{"a":"é"}\n\n{"b":2}\r\n{"c":3}', size)).toEqual([
      '{"a":"é"}',
      '{"b":2}',
      '{"c":3}',
    ]);
  });

  it("is one event if it is JSON in place of events", () => {
    const json = '{"error": {\n\n"message": "data: é"}}';
    expect(split(new TextEvents(), `\n ${json}`, size).map((text) => text.trim())).toEqual([json]);
    expect(split(new TextEvents(), '\ndata: {}\n\ndata: {"a":\ndata: 1}', size)).toEqual([
      "{}",
      '{"a":\n1}',
    ]);
    expect(split(new TextEvents(), "\n", size)).toEqual([]);
  });
});
