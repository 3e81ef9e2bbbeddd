import { diffDocumentVersion, listDocumentVersions } from "@carrel/contracts";
import { documentId } from "./fixture-answers.ts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const versions = [
  {
    version: 2,
    title: "a.txt",
    bytes: 4,
    wordCount: 1,
    since: "2026-11-28T00:00:00.000Z",
    until: null,
    checkedAt: "2026-11-29T00:00:00.000Z",
    hasText: true,
  },
];
const diff = {
  added: 1,
  removed: 1,
  hunks: [
    {
      oldLine: 1,
      newLine: 1,
      lines: [
        { kind: "removed" as const, text: "Test" },
        { kind: "added" as const, text: "Text" },
      ],
    },
  ],
  isComplete: true,
};

export function answerVersionRows({ ingest }: TestInstance): void {
  ingest.answer(listDocumentVersions, { versions }).answer(diffDocumentVersion, diff);
}

/** Carrel-specific: what documents of sources contained before. */
export const versionRows: Row[] = [
  row(
    "ingest.document.versions",
    ["GET", `/workspace/w/documents/${documentId}/versions`],
    200,
    json,
    { body: { versions } },
  ),
  row(
    "ingest.document.version-diff",
    ["GET", `/workspace/w/documents/${documentId}/versions/1/diff`],
    200,
    json,
    { body: diff },
  ),
];
