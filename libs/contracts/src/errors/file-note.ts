import type { ErrorDefinition } from "./error-definition.ts";

/** What was left out of a document, or only assumed. The document is read nevertheless. */
export const fileNotes = {
  "file-note.attachments-unread": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{count}} attachments weren't read.",
  },
  "file-note.chapters-missing": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{count}} chapters are missing or damaged.",
  },
  "file-note.drawing-damaged": {
    kind: "DOCUMENT_UNREADABLE",
    message: "A drawing or chart is damaged and wasn't read.",
  },
  "file-note.encoding-guessed": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Read as {{encoding}}.",
  },
  "file-note.formulas-not-computed": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The file has no results for {{count}} formulas, so the formulas are shown.",
  },
  "file-note.hidden-cells": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Includes hidden cells: {{rows}} rows, {{columns}} columns.",
  },
  "file-note.members-unread": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{count}} files of the archive weren't read: {{names}}.",
  },
  "file-note.pages-unrecognised": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Text in {{count}} scanned pages or images is too unclear to read.",
  },
  "file-note.pictures-unread": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Text in {{count}} images wasn't read.",
  },
  "file-note.sheet-hidden": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The sheet {{name}} is hidden in the file.",
  },
} as const satisfies Record<string, ErrorDefinition>;
