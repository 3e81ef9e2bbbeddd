import type { ErrorDefinition } from "./error-definition.ts";

/** What was left out of a document, or only assumed. The document is read nevertheless. */
export const fileNotes = {
  "file-note.encoding-guessed": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Read as {{encoding}}.",
  },
  "file-note.pictures-unread": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Text in {{count}} images wasn't read.",
  },
} as const satisfies Record<string, ErrorDefinition>;
