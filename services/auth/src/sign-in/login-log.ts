import { publicPrincipal, type In, type requestToken } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { EventLog } from "../event-log/event-log.ts";
import { printableName } from "../user/typed-username.ts";
import type { User } from "../user/user.entity.ts";

/** Event log entries about password sign-ins, which have no signed-in actor. */
@Injectable()
export class LoginLog {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: EventLog,
  ) {}

  /** Names the user if the sign-in got that far, otherwise the name as typed. */
  record(
    input: In<typeof requestToken>,
    event: string,
    user: User | null,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    const name =
      user?.username ?? (input.username === undefined ? undefined : printableName(input.username));
    return this.events.record(
      manager,
      { principal: publicPrincipal, address: input.address },
      event,
      { ...(name === undefined ? {} : { username: name }) },
      user?.id ?? null,
    );
  }
}
