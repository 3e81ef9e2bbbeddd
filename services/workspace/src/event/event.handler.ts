import { clearEvents, listEvents, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { UserDirectory } from "../user/user-directory.ts";
import { EventPruner } from "./event-pruner.ts";
import { mapEventToWire } from "./event.mapper.ts";
import { EventRepository } from "./event.repository.ts";

@Controller()
export class EventHandler {
  constructor(
    private readonly events: EventRepository,
    private readonly pruner: EventPruner,
    private readonly users: UserDirectory,
  ) {}

  @Handle(listEvents)
  async list(
    { offset, limit, ...filter }: In<typeof listEvents>,
    context: RequestContext,
  ): Promise<Out<typeof listEvents>> {
    const { events, total } = await this.events.list(context.scope, filter, { offset, limit });
    const users = await this.users.find(events.flatMap((event) => event.userId ?? []));
    return {
      logs: events.map((event) => mapEventToWire(event, users)),
      hasPages: total > (offset + 1) * limit,
      totalLogs: total,
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
