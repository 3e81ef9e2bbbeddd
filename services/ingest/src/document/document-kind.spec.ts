import { expect, it } from "@jest/globals";
import { kindOf } from "./document-kind.ts";

it("is told by every ending that a parser reads", () => {
  const kinds = Object.entries({
    word: ["a.docx", "a.docm", "a.dotx", "a.ott"],
    slides: ["a.PPTX", "a.pptm", "a.ppsx", "a.otp", "a.key"],
    sheet: ["a.xlsx", "a.xlsm", "a.xlsb", "a.ots", "a.csv"],
    mail: ["a.msg", "a.eml"],
  });
  for (const [kind, names] of kinds)
    for (const filename of names)
      expect([filename, kindOf({ filename, mime: "" })]).toEqual([filename, kind]);
});
