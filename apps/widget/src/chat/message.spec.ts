import { describe, expect, it } from "@jest/globals";
import { splitThoughts } from "./message.ts";

describe("a reasoning model's thoughts", () => {
  it.each([
    ["Four.", "", "Four."],
    ["<think>Hm.</think>Four.", "Hm.", "Four."],
    ["<think>A.</think>\n<think>B.</think>\n\nFour.", "A.\n\nB.", "Four."],
    ["<thought>Hm.</thought>Four.", "Hm.", "Four."],
    ["[THINK]Hm.[/THINK]Four.", "Hm.", "Four."],
    ["◁think▷Hm.◁/think▷Four.", "Hm.", "Four."],
    [
      "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Four.",
      "Hm.",
      "Four.",
    ],
    ["Hm.\n</think>\n\nFour.", "Hm.", "Four."],
    ["<think>still", "still", ""],
    ["Use `<think>` and `</think>`.", "", "Use `<think>` and `</think>`."],
    ["The tag </think> ends it.", "", "The tag </think> ends it."],
  ])("%j", (text, thoughts, answer) => {
    expect(splitThoughts(text)).toEqual({ thoughts, answer });
  });
});
