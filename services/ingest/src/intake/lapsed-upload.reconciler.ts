import { servicePrincipal } from "@carrel/contracts";
import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { embedJob, parseJob } from "../document/document-jobs.ts";
import { PublishedEmbedder } from "../index/published-embedder.ts";
import { ParsingRepository } from "./parsing.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

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
