import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { root } from "../checkout.ts";
import { entriesUnder, findChangelogFaults, readChangelog, releaseNotes } from "./changelog.ts";

const sections = readChangelog(readFileSync(join(root, "CHANGELOG.md"), "utf8"));

it("each section of CHANGELOG.md, also of what isn't released, begins with what operators need", () => {
  expect(sections.length).toBeGreaterThan(0);
  for (const section of sections)
    expect([section.name, findChangelogFaults(section)]).toEqual([section.name, []]);
});

it("a section without entries for operators, or without a date, can't be released", () => {
  const faultsOf = (text: string): string[] => findChangelogFaults(readChangelog(text)[0]!);
  expect(faultsOf("## 1.0.0, 2026-11-30\n\n### For operators\n\n- One\n")).toEqual([]);
  expect(faultsOf("## 1.0.0\n\n### For operators\n\n- One\n")).toEqual([
    "has no date, as in ## 1.2.3, 2026-11-30",
  ]);
  expect(faultsOf("## Unreleased\n\n### For operators\n\n### Added\n\n- One\n")).toEqual([
    'has no entry under "### For operators"',
  ]);
  expect(faultsOf("## Unreleased\n\n### Added\n\n- One\n\n### For operators\n\n- Two\n")).toEqual([
    `doesn't begin with "### For operators"`,
  ]);
});

it("an entry is listed once", () => {
  for (const section of sections) {
    const headings = [...section.text.matchAll(/^### (.+)$/gm)].map(([, name]) => name!);
    const entries = headings.flatMap((heading) => entriesUnder(section, heading));
    expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]);
  }
});

it("takes what isn't released yet for a dry run only", () => {
  const text = "## Unreleased\n\n### For operators\n\n- Back up first\n";
  expect(releaseNotes(text, "1.2.3", true)).toContain("- Back up first");
  expect(() => releaseNotes(text, "1.2.3")).toThrow("no section for 1.2.3");
});
