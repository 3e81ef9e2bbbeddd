import { documentsGone, purgeDocuments, servicePrincipal } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { StaleRepository } from "../connection/stale.repository.ts";

const batch = 500;
const scope = { principal: servicePrincipal, workspace: null };

/** Deletes documents that their items no longer stand for; what ingest can't delete now is left for the next time. */
@Injectable()
export class StaleDocuments {
  constructor(
    private readonly stale: StaleRepository,
    private readonly client: RequestClient,
  ) {}

  /** Tells ingest which documents of a connection are kept although its source has deleted them. */
  async noteKept(connectionId: string): Promise<void> {
    for (let after: string | null = null; ;) {
      const documentIds: string[] = await this.stale.listKept(connectionId, after, batch);
      after = documentIds.at(-1) ?? null;
      if (after === null) return;
      await this.client.request(documentsGone, { documentIds }, { scope });
    }
  }

  /** Those of a connection, or of all. */
  async remove(connectionId: string | null): Promise<void> {
    for (;;) {
      const documentIds = await this.stale.list(connectionId, batch);
      if (documentIds.length === 0) return;
      await this.client.request(purgeDocuments, { selection: { documentIds } }, { scope });
      await this.stale.forget(documentIds);
    }
  }
}
