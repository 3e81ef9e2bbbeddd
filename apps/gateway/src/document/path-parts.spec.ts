import { expect, it, describe } from "@jest/globals";
import { splitPaths, cleanFileName } from "./path-parts.ts";

it("splits a list by count and by bytes without losing items", () => {
  expect([...splitPaths([], 10)]).toEqual([]);
  expect([...splitPaths(["a", "b", "c"], 2)]).toEqual([["a", "b"], ["c"]]);
  const long = Array.from({ length: 400 }, (_, n) => `${n}-${"é".repeat(1_000)}`);
  const parts = [...splitPaths(long, 5_000)];
  expect(parts.flat()).toEqual(long);
  expect(Math.max(...parts.map((part) => Buffer.byteLength(JSON.stringify(part))))).toBeLessThan(
    200_000,
  );
});

describe("cleanFileName", () => {
  it.each([
    ["report.pdf", "report.pdf"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\me\\notes.txt", "notes.txt"],
    ['a<b>:"|?*c.txt', "abc.txt"],
    ["\u201cquoted\u201d.md", "quoted.md"],
    ["line\nbreak\u0000.txt", "linebreak.txt"],
    [Buffer.from("Übersicht – 日本.pdf").toString("latin1"), "Übersicht – 日本.pdf"],
    ["Übersicht.pdf", "Übersicht.pdf"],
    ["..", "file"],
    ["", "file"],
    ["/", "file"],
    [".htaccess", "htaccess"],
  ])("%j becomes %j", (given, clean) => {
    expect(cleanFileName(given)).toBe(clean);
  });

  it("keeps the extension of a name that is too long", () => {
    const name = cleanFileName(`${"ü".repeat(400)}.pdf`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(name.endsWith("ü.pdf")).toBe(true);
  });
});
