import { randomUUID } from "node:crypto";
import { eventLogged, type Scope } from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";

/** Writes links to the instance's event log, in the transaction that changes them. */
@Injectable()
export class ShareEvents {
  constructor(private readonly outbox: Outbox) {}

  /** `metadata` never contains a token. */
  record(
    manager: EntityManager,
    { principal, address }: Scope,
    event: "share_link_created" | "share_link_updated" | "share_link_revoked",
    metadata: Record<string, unknown>,
  ): Promise<void> {
    return this.outbox.add(
      manager,
      eventMessage(eventLogged, {
        id: randomUUID(),
        event,
        userId: principal.userId,
        metadata: { ...metadata, ...(address === undefined ? {} : { address }) },
        occurredAt: new Date().toISOString(),
      }),
    );
  }
}
