import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";

const dateTime = z.iso.datetime();

/** A content that a document has or had. */
export const documentVersion = z.object({
  /** From 1. */
  version: z.number().int(),
  title: z.string(),
  bytes: z.number().int(),
  wordCount: z.number().int(),
  /** When it became the document's content. */
  since: dateTime,
  /** When other content took its place; null for the current one. */
  until: dateTime.nullable(),
  /** When its source was asked the last time; null for an upload. */
  checkedAt: dateTime.nullable(),
  /** Whether its text is kept, so that it can be compared. */
  hasText: z.boolean(),
});
export type DocumentVersion = z.infer<typeof documentVersion>;

/** Carrel-specific: the current content and up to five earlier ones, newest first. */
export const listDocumentVersions = defineOperation({
  name: "ingest.document.versions",
  service: "ingest",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/documents/:documentId/versions",
      summary: "List the contents that a document of a source has had",
    },
  ],
  input: z.object({ slug, documentId: z.uuid() }),
  output: z.object({ versions: z.array(documentVersion) }),
});

export const diffLine = z.object({
  kind: z.enum(["same", "removed", "added"]),
  text: z.string(),
});
export type DiffLine = z.infer<typeof diffLine>;

/** Carrel-specific: what the next content of a document changed in an earlier one. */
export const diffDocumentVersion = defineOperation({
  name: "ingest.document.version-diff",
  service: "ingest",
  access: { who: "session", workspace: true },
  errors: { ...inWorkspace, NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } } },
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/documents/:documentId/versions/:version/diff",
      summary: "Show what changed in a document after one of its earlier versions",
    },
  ],
  input: z.object({
    slug,
    documentId: z.uuid(),
    version: z.coerce.number().int().min(1).max(2_000_000_000),
  }),
  output: z.object({
    /** Number of lines that the next content added and removed. */
    added: z.number().int(),
    removed: z.number().int(),
    /** Changed lines with those around them; line numbers from 1. */
    hunks: z.array(
      z.object({ oldLine: z.number().int(), newLine: z.number().int(), lines: z.array(diffLine) }),
    ),
    /** False if there are more changes than one reply holds. */
    isComplete: z.boolean(),
  }),
});

export const documentVersionContracts: Contracts = {
  operations: [listDocumentVersions, diffDocumentVersion],
};
