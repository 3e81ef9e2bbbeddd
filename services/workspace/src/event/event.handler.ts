import {
  clearEvents,
  cursorId,
  cursorTime,
  cutPage,
  listEvents,
  readCursor,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { z } from "zod";
import { UserDirectory } from "../user/user-directory.ts";
import { EventPruner } from "./event-pruner.ts";
import { mapEventToWire } from "./event.mapper.ts";
import { EventRepository, type EventPlace } from "./event.repository.ts";

const place = z.tuple([cursorTime, cursorId]);

@Controller()
export class EventHandler {
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
