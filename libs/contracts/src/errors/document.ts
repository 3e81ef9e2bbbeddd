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
  "file-note.gone": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Its source no longer has it, so it won't be updated.",
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
  "file-note.not-updated": {
    kind: "DOCUMENT_UNREADABLE",
    message: "Couldn't be updated, so this is the last version that could be read: {{reason}}",
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

/** Faults of documents, folders, uploads and the search index. */
export const documentErrors = {
  "document.not-found": { kind: "DOCUMENT_NOT_FOUND", message: "Document does not exist." },
  "document.no-match": {
    kind: "DOCUMENT_NOT_FOUND",
    message: "No document is called {{name}}.",
  },
  "document.several-match": {
    kind: "BAD_INPUT",
    message: "Several documents match {{name}}.",
  },
  "document.page-missing": {
    kind: "NOT_FOUND",
    message: "{{title}} has no page {{page}}.",
  },
  "document.summary-empty": {
    kind: "PROVIDER_FAILED",
    message: "The model wrote no summary of {{title}}.",
  },
  "document.not-in-library": {
    kind: "DOCUMENT_NOT_FOUND",
    message: "{{docpath}} isn't in the library.",
  },
  "document.not-in-workspace": { kind: "DOCUMENT_NOT_FOUND", message: "Not Found" },
  "document.unreadable": { kind: "DOCUMENT_UNREADABLE", message: "{{reason}}" },
  "document.not-added": { kind: "REFUSED", message: "{{reason}}" },
  "document.could-not-be-added": {
    kind: "REFUSED",
    message: "The document couldn't be added.",
  },
  "document.not-indexed": {
    kind: "REFUSED",
    message: "The document couldn't be added to the search index.",
  },
  "document.vectors-not-stored": {
    kind: "UNAVAILABLE",
    message: "The vectors couldn't be stored.",
  },
  "document.waits-for-embedder": { kind: "UNAVAILABLE", message: "Waiting for the embedder." },
  /** It is processed as soon as the vector database responds again. */
  "document.waits-for-store": {
    kind: "UNAVAILABLE",
    message: "Waiting for {{store}}, which isn't available.",
  },
  /** It is processed as soon as the server has disk space again. */
  "document.waits-for-space": {
    kind: "UNAVAILABLE",
    message: "Waiting for free disk space on the server.",
  },
  "document.removed": { kind: "DOCUMENT_NOT_FOUND", message: "The document was removed." },
  "document.still-processing": {
    kind: "TIMEOUT",
    message:
      "The document is still being processed. It will appear in the list of documents when it's done.",
  },
  "document.processing-unavailable": {
    kind: "UNAVAILABLE",
    message: "Documents can't be processed right now.",
  },
  "document.queue-full": {
    kind: "BUSY",
    message: "Many documents are waiting to be processed. Try again in a moment.",
  },
  "document.address-expired": { kind: "NOT_FOUND", message: "This link has expired." },
  "document.not-watchable": {
    kind: "UNSUPPORTED",
    message: "This document has no source to watch.",
  },
  "document.version-not-kept": {
    kind: "NOT_FOUND",
    message: "The text of this version isn't kept.",
  },
  "document.filename-missing": { kind: "BAD_INPUT", message: "Missing filename" },
  "document.some-not-moved": { kind: "BAD_INPUT", message: "Failed to move some files." },
  "document.some-held": {
    kind: "CONFLICT",
    message: "{{held}}/{{total}} files not moved. Unembed them from all workspaces.",
  },
  "document.some-not-added": {
    kind: "DOCUMENT_UNREADABLE",
    message: "{{count}} documents failed to add.\n\n{{reasons}}",
  },
  "document.tag-missing": { kind: "BAD_INPUT", message: "Enter a tag to add or remove." },
  "document.library-busy": {
    kind: "BUSY",
    message: "The library is busy. Try again in a moment.",
  },
  "document.cursor-unknown": {
    kind: "BAD_INPUT",
    message: "This position in the text doesn't exist anymore.",
  },
  "document.title-missing": {
    kind: "DOCUMENT_UNREADABLE",
    message:
      "You are missing required metadata key:value pairs in your request. Required metadata key:values are 'title'",
  },
  "document.text-missing": {
    kind: "DOCUMENT_UNREADABLE",
    message: "The 'textContent' key cannot have an empty value.",
  },
  "upload.not-multipart": {
    kind: "BAD_INPUT",
    message: "Invalid file upload. The body must be multipart/form-data with a field named file.",
  },
  "upload.file-missing": {
    kind: "BAD_INPUT",
    message: "Invalid file upload. There's no field named file.",
  },
  "upload.field-unexpected": {
    kind: "BAD_INPUT",
    message: "Invalid file upload. Unexpected field {{field}}.",
  },
  "upload.metadata-invalid": {
    kind: "BAD_INPUT",
    message: "Invalid file upload. The field metadata must be a JSON object of short texts.",
  },
  /** `details` is the multipart parser's message. */
  "upload.broken": { kind: "BAD_INPUT", message: "Invalid file upload. {{details}}" },
  "upload.too-large": {
    kind: "TOO_LARGE",
    message: "The file is too large. The limit is {{megabytes}} MB.",
  },
  "upload.storage-unreachable": {
    kind: "UNAVAILABLE",
    message: "The file can't be stored now, because {{store}} isn't available. Try again later.",
  },
  "upload.slugs-invalid": {
    kind: "DOCUMENT_UNREADABLE",
    message: "addToWorkspaces must be a string of slugs separated by commas.",
  },
  "upload.not-stored": {
    kind: "BAD_INPUT",
    message: "The original isn't in the store.",
  },
  "upload.identical": {
    kind: "CONFLICT",
    message: "The same file is already in the library, as {{name}}.",
  },
  "upload.lost": {
    kind: "CONFLICT",
    message: "The upload was lost before it was processed. Upload the file again.",
    isRetryable: true,
  },
  "parsed-file.lost": {
    kind: "CONFLICT",
    message: "The upload was lost before it was processed. Upload the file again.",
    isRetryable: true,
  },
  "parsed-file.not-found": { kind: "DOCUMENT_NOT_FOUND", message: "File does not exist." },
  "parsed-file.too-many": {
    kind: "BAD_INPUT",
    message: "A chat can have at most {{limit}} files. Remove some, or add them to the workspace.",
  },
  "parsed-file.none-named": { kind: "BAD_INPUT", message: "No files were specified." },
  "parsed-file.being-read": {
    kind: "CONFLICT",
    message: "The file is still being processed.",
    isRetryable: true,
  },
  "folder.not-found": { kind: "NOT_FOUND", message: "Folder does not exist." },
  "folder.file-not-found": { kind: "NOT_FOUND", message: "File not found" },
  "folder.taken": { kind: "CONFLICT", message: "Folder by that name already exists" },
  "folder.uploads-fixed": {
    kind: "BAD_INPUT",
    message: "Uploads go to this folder, so it can't be renamed.",
  },
  "folder.into-itself": { kind: "BAD_INPUT", message: "A folder can't be moved into itself." },
  "folder.being-filled": {
    kind: "CONFLICT",
    message: "Documents are still being moved there. Try again in a moment.",
    isRetryable: true,
  },
  "folder.name-missing": { kind: "BAD_INPUT", message: "Enter a name for the folder." },
  "folder.name-part-missing": {
    kind: "BAD_INPUT",
    message: "A name in the folder's path is missing.",
  },
  "folder.too-deep": {
    kind: "BAD_INPUT",
    message: "Folders can be nested at most {{limit}} levels deep.",
  },
  "folder.name-too-long": {
    kind: "BAD_INPUT",
    message: "A folder name can have at most {{limit}} characters.",
  },
  "folder.path-too-long": { kind: "BAD_INPUT", message: "The path of the folder is too long." },
  "index.build-interrupted": {
    kind: "UNAVAILABLE",
    message: "The build was interrupted.",
  },
  "index.embedder-settings-unusable": {
    kind: "SETTING_REFUSED",
    message: "The embedder's settings can't be used anymore. Enter them again.",
  },
  "index.document-refused": {
    kind: "PROVIDER_FAILED",
    message: "Couldn't embed a document: {{reason}}",
  },
  "index.documents-refused": {
    kind: "PROVIDER_FAILED",
    message: "Couldn't embed {{count}} documents: {{reason}}",
  },
  "index.not-building": { kind: "CONFLICT", message: "No index is being built." },
  "index.no-previous": { kind: "CONFLICT", message: "There's no previous index." },
  "index.nothing-to-restore": { kind: "CONFLICT", message: "There's no index to go back to." },
  "index.settings-unreadable": {
    kind: "CONFLICT",
    message: "The settings of that index can't be read anymore. Enter them again.",
  },
  "index.settings-locked": {
    kind: "CONFLICT",
    message: "Set by environment variables, so they can't be changed here: {{settings}}",
  },
  "search.query-empty": { kind: "BAD_INPUT", message: "Query parameter cannot be empty." },
} as const satisfies Record<string, ErrorDefinition>;
