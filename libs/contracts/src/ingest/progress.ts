import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import type { WorkspaceDocumentStatus } from "./workspace-document.ts";

/**
 * Frames of the gateway's progress stream: wire-contract 6.5 for existing clients, `document_state`
 * for Carrel's own.
 */
export type ProgressFrame =
  /** Between services, `onlyFor` says who imported a document that isn't for everyone. */
  | { type: "document_state"; document: WorkspaceDocumentStatus; onlyFor?: number | null }
  | { type: "document_removed"; documentId: string; docpath: string | null }
  | {
      type: "batch_starting";
      workspaceSlug: string;
      userId: number | null;
      filenames: string[];
      totalDocs: number;
    }
  | {
      type: "doc_starting" | "doc_complete";
      workspaceSlug: string;
      userId: number | null;
      filename: string;
      docIndex: number;
      totalDocs: number;
    }
  | {
      type: "doc_failed";
      workspaceSlug: string;
      userId: number | null;
      filename: string;
      docIndex: number;
      totalDocs: number;
      error: string;
    }
  | { type: "file_removed"; workspaceSlug: string; filename: string }
  | {
      type: "chunk_progress";
      workspaceSlug: string;
      userId: number | null;
      filename: string;
      chunksProcessed: number;
      totalChunks: number;
    }
  | {
      type: "all_complete";
      workspaceSlug: string;
      userId: number | null;
      totalDocs: number;
      embedded: number;
      failed: number;
    };

export const watchProgress = defineOperation({
  name: "gateway.document.progress",
  service: "gateway",
  access: { who: "manager", workspace: true, memberMay: "uploadDocuments" },
  errors: inWorkspace,
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/embed-progress",
      summary: "Stream the progress of parsing and embedding",
    },
  ],
  input: z.object({ slug }),
  output: z.void(),
  success: { status: 200, kind: "sse" },
});

export const progressContracts: Contracts = {
  operations: [watchProgress],
};
