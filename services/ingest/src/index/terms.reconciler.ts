import { servicePrincipal } from "@carrel/contracts";
import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { DataSource } from "typeorm";
import { buildPublicationId } from "../chunking/chunk-id.ts";
import { ChunkRepository } from "../chunking/chunk.repository.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { serviceScope } from "../document/workspace-scope.ts";
import { IndexDirectory } from "./index-directory.ts";
import type { MissingDocument } from "./index-entry.repository.ts";
import { IndexGarbage } from "./index-garbage.ts";
import { IndexWriter } from "./index-writer.ts";

const scope = { principal: servicePrincipal, workspace: null };
const pageSize = 64,
  chunksPerWrite = 512;
/** Documents analysed at once: their writes share commits. */
const concurrency = 4;

/**
 * After an upgrade, re-analyses documents whose terms came from an older analysis, from their
 * stored text and in the background. Until then they are found by their old terms. Repeating it is
 * harmless, so replicas needn't agree on who does it.
 */
@Injectable()
export class TermsReconciler extends Reconciler implements OnApplicationShutdown {
  private running: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly documents: DocumentRepository,
    private readonly chunks: ChunkRepository,
    private readonly directory: IndexDirectory,
    private readonly writer: IndexWriter,
    private readonly garbage: IndexGarbage,
  ) {
    super();
  }

  override due(): Promise<OutboxMessage[]> {
    this.running ??= this.refreshAll()
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, "couldn't list documents with outdated terms"),
      )
      .finally(() => {
        this.running = null;
      });
    return Promise.resolve([]);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  /** A document that fails is tried again in the next round. */
  private async refreshAll(): Promise<void> {
    for (let after = 0; ;) {
      const page = await this.listOutdated(after);
      if (page.length === 0) return;
      after = page.at(-1)!.id;
      const refreshNext = async (): Promise<void> => {
        for (let next = page.shift(); next && !this.isStopping; next = page.shift())
          await this.refresh(next).catch((error: unknown) =>
            this.logger.warn({ err: error }, "couldn't analyse a document again"),
          );
      };
      await Promise.all(Array.from({ length: concurrency }, refreshNext));
      if (this.isStopping) return;
    }
  }

  private listOutdated(after: number): Promise<MissingDocument[]> {
    return this.dataSource.query(
      `SELECT id, workspace_id AS "workspaceId", document_id AS "documentId",
        index_version AS "indexVersion"
      FROM ingest.workspace_document
      WHERE has_outdated_terms AND index_version IS NOT NULL AND id > $1
      ORDER BY id LIMIT $2`,
      [after, pageSize],
    );
  }

  private async refresh(outdated: MissingDocument): Promise<void> {
    const { id, workspaceId, documentId, indexVersion } = outdated;
    const document = await this.documents.find(scope, documentId);
    if (!document) return;
    const workspace = serviceScope(workspaceId);
    const active = await this.directory.active();
    for (let after = -1; ;) {
      const chunks = await this.chunks.listPage(workspace, id, indexVersion, after, chunksPerWrite);
      if (chunks.length === 0) break;
      after = chunks.at(-1)!.ordinal;
      await this.writer.copyTerms(active, { ...outdated, title: document.title }, chunks);
    }
    await this.dataSource.transaction(async (manager) => {
      const [rows] = await manager.query<[unknown[], number]>(
        `UPDATE ingest.workspace_document SET has_outdated_terms = false
        WHERE id = $1 AND index_version = $2 RETURNING 1`,
        [id, indexVersion],
      );
      // It was removed or indexed again meanwhile, so nothing else deletes what was written.
      if (rows.length === 0)
        await this.garbage.add(workspace, manager, buildPublicationId(id, indexVersion));
    });
  }
}
