import { describe, expect, it } from "@jest/globals";
import { nameSheets } from "./sheet-documents.ts";

const document = {
  id: "0123abcd-0000-4000-8000-000000000000",
  folder: "custom-documents",
  filename: "Budget 2026.xlsx",
  title: "Budget",
};

describe("names of the sheets of a spreadsheet", () => {
  it("get a separate folder, are unique, and are never a path", () => {
    const names = nameSheets(document, ["Costs", "costs", "../x", "表"]);
    expect(names.map((name) => name.docpath)).toEqual(
      ["sheet-costs", "sheet-costs-2", "sheet-x", "sheet-表"].map(
        (file) => `budget-2026.xlsx-0123abcd/${file}.json`,
      ),
    );
    expect(names[0]).toMatchObject({
      folder: "budget-2026.xlsx-0123abcd",
      title: "Budget - Sheet:Costs",
    });
  });
  it("stay in the folder the uploader chose", () => {
    expect(nameSheets({ ...document, folder: "finance" }, ["Costs"])[0]).toMatchObject({
      folder: "finance",
      docpath: "finance/sheet-costs-0123abcd.json",
    });
  });
});
