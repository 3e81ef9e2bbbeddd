import { Injectable } from "@nestjs/common";
import { extractMemories } from "@carrel/contracts";
import { jobMessage, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { ExtractionRepository } from "./extraction.repository.ts";

const batch = 200;

/**
 * Schedules extraction for settled threads every minute from PostgreSQL: memories aren't urgent,
 * and no due turn is ever lost.
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
