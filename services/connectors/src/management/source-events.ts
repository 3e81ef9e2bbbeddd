import { randomUUID } from "node:crypto";
import { eventLogged, type Scope } from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import type { Connection } from "../connection/connection.entity.ts";

/** Records who adds, changes and removes sources in the instance's event log. */
@Injectable()
export class SourceEvents {
  constructor(private readonly outbox: Outbox) {}

  /** Settings aren't recorded: an address may contain a secret. */
  record(
    manager: EntityManager,
    { principal, workspace, address }: Scope,
    event: "source_added" | "source_updated" | "source_removed",
    { id, connector, name }: Pick<Connection, "id" | "connector" | "name">,
  ): Promise<void> {
    return this.outbox.add(
      manager,
      eventMessage(eventLogged, {
        id: randomUUID(),
        event,
        userId: principal.userId,
        metadata: {
          sourceId: id,
          connector,
          name,
          workspaceSlug: workspace?.slug,
          ...(address !== undefined && { address }),
        },
        occurredAt: new Date().toISOString(),
      }),
    );
  }
}
