import { servicePrincipal, workspaceDocumentsChanged } from "@carrel/contracts";
import { eventMessage, Outbox, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { embedJob, indexJob } from "../document/document-jobs.ts";
import type { WorkspaceDocument } from "../document/workspace-document.entity.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { Batcher } from "../work-pool/batcher.ts";
import { DocumentLanguages } from "./document-languages.ts";
import { Embedder } from "./embedder.ts";
import { IndexGarbage } from "./index-garbage.ts";
import { IndexingRepository } from "./indexing.repository.ts";
import { PublicationRepository, type Publication } from "./publication.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** Documents whose vectors are published in one transaction. */
const maxPerTransaction = 64;

/** A version whose vectors are all in `table`. */
interface EmbeddedPublication {
  w: Pick<WorkspaceDocument, "id" | "workspaceId" | "version">;
  indexVersion: number;
  table: string;
}

/** Publishes versions of workspace documents: first as searchable, then as embedded. */
@Injectable()
export class DocumentPublisher {
  private readonly embedded = new Batcher<EmbeddedPublication, boolean>(
    (group) => this.publishVectors(group),
    { maxItems: maxPerTransaction },
  );

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly indexing: IndexingRepository,
    private readonly publications: PublicationRepository,
    private readonly garbage: IndexGarbage,
    private readonly embedder: Embedder,
    private readonly languages: DocumentLanguages,
  ) {}

  /** Checks, outside any transaction, whether published documents can be embedded right away. */
  async prepare(): Promise<void> {
    await this.embedder.refreshReadiness();
  }

  /**
   * Publishes chunks whose terms are written and returns the rows of those that were still due; the
   * others' rows become garbage. If the embedder is ready, those that the caller doesn't embed are
   * queued for it.
   */
  async publishSearchable(
    manager: EntityManager,
    publications: (Omit<Publication, "state"> & { isEmbeddedHere: boolean })[],
  ): Promise<WorkspaceDocument[]> {
    if (publications.length === 0) return [];
    const { isReady } = this.embedder;
    const rows = await this.publications.publishSearchable(
      scope,
      manager,
      publications.map(({ isEmbeddedHere, ...publication }) => ({
        ...publication,
        state: isReady && isEmbeddedHere ? "embedding" : "searchable",
      })),
    );
    const published = new Set(rows.map((row) => row.id));
    for (const { w } of publications) if (!published.has(w.id)) await this.abandon(manager, w);
    const queued = isReady ? rows.filter((row) => row.state === "searchable") : [];
    await this.outbox.add(
      manager,
      ...changes(rows),
      ...queued.map((row) => embedJob(row, row.workspaceId)),
    );
    return rows;
  }

  /** Hides passages of documents whose text changed, in all workspaces except `kept`. */
  async withdraw(
    manager: EntityManager,
    documentIds: readonly string[],
    kept: readonly number[],
  ): Promise<void> {
    if (documentIds.length === 0) return;
    const workspaces = await this.publications.withdraw(scope, manager, documentIds, kept);
    await this.outbox.add(manager, ...changes(workspaces.map((workspaceId) => ({ workspaceId }))));
  }

  /** False if the document was removed or re-indexed, or if another index is now active. */
  publishEmbedded(
    w: EmbeddedPublication["w"],
    indexVersion: number,
    table: string,
  ): Promise<boolean> {
    return this.embedded.run({ w, indexVersion, table });
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

  /** Queues embedding of published documents that this process can't embed now. */
  async enqueueEmbedding(
    rows: Pick<WorkspaceDocument, "id" | "version" | "workspaceId">[],
  ): Promise<void> {
    await this.dataSource.transaction((manager) =>
      this.outbox.add(manager, ...rows.map((row) => embedJob(row, row.workspaceId))),
    );
  }

  private async publishVectors(group: EmbeddedPublication[]): Promise<boolean[]> {
    // Search asks whether the vectors of their languages mean anything.
    await this.languages.detect(group.map(({ w }) => w.id));
    return this.dataSource.transaction(async (manager) => {
      const published = await this.publications.publishEmbedded(
        scope,
        manager,
        group.map(({ w, indexVersion, table }) => ({
          id: w.id,
          version: w.version,
          indexVersion,
          model: table,
        })),
      );
      const rows = group.map(({ w }) => w);
      await this.outbox.add(manager, ...changes(rows.filter((w) => published.has(w.id))));
      for (const { w, indexVersion } of group) {
        if (published.has(w.id)) continue;
        const workspace = serviceScope(w.workspaceId);
        const current = await this.indexing.find(workspace, w.id, manager);
        if (current?.indexVersion !== indexVersion)
          await this.garbage.add(workspace, manager, buildPublicationId(w.id, indexVersion));
      }
      return rows.map((w) => published.has(w.id));
    });
  }
}

/** One event for each workspace. */
const changes = (rows: { workspaceId: number }[]): OutboxMessage[] =>
  [...new Set(rows.map((row) => row.workspaceId))].map((workspaceId) =>
    eventMessage(workspaceDocumentsChanged, { workspaceId }),
  );
