import { readFileSync } from "node:fs";
import path from "node:path";
import { findBesideCheckout } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { parse } from "../../test/parse.ts";

/** Files that went wrong, kept out of the repository; variants of all are in the other tests. */
const folder = findBesideCheckout("data/inputs");
const test = folder === null ? it.skip : it;

test.each<[file: string, words: string[]]>([
  ["xlsx-long-numbers.xlsx", ["4006381333931", "5012345678900", "123456789012345"]],
  ["xlsx-year-header.xlsx", ["2021: 811", "2023: 933"]],
  ["xlsx-preamble.xlsx", ["Date: 2024-01-02\nText: Dues\nAmount: -40"]],
  ["csv-sep-line.csv", ["Ship: Aurora\nCargo: salt\nTons: 120"]],
  ["xlsx-dates.xlsx", ["When: 2024-03-04", "When: 2024-11-09 14:30", "When: 30:00"]],
  ["xlsx-formula-uncached.xlsx", ["Item: Total\nNet: =SUM(B2:B2)"]],
  ["xlsx-merged-rows.xlsx", ["Region: North\nQuarter: Q2", "Region: South\nQuarter: Q2"]],
  [
    "xlsx-comment-hidden-sheet.xlsx",
    ["pilot cutter Ganimede", "Secret (hidden sheet)", "Word: Bergamotte"],
  ],
])(
  `%s${folder === null ? " (not run: ../shared/data/inputs is missing)" : ""}`,
  async (file, words) => {
    const { text } = await parse(file, readFileSync(path.join(folder!, file)));
    for (const word of words) expect(text).toContain(word);
  },
);
