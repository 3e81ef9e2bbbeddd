import { eventLogged, servicePrincipal, type EventPayload } from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { EventRepository } from "./event.repository.ts";

/** Stores events recorded by other services. */
@Injectable()
export class EventConsumer {
  constructor(private readonly events: EventRepository) {}

  @Consume(eventLogged)
  async keep({
    id,
    event,
    userId,
    metadata,
    occurredAt,
  }: EventPayload<typeof eventLogged>): Promise<void> {
    await this.events.accept(
      { principal: servicePrincipal, workspace: null },
      { eventId: id, event, userId, metadata, occurredAt: new Date(occurredAt) },
    );
  }
}
