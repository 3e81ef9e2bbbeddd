import { describe, expect, it } from "@jest/globals";
import { readChunkSource, writeChunkSource, type DocumentSource } from "./document-source.ts";

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
