import type { ErrorDefinition } from "./error-definition.ts";

/** What was left out of a document, or only assumed. The document is still readable. */
export const fileNotes = {
  "file-note.attachments-unread": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Attachments that weren't read: {{count}}.",
  },
  "file-note.chapters-missing": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Chapters that are missing or damaged: {{count}}.",
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
    message: "Formulas shown because the file has no results for them: {{count}}.",
  },
  "file-note.hidden-cells": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Hidden in the file, but included: {{rows}} rows, {{columns}} columns.",
  },
  "file-note.members-unread": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Files of the archive that weren't read ({{count}}): {{names}}.",
  },
  "file-note.named-otherwise": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Named {{extension}}, but read as what it contains: {{type}}.",
  },
  "file-note.pages-unrecognised": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Scanned pages and images too unclear to read: {{count}}.",
  },
  "file-note.pictures-due": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Images whose text is still being read: {{count}}.",
  },
  "file-note.pictures-unread": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Images whose text wasn't read: {{count}}.",
  },
  "file-note.sheet-hidden": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The sheet {{name}} is hidden in the file.",
  },
} as const satisfies Record<string, ErrorDefinition>;
