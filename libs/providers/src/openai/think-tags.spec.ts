import { describe, expect, it } from "@jest/globals";
import { PartQueue } from "../http/part-queue.ts";
import { ThinkTags } from "./think-tags.ts";

function split(pieces: string[]): { reasoning: string; text: string } {
  const tags = new ThinkTags();
  const queue = new PartQueue(false);
  for (const piece of pieces) tags.add(piece, queue);
  tags.end(queue);
  const joined = { reasoning: "", text: "" };
  for (const part of queue.take()) {
    if (part.type === "reasoning-delta") joined.reasoning += part.text;
    if (part.type === "text-delta") joined.text += part.text;
  }
  return joined;
}

describe("reasoning in tags", () => {
  it.each<[string, string[], string, string]>([
    ["plain text", ["Hel", "lo"], "", "Hello"],
    ["a whole answer at once", ["<think>Hm.</think>\n\nYes."], "Hm.", "Yes."],
    ["tags after the beginning", ["Use <think>x</think>."], "", "Use <think>x</think>."],
    ["an empty block", ["<think>\n\n</think>\n\nYes."], "\n\n", "Yes."],
    ["a text that only begins like a tag", ["<thi", "s> is"], "", "<this> is"],
    ["whitespace before the tag", ["\n", "<think>", "Hm", "</think>", "\n", "Yes"], "Hm", "Yes"],
    ["reasoning that never ends", ["<think>Hm </thi"], "Hm </thi", ""],
    ["only a piece of a tag", ["<th"], "", "<th"],
  ])("%s", (_what, pieces, reasoning, text) => {
    expect(split(pieces)).toEqual({ reasoning, text });
  });

  it("is found however it is cut", () => {
    const whole = "<think>a < b </ c</think>\nYes </think>";
    for (let at = 1; at < whole.length; at++)
      expect(split([whole.slice(0, at), whole.slice(at)])).toEqual({
        reasoning: "a < b </ c",
        text: "Yes </think>",
      });
    expect(split([...whole])).toEqual({ reasoning: "a < b </ c", text: "Yes </think>" });
  });
});
