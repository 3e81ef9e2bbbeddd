import { describe, expect, it } from "@jest/globals";
import { nameMembers, nameSheets } from "./sheet-documents.ts";

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

const archive = {
  id: "0123abcd-0000-4000-8000-000000000000",
  folder: "custom-documents",
  filename: "Harbour 2026.zip",
};

it("names the files of an archive in its folders, uniquely and never outside", () => {
  const names = nameMembers(archive, ["log/May/2.txt", "log/May/2 .txt", "Ä.md", "../../x.txt"]);
  expect(names).toEqual([
    {
      folder: "harbour-2026-0123abcd/log/May",
      docpath: "harbour-2026-0123abcd/log/May/2.txt-0123abcd.json",
      title: "2.txt",
    },
    {
      folder: "harbour-2026-0123abcd/log/May",
      docpath: "harbour-2026-0123abcd/log/May/2-.txt-0123abcd.json",
      title: "2 .txt",
    },
    {
      folder: "harbour-2026-0123abcd",
      docpath: "harbour-2026-0123abcd/ä.md-0123abcd.json",
      title: "Ä.md",
    },
    {
      folder: "harbour-2026-0123abcd",
      docpath: "harbour-2026-0123abcd/x.txt-0123abcd.json",
      title: "x.txt",
    },
  ]);
  const long = `${"a".repeat(999)}\u{1f30a}`;
  expect(nameMembers(archive, [long])[0]!.title).toBe("a".repeat(999));
  expect(nameMembers({ ...archive, folder: "finance" }, ["a/b.txt"])[0]!.folder).toBe("finance/a");
});
