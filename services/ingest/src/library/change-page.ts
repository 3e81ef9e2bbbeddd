import {
  servicePrincipal,
  workspaceDocumentsChanged,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Outbox, eventMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { z } from "zod";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { indexJob, parseJob } from "../document/document-jobs.ts";
import { DocumentProgress } from "../document/document-progress.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRemoval, type Removal } from "../document/workspace-document-removal.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { FolderRepository } from "./folder.repository.ts";

const tags = z.array(z.string());
/** The operation applied to each selected document; stored with the change until it completes. */
export const libraryChange = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("move"), folder: z.string() }),
  /** Renames a folder and its subfolders; documents keep their path relative to it. */
  z.object({ kind: z.literal("rename"), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal("tag"), add: tags, remove: tags }),
  z.object({ kind: z.literal("purge") }),
  z.object({ kind: z.literal("reread") }),
  z.object({ kind: z.literal("add") }),
  z.object({ kind: z.literal("take-out") }),
  z.object({ kind: z.literal("pin"), pinned: z.boolean() }),
  z.object({ kind: z.literal("embed-again") }),
]);
export type LibraryChange = z.infer<typeof libraryChange>;

export interface ChangeOutcome {
  affected: number;
  skipped: number;
}
/** A change whose documents have been recorded; `id` is null if nothing is left to do. */
export interface FrozenChange {
  id: string | null;
  outcome: ChangeOutcome;
  /** Call after the commit. */
  after: () => void;
}

/**
 * SQL condition for the documents that a change applies to; the rest of the selection is skipped.
 */
export function buildEligibility(change: LibraryChange, workspaceId: number | null): string {
  const inWorkspace = (and = ""): string =>
    `EXISTS (
      SELECT 1 FROM ingest.workspace_document w
      WHERE w.document_id = d.id AND w.workspace_id = ${Number(workspaceId)}${and}
    )`;
  switch (change.kind) {
    case "move":
    case "rename":
    case "tag":
    case "purge":
      return "true";
    case "reread":
      return `d.state = 'failed' AND d.blob_key IS NOT NULL`;
    case "add":
      return `d.state <> 'failed' AND NOT ${inWorkspace(` AND w.state <> 'failed'`)}`;
    case "take-out":
    case "pin":
      return inWorkspace();
    case "embed-again":
      return inWorkspace(` AND w.index_version IS NOT NULL`);
  }
}

const libraryScope = { principal: servicePrincipal, workspace: null };
/** Maximum number of tags per document. */
const maxTags = 50;

/** Applies a change to one page of its documents, inside that page's transaction. Idempotent. */
@Injectable()
export class ChangePage {
  constructor(
    private readonly outbox: Outbox,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly folders: FolderRepository,
    private readonly sweeper: BlobSweeper,
    private readonly progress: DocumentProgress,
    private readonly removal: WorkspaceDocumentRemoval,
  ) {}

  /**
   * The part of a change that covers all of its documents in the transaction that records it, with
   * one statement per table: removed documents are invisible everywhere as soon as it commits. Rows
   * and index entries are deleted later, page by page. Call the returned function after the commit.
   */
  async applyAtOnce(
    manager: EntityManager,
    change: LibraryChange,
    changeId: string,
    workspaceId: number | null,
  ): Promise<() => void> {
    switch (change.kind) {
      case "purge":
        await this.folders.holdLibrary(manager);
        await this.documents.hideNoted(libraryScope, manager, changeId);
        return this.reportRemoved(
          await this.removal.removeNoted(libraryScope, manager, changeId, null),
        );
      case "take-out":
        return workspaceId === null
          ? () => undefined
          : this.reportRemoved(
              await this.removal.removeNoted(libraryScope, manager, changeId, workspaceId),
            );
      default:
        return () => undefined;
    }
  }

  /**
   * `workspace` is null for a change to the library itself. Call the returned function after the
   * commit.
   */
  async apply(
    manager: EntityManager,
    change: LibraryChange,
    workspace: WorkspaceScope | null,
    documentIds: string[],
  ): Promise<() => void> {
    if (change.kind === "purge") return this.purge(manager, documentIds);
    // Rows are locked in arbitrary order, so library changes run one page at a time; additions to
    // workspaces take a shared lock and run in parallel.
    await this.folders.holdLibrary(manager, workspace !== null);
    const there = (
      await manager.query<{ id: string }[]>(
        `SELECT id FROM ingest.document WHERE id = ANY($1::uuid[]) AND in_library`,
        [documentIds],
      )
    ).map((row) => row.id);
    if (there.length === 0) return () => undefined;
    switch (change.kind) {
      case "move":
        return this.move(manager, there, change.folder, null);
      case "rename":
        return this.move(manager, there, change.to, change.from);
      case "tag":
        return this.tag(manager, there, change);
      case "reread":
        return this.reparse(manager, there);
      default:
        return workspace === null
          ? () => undefined
          : this.applyInWorkspace(manager, change, workspace, there);
    }
  }

