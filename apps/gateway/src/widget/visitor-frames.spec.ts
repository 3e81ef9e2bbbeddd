import { describe, expect, it } from "@jest/globals";
import type { SourceWire } from "@carrel/contracts";
import { shapeForVisitors, visitorSources } from "./visitor-frames.ts";

const source = {
  id: "1",
  url: "file:///srv/a.pdf",
  title: "a.pdf",
  docAuthor: "ada",
  chunkSource: "",
  docpath: "custom-documents/a.pdf",
  documentId: "d1",
  text: "<document_metadata>\nsourceDocument: a.pdf\n</document_metadata>\n\nText.",
  page: 3,
  score: 0.9,
} as unknown as SourceWire;
const shape = (frame: object, showSources = false): unknown => {
  const shaped = shapeForVisitors(showSources)(JSON.stringify(frame));
  return shaped === null ? null : JSON.parse(shaped);
};

describe("frames for visitors", () => {
  const chunk = { uuid: "u", sources: [], type: "textResponseChunk", textResponse: "Hi" };

  it("keep the text and end with the closing chunk", () => {
    const open = { ...chunk, close: false, error: false };
    expect(shape(open)).toEqual(open);
    const closing = { ...chunk, textResponse: "", close: true, error: false, sources: [source] };
    expect(shape(closing)).toEqual({ ...closing, sources: [] });
    expect(shape({ uuid: "u", type: "finalizeResponseStream", chatId: 7, metrics: {} })).toBeNull();
    expect(shape({ id: "i", type: "statusResponse", textResponse: "Using model X" })).toBeNull();
    expect(shape({ action: "rename_thread", thread: {} })).toBeNull();
  });

  it("show sources only where enabled, without anything that locates the document", () => {
    const closing = { ...chunk, textResponse: "", close: true, error: false, sources: [source] };
    expect(shape(closing, true)).toEqual({
      ...closing,
      sources: [{ title: "a.pdf", text: "Text.", page: 3, number: 1, url: null }],
    });
    const [page, script] = visitorSources([
      { ...source, chunkSource: "link://https://example.com/a?b" },
      { ...source, chunkSource: "link://javascript:alert(1)" },
    ]);
    expect([page?.url, script?.url]).toEqual(["https://example.com/a?b", null]);
  });

  it("don't tell why an answer failed", () => {
    const failed = {
      uuid: "u",
      type: "abort",
      textResponse: null,
      sources: [],
      close: true,
      error: "Couldn't reach Ollama at http://10.0.0.3:11434",
    };
    expect(shape(failed)).toEqual({
      ...failed,
      error: "No answer is available right now. Try again later.",
      errorMsg: "No answer is available right now. Try again later.",
    });
  });

  it("drop citation marks along with the sources, wherever the text is split", () => {
    const read = (text: string, showSources: boolean): string => {
      const shaped = shapeForVisitors(showSources);
      return [...text, null]
        .map((part) =>
          shaped(JSON.stringify({ ...chunk, textResponse: part ?? "", close: part === null })),
        )
        .map((frame) => (frame === null ? "" : (JSON.parse(frame) as typeof chunk).textResponse))
        .join("");
    };
    const text = "Glass [1, 2] goes `a[3]` to the shed [4].";
    expect(read(text, false)).toBe("Glass goes `a[3]` to the shed.");
    expect(read(text, true)).toBe(text);
    expect(read("Open [12", false)).toBe("Open [12");
    expect(
      shape({ ...chunk, type: "textResponse", textResponse: text, close: true }),
    ).toMatchObject({
      textResponse: "Glass goes `a[3]` to the shed.",
    });
  });
});
