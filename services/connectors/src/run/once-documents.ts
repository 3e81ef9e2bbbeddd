import { describeWatched, servicePrincipal } from "@carrel/contracts";
import { DailyReconciler, RequestClient, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DocumentItemRepository } from "../connection/document-item.repository.ts";

const batch = 500;
const scope = { principal: servicePrincipal, workspace: null };

/**
 * What existing clients imported is kept, with its credential, only as long as its documents:
 * compares them with ingest's once a day.
 */
@Injectable()
export class OnceDocuments extends DailyReconciler {
  constructor(
    private readonly documents: DocumentItemRepository,
    private readonly client: RequestClient,
  ) {
    super();
  }

  protected override async compare(): Promise<OutboxMessage[]> {
    let after: string | null = null;
    for (;;) {
      const documentIds: string[] = await this.documents.listOnce(after, batch);
      if (documentIds.length === 0) return [];
      const { documents } = await this.client.request(describeWatched, { documentIds }, { scope });
      const existing = new Set(documents.map(({ documentId }) => documentId));
      await this.documents.forget(documentIds.filter((id) => !existing.has(id)));
      after = documentIds.at(-1)!;
    }
  }
}
