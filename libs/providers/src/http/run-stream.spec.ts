import { expect, it } from "@jest/globals";
import type { StreamPart } from "../spec/stream-part.ts";
import { PartQueue } from "./run-stream.ts";

const call: StreamPart = { type: "tool-call-start", id: "1", name: "n" };

function fill(parts: PartQueue): PartQueue {
  parts.addText("reasoning-delta", "a");
  parts.addText("reasoning-delta", "b");
  parts.addText("text-delta", "c");
  parts.addText("text-delta", "");
  parts.addText("text-delta", null);
  parts.addText("text-delta", "d");
  parts.add(call);
  parts.addText("text-delta", "e");
  return parts;
}

it("joins successive pieces of the same kind, keeps the order and drops empty pieces", () => {
  const parts = fill(new PartQueue(true));
  expect(parts.take()).toEqual([
    { type: "reasoning-delta", text: "ab" },
    { type: "text-delta", text: "cd" },
    call,
    { type: "text-delta", text: "e" },
  ]);
  parts.addText("text-delta", "later");
  expect(parts.take()).toEqual([{ type: "text-delta", text: "later" }]);
  expect(parts.take()).toEqual([]);
});

it("keeps each piece if it doesn't join them", () => {
  expect(fill(new PartQueue(false)).take()).toHaveLength(6);
});
