import { randomUUID } from "node:crypto";
import type { Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { EventRepository } from "./event.repository.ts";

/** Records this service's actions in the transaction that performs them. */
@Injectable()
export class EventLog {
  constructor(private readonly events: EventRepository) {}

  /**
   * `metadata` must never contain a secret. Adds the caller's address and, without a user account,
   * their key or kind.
   */
  async record(
    manager: EntityManager,
    scope: Scope,
    event: string,
    metadata: Record<string, unknown> = {},
    userId: number | null = scope.principal.userId,
  ): Promise<void> {
    const { principal, address } = scope;
    const by =
      principal.keyId !== undefined
        ? principal.kind === "extension"
          ? { extensionKeyId: principal.keyId }
          : { apiKeyId: principal.keyId }
        : userId === null
          ? { by: principal.kind }
          : {};
    const from = address === undefined ? {} : { address };
    await this.events.record(scope, manager, {
      eventId: randomUUID(),
      event,
      userId,
      metadata: { ...metadata, ...by, ...from },
      occurredAt: new Date(),
    });
  }
}
