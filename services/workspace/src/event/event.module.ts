import {
  clearEvents,
  cursorId,
  cursorTime,
  cutPage,
  eventLogged,
  listEvents,
  readCursor,
  servicePrincipal,
  type EventPayload,
  type In,
  type Out,
} from "@carrel/contracts";
import { Consume, Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { z } from "zod";
import { UserDirectory, UserModule, type KnownUser } from "../user/user-directory.ts";
import { ChainRepository, ChainVerification } from "./chain.repository.ts";
import { EventPruner } from "./event-pruner.ts";
import type { LoggedEvent } from "./event.entity.ts";
import { EventLog, EventRepository, type EventPlace } from "./event.repository.ts";
import { SigningKeys } from "./signing-keys.ts";

/**
 * Maps an entry to the wire format (wire-contract 2.5): metadata is JSON text, and deleted users or
 * actors without an account appear as "unknown user".
 */
const mapEventToWire = (
  event: LoggedEvent,
  users: ReadonlyMap<number, KnownUser>,
): Out<typeof listEvents>["logs"][number] => ({
  id: event.id,
  event: event.event,
  metadata: Object.keys(event.metadata).length === 0 ? null : JSON.stringify(event.metadata),
  userId: event.userId,
  occurredAt: event.occurredAt.toISOString(),
  user: {
    username:
      (event.userId === null ? undefined : users.get(event.userId)?.username) ?? "unknown user",
  },
});

const place = z.tuple([cursorTime, cursorId]);

@Controller()
class EventHandler {
  constructor(
    private readonly events: EventRepository,
    private readonly pruner: EventPruner,
    private readonly users: UserDirectory,
  ) {}

  @Handle(listEvents)
  async list(
    { offset, limit, cursor, ...filter }: In<typeof listEvents>,
    context: RequestContext,
  ): Promise<Out<typeof listEvents>> {
    const after = cursor === undefined ? null : readPlace(cursor);
    const { events, total } = await this.events.list(context.scope, filter, {
      after,
      offset,
      limit,
    });
    const { page, nextCursor } = cutPage(events, limit, (event) => [
      event.occurredAt.toISOString(),
      event.id,
    ]);
    const users = await this.users.find(page.flatMap((event) => event.userId ?? []));
    return {
      logs: page.map((event) => mapEventToWire(event, users)),
      hasPages: nextCursor !== null,
      totalLogs: total,
      nextCursor,
    };
  }

  @Handle(clearEvents)
  async clear(
    _input: In<typeof clearEvents>,
    context: RequestContext,
  ): Promise<Out<typeof clearEvents>> {
    await this.pruner.clear(context.scope);
    return { success: true };
  }
}

function readPlace(cursor: string): EventPlace {
  const [occurredAt, id] = readCursor(place, cursor);
  return { occurredAt, id };
}

/** Stores events recorded by other services. */
@Injectable()
class EventConsumer {
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

@Module({
  imports: [UserModule],
  controllers: [EventHandler],
  providers: [
    ChainRepository,
    ChainVerification,
    EventConsumer,
    EventLog,
    EventPruner,
    EventRepository,
    SigningKeys,
  ],
  exports: [
    ChainRepository,
    ChainVerification,
    EventLog,
    EventPruner,
    EventRepository,
    SigningKeys,
  ],
})
export class EventModule {}
