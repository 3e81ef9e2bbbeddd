import { purgeDocuments, servicePrincipal } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { ItemRepository } from "../connection/item.repository.ts";

const batch = 500;
const scope = { principal: servicePrincipal, workspace: null };

/** Deletes documents that their items no longer stand for; resumed by the next turn. */
@Injectable()
export class StaleDocuments {
  constructor(
    private readonly items: ItemRepository,
    private readonly client: RequestClient,
  ) {}

  async remove(connectionId: string): Promise<void> {
    for (;;) {
      const documentIds = await this.items.listStale(connectionId, batch);
      if (documentIds.length === 0) return;
      await this.client.request(purgeDocuments, { selection: { documentIds } }, { scope });
      await this.items.forgetStale(connectionId, documentIds);
    }
  }
}
