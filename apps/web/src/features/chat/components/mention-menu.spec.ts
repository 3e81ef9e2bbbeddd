import { nameFolders } from "./mention-menu.tsx";

test("names folders as the library does, without the root, and tells equal names apart", () => {
  expect(
    nameFolders([
      { folder: "custom-documents", folderLabel: null },
      { folder: "prices-89c0f156", folderLabel: "Prices.xlsx" },
      { folder: "prices-89c0f156", folderLabel: "Prices.xlsx" },
      { folder: "prices-ff4a9921", folderLabel: "Prices.xlsx" },
      { folder: "Contracts" },
    ]),
  ).toEqual([
    { name: "prices-89c0f156", label: "Prices.xlsx" },
    { name: "prices-ff4a9921", label: "Prices.xlsx (2)" },
    { name: "Contracts", label: "Contracts" },
  ]);
});
