import { servicePrincipal } from "@carrel/contracts";
import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { LOGGER } from "@carrel/runtime";
import type { Logger } from "@carrel/observability";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { BlobSweeper } from "../blob/blob-sweeper.ts";
import { embedJob, parseJob } from "../document/document-jobs.ts";
import { DocumentRepository } from "../document/document.repository.ts";
import { PublishedEmbedder } from "../index/document-embedder.ts";
import { ParsingRepository } from "./parsing.repository.ts";
import { UnreadPictures } from "./unread-pictures.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Requeues documents whose parse job was lost, and deletes forgotten failed ones. */
@Injectable()
export class ParsingReconciler extends Reconciler {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly documents: DocumentRepository,
    private readonly parsing: ParsingRepository,
    private readonly pictures: UnreadPictures,
    private readonly sweeper: BlobSweeper,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.deleteForgotten().catch((error: unknown) =>
      this.logger.warn({ err: error }, "couldn't delete failed documents"),
    );
    const due = await this.parsing.listDue(scope);
    return [
      ...due.map((document) => parseJob(document, document.workspaceId)),
      ...(await this.pictures.listLost(scope)),
    ];
  }

  private async deleteForgotten(): Promise<void> {
    await this.dataSource.transaction(async (manager) =>
      this.sweeper.note(manager, await this.documents.deleteForgotten(scope, manager)),
    );
  }
}

/**
 * Queues uploads whose process died while it parsed or embedded them without a job. No lock in
 * Redis shows that, so PostgreSQL is asked often.
 */
@Injectable()
export class LapsedUploadReconciler extends Reconciler {
  override readonly everyMs = 10_000;

  constructor(
    private readonly parsing: ParsingRepository,
    private readonly embedder: PublishedEmbedder,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    const [unparsed, unembedded] = await Promise.all([
      this.parsing.listLapsed(scope),
      this.embedder.listInterrupted(),
    ]);
    return [
      ...unparsed.map((document) => parseJob(document, document.workspaceId)),
      ...unembedded.map((row) => embedJob(row, row.workspaceId)),
    ];
  }
}
