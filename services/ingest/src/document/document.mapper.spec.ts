import { isWatchable } from "@carrel/contracts";
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

test.each([
  ["github://https://github.com/a/b", "README.md", true],
  ["link://https://a.example/", "a.example.html", true],
  ["link://https://a.example/", "Tides", false],
  ["obsidian://vault", "note.md", false],
  ["paperless-ngx://1", "invoice", false],
  ["note://1", "note.txt", false],
  ["", "notes.txt", false],
])("a document from %p called %s can be watched: %p", (chunkSource, title, wanted) => {
  expect(isWatchable({ chunkSource, title, isUpload: false })).toBe(wanted);
  expect(isWatchable({ chunkSource, title, isUpload: true })).toBe(false);
});
