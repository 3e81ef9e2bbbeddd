import { describe, expect, it } from "@jest/globals";
import { diffLines } from "../workspace-document/document-version.handler.ts";

const marks = { same: " ", removed: "-", added: "+" };
const show = (before: string, after: string): string[] =>
  diffLines(before, after).hunks.map(
    ({ oldLine, newLine, lines }) =>
      `${oldLine}/${newLine} ${lines.map(({ kind, text }) => `${marks[kind]}${text}`).join("|")}`,
  );

describe("the difference between two texts", () => {
  it("shows changed lines with those around them", () => {
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`);
    const changed = lines.with(10, "ten").with(12, "twelve").toSpliced(30, 1);
    expect(show(lines.join("\n"), ["first", ...changed].join("\n"))).toEqual([
      "1/1 +first| line 0| line 1",
      "9/10  line 8| line 9|-line 10|+ten| line 11|-line 12|+twelve| line 13| line 14",
      "29/30  line 28| line 29|-line 30| line 31| line 32",
    ]);
  });

  it("knows moved and repeated lines, and texts that have nothing in common", () => {
    expect(show("a\nb\nc", "c\na\nb")).toEqual(["1/1 +c| a| b|-c"]);
    expect(show("x\nx\nx", "x\nx")).toEqual(["1/1  x| x|-x"]);
    expect(show("a\nb", "c")).toEqual(["1/1 -a|-b|+c"]);
    expect(diffLines("a\nb", "a\nb")).toEqual({
      added: 0,
      removed: 0,
      hunks: [],
      isComplete: true,
    });
  });

  it("takes n log n steps, and stops where a reply is full", () => {
    const before = Array.from({ length: 200_000 }, (_, n) => `${n % 3}`).join("\n");
    const after = Array.from({ length: 200_000 }, (_, n) => `${(n * 7) % 5} ${n}`).join("\n");
    const started = process.threadCpuUsage();
    const diff = diffLines(before, after);
    expect(process.threadCpuUsage(started).user).toBeLessThan(2_000_000);
    expect(diff).toMatchObject({ added: 200_000, removed: 200_000, isComplete: false });
    expect(JSON.stringify(diff).length).toBeLessThan(400_000);
  });
});
