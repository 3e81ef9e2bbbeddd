import { Injectable } from "@nestjs/common";
import { extractMemories } from "@carrel/contracts";
import { jobMessage, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { ExtractionRepository } from "./extraction.repository.ts";

const batch = 200;

/**
 * Orders a look at threads that have settled, each minute from PostgreSQL: nobody waits for a
 * memory, and what is due is never lost.
 */
@Injectable()
export class ExtractionScheduler extends Reconciler {
  constructor(private readonly extraction: ExtractionRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    return (await this.extraction.listDue(batch)).map(({ threadId, turnId }) =>
      jobMessage(extractMemories, {
        rowId: threadId,
        version: turnId,
        payload: { threadId, turnId },
      }),
    );
  }
}
