import { workspaceDocumentsChanged } from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { embedJob, indexJob } from "../document/document-jobs.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import type { PreparedChunk } from "../work-pool/work.ts";
import { Embedder } from "./embedder.ts";
import { IndexGarbage } from "./index-garbage.ts";
import { IndexingRepository } from "./indexing.repository.ts";

/** Publishes a version of a workspace document: first as searchable, then as embedded. */
@Injectable()
export class DocumentPublisher {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly indexing: IndexingRepository,
    private readonly garbage: IndexGarbage,
    private readonly embedder: Embedder,
  ) {}

  /** Checks, outside any transaction, whether published documents can be embedded right away. */
  async prepare(): Promise<void> {
    await this.embedder.refreshReadiness();
  }

  /**
   * Publishes chunks whose terms are written and queues their embedding. False if the version is no
   * longer due, in which case its rows become garbage.
   */
  async publishSearchable(
    manager: EntityManager,
    w: WorkspaceDocument,
    chunks: PreparedChunk[],
    textPlace: string,
  ): Promise<boolean> {
    const workspace = serviceScope(w.workspaceId);
    const isPublished = await this.indexing.publishSearchable(
      workspace,
      manager,
      w.id,
      w.version,
      chunks,
      textPlace,
    );
    if (!isPublished) {
      await this.abandon(manager, w);
      return false;
    }
    await this.outbox.add(
      manager,
      eventMessage(workspaceDocumentsChanged, { workspaceId: w.workspaceId }),
      ...(this.embedder.isReady ? [embedJob(w, w.workspaceId)] : []),
    );
    return true;
  }

  /** False if the document was removed or re-indexed, or if another index is now active. */
  publishEmbedded(w: WorkspaceDocument, indexVersion: number, table: string): Promise<boolean> {
    const workspace = serviceScope(w.workspaceId);
    return this.dataSource.transaction(async (manager) => {
      if (
        await this.indexing.publishEmbedded(
          workspace,
          manager,
          w.id,
          w.version,
          indexVersion,
          table,
        )
      ) {
        await this.outbox.add(
          manager,
          eventMessage(workspaceDocumentsChanged, { workspaceId: w.workspaceId }),
        );
        return true;
      }
      const current = await this.indexing.find(workspace, w.id, manager);
      if (current?.indexVersion !== indexVersion)
        await this.garbage.add(workspace, manager, buildPublicationId(w.id, indexVersion));
      return false;
    });
  }

  /** Marks rows that were written but will not be published as garbage. */
  abandon(
    manager: EntityManager,
    { id, version, workspaceId }: Pick<WorkspaceDocument, "id" | "version" | "workspaceId">,
  ): Promise<void> {
    return this.garbage.abandon(serviceScope(workspaceId), manager, id, version);
  }

  /** Queues indexing of documents that aren't published in the same transaction. */
  async enqueue(
    manager: EntityManager,
    rows: Pick<WorkspaceDocument, "id" | "version" | "workspaceId">[],
  ): Promise<void> {
    await this.outbox.add(manager, ...rows.map((row) => indexJob(row, row.workspaceId)));
  }
}
