import { describe, expect, it } from "@jest/globals";
import { addMention, mentionBefore, removeLastMention, takeMentions } from "./mentions.ts";

describe("mentions", () => {
  it("are taken once, with one model", () => {
    const model = (name: string) => ({
      kind: "model" as const,
      id: name,
      name,
      choice: { provider: "openai", model: name },
    });
    addMention("w/t", { kind: "document", id: "d1", name: "Report" });
    addMention("w/t", { kind: "document", id: "d1", name: "Report" });
    addMention("w/t", { kind: "folder", id: "plans/2026", name: "2026" });
    addMention("w/t", model("large"));
    addMention("w/t", model("small"));
    expect(takeMentions("w/t")).toEqual({
      mentions: [
        { kind: "document", name: "Report" },
        { kind: "folder", name: "2026" },
        { kind: "model", name: "small" },
      ],
      places: { documentIds: ["d1"], folders: ["plans/2026"] },
      modelChoice: { provider: "openai", model: "small" },
    });
    expect(takeMentions("w/t")).toBeNull();
    expect(removeLastMention("w/t")).toBe(false);
  });

  it.each([
    ["@", 1, ""],
    ["What does @rep", 14, "rep"],
    ["What does @rep say", 14, "rep"],
    ["What does @rep say", 18, null],
    ["mail me@example.org", 19, null],
    ["two @@", 6, null],
    ["@agent", 6, null],
    ["@agent search @rep", 18, null],
    ["line\n@rép", 9, "rép"],
    ["plain", 5, null],
  ])("are suggested for the text between an @ and the caret: %j at %i", (text, caret, expected) =>
    expect(mentionBefore(text, caret)).toBe(expected),
  );
});
