import { describe, expect, it } from "@jest/globals";
import { splitThoughts } from "./message.ts";

describe("a reasoning model's thoughts", () => {
  it.each([
    ["Four.", "", "Four."],
    ["<think>Hm.</think>Four.", "Hm.", "Four."],
    ["<think>A.</think>\n<think>B.</think>\n\nFour.", "A.\n\nB.", "Four."],
    ["<think>still", "still", ""],
    ["Use `<think>` and `</think>`.", "", "Use `<think>` and `</think>`."],
    ["Look.\n</think>\nFour.", "", "Look.\n</think>\nFour."],
    ["<think>a</think><reflection>It is 5.</reflection>", "a", "<reflection>It is 5.</reflection>"],
  ])("%j", (text, thoughts, answer) => {
    expect(splitThoughts({ text, thoughts: "" })).toEqual({ thoughts, answer });
  });

  it("are those that the server sent apart", () => {
    expect(splitThoughts({ text: "Four.", thoughts: "Hm." })).toEqual({
      thoughts: "Hm.",
      answer: "Four.",
    });
  });
});