  private async applyInWorkspace(
    manager: EntityManager,
    change: LibraryChange,
    workspace: WorkspaceScope,
    ids: string[],
  ): Promise<() => void> {
    const workspaceId = workspace.workspace.id;
    switch (change.kind) {
      case "add":
        await this.workspaceDocuments.holdWorkspace(workspace, manager);
        await this.workspaceDocuments.addAll(workspace, manager, ids, async (rows) =>
          this.outbox.add(
            manager,
            ...rows.map((row) => indexJob(row, workspaceId)),
            eventMessage(workspaceDocumentsChanged, { workspaceId }),
          ),
        );
        return () => undefined;
      case "pin":
        await this.workspaceDocuments.pinMany(workspace, manager, ids, change.pinned);
        await this.outbox.add(manager, eventMessage(workspaceDocumentsChanged, { workspaceId }));
        return () => undefined;
      case "embed-again": {
        const rows = await this.workspaceDocuments.requeueMany(workspace, manager, ids);
        await this.outbox.add(
          manager,
          ...rows.map((row) => indexJob(row, workspaceId)),
          eventMessage(workspaceDocumentsChanged, { workspaceId }),
        );
        return () => undefined;
      }
      default:
        return () => undefined;
    }
  }

  /**
   * With `from`, replaces that prefix of the folder path and skips documents outside it; null
   * replaces the whole path. If the new docpath is taken, the document's id is appended.
   */
  private async move(
    manager: EntityManager,
    ids: string[],
    folder: string,
    from: string | null,
  ): Promise<() => void> {
    // Documents moved elsewhere in the meantime no longer belong to the renamed folder.
    const [place, which] =
      from === null
        ? ["$2::text", "true"]
        : [
            `$2::text || substr(d.folder, length($3::text) + 1)`,
            `(d.folder = $3::text OR starts_with(d.folder, $3::text || '/'))`,
          ];
    await manager.query(
      `WITH wanted AS MATERIALIZED (
        SELECT d.id, ${place} AS folder,
          ${place} || '/' || substr(d.docpath, length(d.folder) + 2) AS docpath
        FROM ingest.document d
        WHERE d.id = ANY($1::uuid[]) AND ${which} AND d.folder <> ${place}
      ),
      named AS (
        SELECT w.id, w.folder,
          CASE
            WHEN row_number() OVER (PARTITION BY w.docpath ORDER BY w.id) > 1
              OR EXISTS (
                SELECT 1 FROM ingest.document o WHERE o.docpath = w.docpath AND o.id <> w.id
              ) THEN regexp_replace(w.docpath, '(\\.json)?$', '-' || w.id::text || '.json')
            ELSE w.docpath
          END AS docpath
        FROM wanted w
      )
      UPDATE ingest.document d SET folder = n.folder, docpath = n.docpath, updated_at = now()
      FROM named n
      WHERE d.id = n.id`,
      from === null ? [ids, folder] : [ids, folder, from],
    );
    await this.notifyWorkspaces(manager, ids);
    return () => undefined;
  }

  private async tag(
    manager: EntityManager,
    ids: string[],
    change: Extract<LibraryChange, { kind: "tag" }>,
  ): Promise<() => void> {
    await manager.query(
      `UPDATE ingest.document d SET tags = (
          SELECT coalesce(array_agg(tag ORDER BY tag), '{}')
          FROM (
            SELECT DISTINCT tag FROM unnest(d.tags || $2::text[]) AS tag
            WHERE tag <> ALL($3::text[])
            ORDER BY tag LIMIT ${maxTags}
          ) kept
        ),
        updated_at = now()
      WHERE id = ANY($1::uuid[]) AND in_library`,
      [ids, change.add, change.remove],
    );
    await this.notifyWorkspaces(manager, ids);
    return () => undefined;
  }

  /** Deletes the already hidden rows with their texts and pages. */
  private async purge(manager: EntityManager, ids: string[]): Promise<() => void> {
    await manager.query(
      `SELECT 1 FROM ingest.document WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
      [ids],
    );
    // Covers links added just as the document was hidden.
    const announce = this.reportRemoved(
      await this.removal.removeMany(libraryScope, manager, ids, null),
    );
    await this.sweeper.note(manager, await this.documents.deleteMany(libraryScope, manager, ids));
    return () => {
      announce();
      this.sweeper.soon();
    };
  }

  private async reparse(manager: EntityManager, ids: string[]): Promise<() => void> {
    const rows = await this.documents.requeueMany(libraryScope, manager, ids);
    await this.workspaceDocuments.requeueFailed(
      libraryScope,
      manager,
      rows.map((row) => row.id),
    );
    await this.outbox.add(manager, ...rows.map((row) => parseJob(row, null)));
    await this.notifyWorkspaces(manager, ids);
    return () => undefined;
  }

  /** Call after the commit: open panels drop the removed documents. */
  private reportRemoved(removals: Removal[]): () => void {
    return () => {
      for (const { workspaceId, documentIds } of removals)
        for (const documentId of documentIds)
          this.progress.announceRemoval(workspaceId, documentId, null);
    };
  }

  private async notifyWorkspaces(manager: EntityManager, ids: string[]): Promise<void> {
    const rows = await manager.query<{ workspace_id: number }[]>(
      `SELECT DISTINCT workspace_id FROM ingest.workspace_document WHERE document_id = ANY($1::uuid[])`,
      [ids],
    );
    await this.outbox.add(
      manager,
      ...rows.map((row) =>
        eventMessage(workspaceDocumentsChanged, { workspaceId: row.workspace_id }),
      ),
    );
  }
}
