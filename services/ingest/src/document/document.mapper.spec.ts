import { labelFolder } from "./document.mapper.ts";

test.each([
  ["custom-documents", null],
  ["Contracts/2026", "Contracts/2026"],
  ["prices-89c0f156", "Prices.xlsx"],
  ["Contracts/prices-89c0f156/inner", "Contracts/Prices.xlsx/inner"],
  // A date, not this upload.
  ["report-20240101", "report-20240101"],
])("shows the folder %s as %s", (folder, label) => {
  const uploadId = "89c0f156-0000-4000-8000-000000000000";
  const id = "11111111-0000-4000-8000-000000000000";
  expect(labelFolder({ id, uploadId, folder, filename: "Prices.xlsx" })).toBe(label);
  expect(labelFolder({ id: uploadId, uploadId: null, folder, filename: "Prices.xlsx" })).toBe(
    label,
  );
});
