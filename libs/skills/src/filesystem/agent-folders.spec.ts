import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parseAgentFolders, refuseOwnData } from "./agent-folders.ts";
import { matchesName } from "./search-files.ts";

describe("CARREL_AGENT_FOLDERS", () => {
  it("lists paths, with names and :rw", () => {
    expect(
      parseAgentFolders([
        "/srv/handbook",
        "/srv/reports/:rw",
        "Old reports=/mnt/a=b:rw",
        "x=/y:ro",
      ]),
    ).toEqual([
      { name: "handbook", path: "/srv/handbook", writable: false },
      { name: "reports", path: "/srv/reports", writable: true },
      { name: "Old reports", path: "/mnt/a=b", writable: true },
      { name: "x", path: "/y", writable: false },
    ]);
  });

  it.each([
    [["srv/handbook"], "not a folder"],
    [["/"], "needs a name"],
    [["../x=/srv"], "not a folder"],
    [["..=/srv"], "needs a name"],
    [["/a/x", "/b/X"], "two folders are named x"],
  ])("refuses %j", (entries, message) => {
    expect(() => parseAgentFolders(entries)).toThrow(message);
  });

  describe("and Carrel's own data", () => {
    let place: string;
    beforeAll(() => {
      place = mkdtempSync(path.join(tmpdir(), "carrel-own-"));
      mkdirSync(path.join(place, "home/storage"), { recursive: true });
      symlinkSync(place, path.join(place, "link"));
    });
    afterAll(() => rmSync(place, { recursive: true }));

    it("exclude each other", () => {
      const check = (folder: string): void =>
        refuseOwnData(parseAgentFolders([`x=${folder}`]), path.join(place, "home"));
      for (const folder of [place, "/", path.join(place, "link")])
        expect(() => check(folder)).toThrow("contains Carrel's own data");
      expect(() => check(path.join(place, "link/home/storage"))).toThrow("is part of");
      check(path.join(place, "home-2"));
    });
  });
});

describe("names", () => {
  it.each([
    ["port", "report.md", true],
    ["*.md", "report.md", true],
    ["*.md", "report.mdx", false],
    ["r?port*", "report.md", true],
    ["*a*b*c", "xxaxxbxxc", true],
    ["", "anything", true],
    [`${"*a".repeat(200)}b`, "a".repeat(250), false],
  ])("match %s: %s, %s", (pattern, name, expected) => {
    expect(matchesName(pattern, name)).toBe(expected);
  });
});
