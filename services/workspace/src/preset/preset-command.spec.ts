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
  ])("normalizes %j to %j", (sent, kept) => {
    expect(normalizeCommand(sent, "seed")).toBe(kept);
  });

  it.each(["", " ", "/", "x"])(
    "generates a name for %j, the same one for the same request",
    (sent) => {
      expect(normalizeCommand(sent, "one")).toMatch(/^\/[0-9a-f]{8}$/);
      expect(normalizeCommand(sent, "one")).toBe(normalizeCommand(sent, "one"));
      expect(normalizeCommand(sent, "one")).not.toBe(normalizeCommand(sent, "two"));
    },
  );

  it("recognizes Carrel's three system commands", () => {
    expect(["/reset", "/img", "/exit", "/resets", "reset"].map(isSystemCommand)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
