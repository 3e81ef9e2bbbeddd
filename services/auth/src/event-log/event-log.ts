import { randomUUID } from "node:crypto";
import { eventLogged, type Scope } from "@carrel/contracts";
import { Outbox, eventMessage } from "@carrel/messaging";
import { Injectable, Module } from "@nestjs/common";
import type { EntityManager } from "typeorm";

/** Records event log entries within the transaction of the event itself. */
@Injectable()
export class EventLog {
  constructor(private readonly outbox: Outbox) {}

  /**
   * `metadata` must never contain a secret; the address is added to it. `userId` overrides the
   * actor for events before sign-in.
   */
  async record(
    manager: EntityManager,
    scope: Pick<Scope, "principal" | "address">,
    event: string,
    metadata: Record<string, unknown> = {},
    userId: number | null = scope.principal.userId,
  ): Promise<void> {
    const by = scope.principal.keyId === undefined ? {} : { apiKeyId: scope.principal.keyId };
    const from = scope.address === undefined ? {} : { address: scope.address };
    await this.outbox.add(
      manager,
      eventMessage(eventLogged, {
        id: randomUUID(),
        event,
        userId,
        metadata: { ...metadata, ...by, ...from },
        occurredAt: new Date().toISOString(),
      }),
    );
  }
}

@Module({
  providers: [EventLog],
  exports: [EventLog],
})
export class EventLogModule {}
