import { expect, it } from "@jest/globals";
import { nameMembers } from "./member-names.ts";

const document = {
  id: "0123abcd-0000-4000-8000-000000000000",
  folder: "custom-documents",
  filename: "Harbour 2026.zip",
};

it("names the files of an archive in its folders, uniquely and never outside", () => {
  const names = nameMembers(document, ["log/May/2.txt", "log/May/2 .txt", "Ä.md", "../../x.txt"]);
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
  expect(nameMembers(document, [long])[0]!.title).toBe("a".repeat(999));
  expect(nameMembers({ ...document, folder: "finance" }, ["a/b.txt"])[0]!.folder).toBe("finance/a");
});
