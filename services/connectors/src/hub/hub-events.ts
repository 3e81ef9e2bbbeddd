import { randomUUID } from "node:crypto";
import { eventLogged, type HubItemType, type Scope } from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";

/** Records in the instance's event log what is done with the community hub. */
@Injectable()
export class HubEvents {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
  ) {}

  /** An item's ID says which it is; its texts aren't recorded. */
  recordItem(
    scope: Scope,
    event: "community_hub_import" | "community_hub_publish",
    metadata: { hub: string; itemType: HubItemType; itemId: string; workspaceSlug?: string },
  ): Promise<void> {
    return this.dataSource.transaction((manager) => this.record(manager, scope, event, metadata));
  }

  record(
    manager: EntityManager,
    { principal, address }: Scope,
    event: "community_hub_import" | "community_hub_publish" | "community_hub_settings_updated",
    metadata: Record<string, unknown>,
  ): Promise<void> {
    return this.outbox.add(
      manager,
      eventMessage(eventLogged, {
        id: randomUUID(),
        event,
        userId: principal.userId,
        metadata: { ...metadata, ...(address !== undefined && { address }) },
        occurredAt: new Date().toISOString(),
      }),
    );
  }
}
