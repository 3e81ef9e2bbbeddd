import type { SourceWire } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
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

  describe("and reasoning", () => {
    type Piece = string | { start: number; end: number | null };
    const read = (pieces: Piece[], reasoning: "inline" | "apart" | "hidden"): object => {
      const shaped = shapeForVisitors(false, reasoning);
      const seen = { text: "", thoughts: "" };
      for (const piece of pieces) {
        const frame = shaped(
          JSON.stringify(
            typeof piece === "string"
              ? { ...chunk, textResponse: piece, close: false }
              : { type: "generationReasoning", ...piece, milliseconds: 0 },
          ),
        );
        if (frame === null) continue;
        const told = JSON.parse(frame) as Record<string, string>;
        if (told.wereThoughts) [seen.thoughts, seen.text] = [seen.text, ""];
        seen.text += told.textResponse;
        seen.thoughts += told.thoughts ?? "";
      }
      return seen;
    };
    const steps: Piece[] = [
      { start: 0, end: null },
      "<think>a [1]",
      { start: 0, end: 20 },
      "</think>Use `<think>`.",
      { start: 34, end: null },
      "<think>SECRET",
      { start: 34, end: 55 },
      "</think>Step 2 [3].",
    ];

    it("leave it inline for existing widgets", () => {
      expect(read(steps, "inline")).toEqual({
        text: "<think>a</think>Use `<think>`.<think>SECRET</think>Step 2.",
        thoughts: "",
      });
    });

    it("send it apart to ours, if it asks for it", () => {
      const text = "Use `<think>`.\n\nStep 2.";
      expect(read(steps, "apart")).toEqual({ text, thoughts: "a\n\nSECRET" });
      expect(read(steps, "hidden")).toEqual({ text, thoughts: "" });
    });

    it("take back text that turned out to be reasoning", () => {
      const late: Piece[] = ["Use `a`.\n", { start: 0, end: 17 }, "</think>", "Four."];
      expect(read(late, "hidden")).toEqual({ text: "Four.", thoughts: "Use `a`.\n" });
    });
  });
});
