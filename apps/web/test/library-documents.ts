import type { LibraryDocument } from "@carrel/contracts";

const uuid = (n: number): string => `00000000-0000-4000-a000-${String(n).padStart(12, "0")}`;
export const libraryDocument = (
  n: number,
  folder: string,
  title: string,
  rest: Partial<LibraryDocument> = {},
): LibraryDocument => ({
  documentId: uuid(n),
  docpath: `${folder}/${title}-${n}.json`,
  folder,
  title,
  filename: title,
  kind: title.endsWith(".pdf") ? "pdf" : title.endsWith(".xlsx") ? "sheet" : "text",
  mime: title.endsWith(".pdf") ? "application/pdf" : "text/plain",
  bytes: 24_000 + n * 17,
  pages: null,
  wordCount: 1200,
  state: "parsed",
  reason: null,
  addedAt: "2026-11-12T09:00:00.000Z",
  source: "",
  canWatch: false,
  tags: [],
  hasOriginal: true,
  workspaces: [],
  ...rest,
});
export const kindOf = (title: string): string =>
  title.endsWith(".pdf")
    ? "pdf"
    : title.endsWith(".docx")
      ? "word"
      : title.endsWith(".csv")
        ? "sheet"
        : title.includes(".")
          ? "text"
          : "web";
export const sampleLibrary = (): LibraryDocument[] => [
  libraryDocument(1, "Retrofit 2024/Block A–C drawings", "Plan, block A.pdf"),
  libraryDocument(2, "Retrofit 2024/Block A–C drawings", "Plan, block B.pdf"),
  libraryDocument(3, "Retrofit 2024/Measurements", "Riser flow measurements.xlsx", {
    workspaces: [1],
  }),
  libraryDocument(4, "Retrofit 2024/Measurements", "Meter readings, first quarter.xlsx", {
    tags: ["2024", "Meters"],
  }),
  libraryDocument(5, "Retrofit 2024/Measurements", "Meter readings, second quarter.xlsx"),
  libraryDocument(6, "Retrofit 2024/Measurements", "Radiator schedule, block C.csv", {
    workspaces: [1],
  }),
  libraryDocument(7, "Retrofit 2024/Measurements", "Thermal images, block C.zip", {
    state: "failed",
    reason: "Archives cannot be read.",
  }),
  libraryDocument(8, "Retrofit 2024", "Retrofit survey 2024.pdf", {
    workspaces: [1],
    tags: ["2024"],
  }),
  libraryDocument(9, "Retrofit 2024", "Heat-pump field trial.pdf", { workspaces: [1, 2] }),
  ...Array.from({ length: 14 }, (_, n) =>
    libraryDocument(20 + n, "Web pages", `Tariff page ${n + 1}.html`, {
      kind: "web",
      mime: "text/html",
    }),
  ),
  ...Array.from({ length: 58 }, (_, n) =>
    libraryDocument(100 + n, "Supplier contracts", `Contract ${n + 1}.pdf`),
  ),
  libraryDocument(10, "custom-documents", "Utility, letter of 12 April.eml", {
    kind: "mail",
    mime: "message/rfc822",
  }),
];
