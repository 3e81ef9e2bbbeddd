import { isSystemCommand } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { normalizeCommand } from "./preset.module.ts";

describe("slash commands", () => {
  it.each([
    ["/Explain", "/explain"],
    ["explain", "/explain"],
    ["  /two words ", "/two-words"],
    ["/größe!", "/gr--e-"],
    ["//x", "/-x"],
    ["/a_b-c9", "/a_b-c9"],
    ["/../etc", "/---etc"],
    ["RESET", "/reset"],
    [" /IMG", "/img"],
  ])("are normalized: %j becomes %j", (sent, kept) => {
    expect(normalizeCommand(sent, "seed")).toBe(kept);
  });

  it.each(["", " ", "/", "x"])(
    "are generated for %j, the same one for the same request",
    (sent) => {
      expect(normalizeCommand(sent, "one")).toMatch(/^\/[0-9a-f]{8}$/);
      expect(normalizeCommand(sent, "one")).toBe(normalizeCommand(sent, "one"));
      expect(normalizeCommand(sent, "one")).not.toBe(normalizeCommand(sent, "two"));
    },
  );

  it("include three reserved for Carrel", () => {
    expect(["/reset", "/img", "/exit", "/resets", "reset"].map(isSystemCommand)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
