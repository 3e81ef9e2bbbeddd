/** Elements that aren't part of the text. */
export const silentElements = new Set([
  "tracked-changes",
  "annotation-end",
  "sequence-decls",
  "font-face-decls",
  "date-time-decl",
  "ruby-text",
  "date-string",
  "creator-initials",
  "table-of-content-source",
  "alphabetical-index-source",
  "user-index-source",
  "bibliography-source",
  "note-citation",
  "hidden-text",
  "event-listeners",
]);
