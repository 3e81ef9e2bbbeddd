import path from "node:path/posix";
import { servicePrincipal } from "@carrel/contracts";
import { Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { revisedDocpath } from "../document/docpath.ts";
import { indexJob } from "../document/document-jobs.ts";
import { Document } from "../document/document.entity.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { WorkspaceDocumentRemoval } from "../document/workspace-document-removal.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { WorkspaceDocumentRepository } from "../document/workspace-document.repository.ts";
import { serviceScope } from "../document/workspace-scope.ts";

type Part = Pick<Document, "id" | "docpath">;

/** What becomes of the documents of one original. */
interface MatchedParts<D extends Part> {
  replaced: { revision: D; target: D }[];
  added: D[];
  gone: D[];
}

/**
 * Which parts of the new content replace which documents: sheets by their names, members of an
 * archive by their paths, or by their file names if they moved. The first document stands for the
 * original, so it always stays; if the part with its name is gone, it becomes the first new one.
 */
export function matchParts<D extends Part>(
  revisions: readonly D[],
  targets: readonly D[],
): MatchedParts<D> {
  const replaced = new Map<D, D>();
  const matched = new Set<D>();
  const match = (revision: D, target: D): void => {
    replaced.set(target, revision);
    matched.add(revision);
  };
  const [firstRevision] = revisions;
  const [first] = targets;
  for (const keyOf of [(docpath: string) => docpath, path.basename]) {
    const free = Map.groupBy(
      targets.filter((target) => !replaced.has(target)),
      ({ docpath }) => keyOf(docpath),
    );
    const wanted = Map.groupBy(
      revisions.filter((revision) => !matched.has(revision)),
      ({ docpath }) => keyOf(revisedDocpath(docpath)),
    );
    for (const [key, [revision, ...others]] of wanted) {
      const found = free.get(key) ?? [];
      if (found.length === 1 && others.length === 0) match(revision!, found[0]!);
    }
  }
  if (!replaced.has(first!)) {
    const next = revisions.find((revision) => !matched.has(revision)) ?? firstRevision!;
    for (const [target, revision] of replaced) if (revision === next) replaced.delete(target);
    match(next, first!);
  }
  return {
    replaced: [...replaced].map(([target, revision]) => ({ revision, target })),
    added: revisions.filter((revision) => !matched.has(revision)),
    gone: targets.filter((target) => !replaced.has(target)),
  };
}

const scope = { principal: servicePrincipal, workspace: null };

/** Sheets and files that appear in, or disappear from, an original that became several documents. */
@Injectable()
export class RevisedParts {
  constructor(
    private readonly outbox: Outbox,
    private readonly documents: DocumentRepository,
    private readonly workspaceDocuments: WorkspaceDocumentRepository,
    private readonly removal: WorkspaceDocumentRemoval,
    private readonly sweeper: BlobSweeper,
  ) {}

  /**
   * A sheet or file that the original didn't have before. The first document is locked, so whoever may
   * see it now may see the part.
   */
  async add(
    manager: EntityManager,
    part: Document,
    documentId: string,
    holders: WorkspaceDocument[],
  ): Promise<void> {
    const docpath = revisedDocpath(part.docpath);
    const [row] = await manager.query<{ audienceId: number | null; isTaken: boolean }[]>(
      `SELECT audience_id AS "audienceId",
        EXISTS (SELECT FROM ingest.document WHERE docpath = $2) AS "isTaken"
      FROM ingest.document
      WHERE id = $1`,
      [documentId, docpath],
    );
    const { audienceId, isTaken } = row!;
    await manager.update(
      Document,
      { id: part.id },
      {
        docpath: isTaken ? docpath.replace(/\.json$/, `-${part.id.slice(0, 8)}.json`) : docpath,
        audienceId,
        inLibrary: true,
        revises: null,
        uploadId: documentId,
      },
    );
    for (const { workspaceId } of holders) {
      const due = await this.workspaceDocuments.add(serviceScope(workspaceId), manager, part.id);
      if (due) await this.outbox.add(manager, indexJob(due, workspaceId));
    }
  }

  /** A sheet or file that the original no longer has. */
  async remove(manager: EntityManager, { id }: Document): Promise<number[]> {
    const removals = await this.removal.removeMany(scope, manager, [id], null);
    const deleted = await this.documents.delete(scope, manager, id);
    if (deleted?.blobKey) await this.sweeper.note(manager, [deleted.blobKey]);
    return removals.map(({ workspaceId }) => workspaceId);
  }
}
