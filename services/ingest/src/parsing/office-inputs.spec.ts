import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { findBesideCheckout } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import { english, parse } from "../../test/parse-recognised.ts";

const folder = path.join(findBesideCheckout("data") ?? "", "inputs");
const inputs = existsSync(folder) ? it : it.skip;
const missing = existsSync(folder) ? "" : " (not run: ../shared/data/inputs is missing)";

describe(`Office files that were once misread${missing}`, () => {
  inputs.each([
    ["docx-fldsimple.docx", ["Dear Madame Auberive, your berth is ready."]],
    ["docx-equation.docx", ["F=rho·g·V", "displacement/waterplane"]],
    ["docx-header-footer.docx", ["KX-7741-B", "notary Isolde Brankovic"]],
    ["docx-comment.docx", ["Perpetua Lund: Not in winter, see the Halcyon rule."]],
    ["docx-checkbox.docx", ["☒ Insured\n\n☐ Bonded"]],
    [
      "docx-chart.docx",
      ["Herring landed by year", "1911\nTonnes: 4821", "Bar chart of herring catches at Skarn"],
    ],
    [
      "docx-multilevel-numbers.docx",
      [
        "§ 1 Scope\n1.1 This licence covers the oyster beds.\n1.2 It excludes the mussel racks.\n§ 2 Fees\n2.1 The annual fee is nine florins.\n(a) Half is due in March.\n(b) Half is due in September.\n2.2 Fees are not refunded.\n§ 3 Term",
      ],
    ],
    ["docx-vmerge.docx", ["Port: Kestrel\nQuay: South\nDepth: 11 m", "Port: Heron\nQuay: West"]],
    ["docx-image-text.docx", ["Certificate of seaworthiness", "ketch Osprey Lark", "ninth of May"]],
    ["zip-trailing-newline.docx", ["The fee is seventy florins."]],
    ["zip-trailing-newline.xlsx", ["Launch"]],
    [
      "zip-trailing-newline.pptx",
      ["Skarn bank\nTonnes of herring: 4821", "Hidden slide on Vex (hidden slide)", "Port: Heron"],
    ],
  ])(
    "%s",
    async (name, wanted) => {
      const { text } = await parse(name, readFileSync(path.join(folder, name)), english);
      for (const words of wanted) expect(text).toContain(words);
    },
    60_000,
  );
});
