import { clearEvents, listEvents, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { UserDirectory } from "../user/user-directory.ts";
import { EventLog } from "./event-log.ts";
import { mapEventToWire } from "./event.mapper.ts";
import { EventRepository } from "./event.repository.ts";

@Controller()
export class EventHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: EventRepository,
    private readonly log: EventLog,
    private readonly users: UserDirectory,
  ) {}

  @Handle(listEvents)
  async list(
    { offset, limit }: In<typeof listEvents>,
    context: RequestContext,
  ): Promise<Out<typeof listEvents>> {
    const { events, total } = await this.events.list(context.scope, { offset, limit });
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
    await this.dataSource.transaction(async (manager) => {
      const removed = await this.events.clear(context.scope, manager);
      await this.log.record(manager, context.scope, "event_logs_cleared", { removed });
    });
    return { success: true };
  }
}
