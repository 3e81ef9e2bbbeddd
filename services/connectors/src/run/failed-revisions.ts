import { revisionFailed, type EventPayload } from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentItemRepository } from "../connection/document-item.repository.ts";

/** Fetches new content again that ingest couldn't read: its source would tell of no change. */
@Injectable()
export class FailedRevisions {
  constructor(private readonly documents: DocumentItemRepository) {}

  @Consume(revisionFailed)
  async forget({ documentId, sha256, fault }: EventPayload<typeof revisionFailed>): Promise<void> {
    // Repeated later, because the run may be about to record this content.
    if (!(await this.documents.markUnread(documentId, sha256, fault)))
      throw new Error("The document is being imported.");
  }
}
