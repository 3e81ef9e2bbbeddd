import { describe, expect, it } from "@jest/globals";
import { isSystemCommand, normalizeCommand } from "./preset-command.ts";

describe("commands", () => {
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
  ])("%j is kept as %j", (sent, kept) => {
    expect(normalizeCommand(sent, "seed")).toBe(kept);
  });

  it.each(["", " ", "/", "x"])(
    "%j gets a name of its own, the same for the same request",
    (sent) => {
      expect(normalizeCommand(sent, "one")).toMatch(/^\/[0-9a-f]{8}$/);
      expect(normalizeCommand(sent, "one")).toBe(normalizeCommand(sent, "one"));
      expect(normalizeCommand(sent, "one")).not.toBe(normalizeCommand(sent, "two"));
    },
  );

  it("of Carrel are three", () => {
    expect(["/reset", "/img", "/exit", "/resets", "reset"].map(isSystemCommand)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
