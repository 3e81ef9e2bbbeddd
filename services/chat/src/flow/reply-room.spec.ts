import { describe, expect, it } from "@jest/globals";
import { ReplyRoom } from "./reply-room.ts";

describe("texts that share a reply", () => {
  it.each(["\u0001", "天", "\n", "a", "😀"])("fit into it: %j", (text) => {
    const room = new ReplyRoom(10_000);
    const clipped = Array.from({ length: 100 }, () => room.clip(text.repeat(1_000), 500));
    expect(
      Buffer.byteLength(clipped.map((each) => JSON.stringify(each).slice(1, -1)).join("")),
    ).toBeLessThanOrEqual(10_000);
    expect(clipped[0]!.length).toBe(500);
  });
});
