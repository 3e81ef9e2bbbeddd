import { describe, expect, it } from "@jest/globals";
import {
  readChunkSource,
  webAddressOf,
  writeChunkSource,
  type DocumentSource,
} from "./document-source.ts";

describe("a chunk source", () => {
  it.each<[string, DocumentSource]>([
    ["link://https://example.com/a?b=c", { kind: "link", url: "https://example.com/a?b=c" }],
    ["link://", { kind: "link", url: "" }],
    [
      "github://https://github.com/a/b?payload=x",
      { kind: "connector", connector: "github", reference: "https://github.com/a/b?payload=x" },
    ],
  ])("%s names what the document was fetched from", (text, source) => {
    expect(readChunkSource(text)).toEqual(source);
    expect(source.kind !== "upload" && writeChunkSource(source)).toBe(text);
  });

  it.each(["", "notes.txt", "https://example.com", "localfile:///tmp/a", "Github://a"])(
    "%p belongs to an upload",
    (text) => expect(readChunkSource(text)).toEqual({ kind: "upload" }),
  );
});

it.each([
  ["link://https://page.example/a", undefined, "https://page.example/a"],
  ["link://javascript:alert(1)", undefined, null],
  [
    "github://https://github.com/a/b/blob/main/c.md",
    "00:01:02",
    "https://github.com/a/b/blob/main/c.md",
  ],
  ["folder:///srv/handbook/a.pdf", undefined, null],
  ["https://uploaded.example/", undefined, null],
  ["", undefined, null],
  ["youtube://https://www.youtube.com/watch?v=x", "About", "https://www.youtube.com/watch?v=x"],
  [
    "youtube://https://www.youtube.com/watch?v=x",
    "01:02:03",
    "https://www.youtube.com/watch?v=x&t=3723s",
  ],
])("%s at %s is shown at %s", (chunkSource, heading, address) => {
  expect(webAddressOf(chunkSource, heading)).toBe(address);
});
