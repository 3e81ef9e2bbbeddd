import { multiUserEnabled, type Scope } from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { IsNull, type EntityManager } from "typeorm";
import { AccessChanges } from "../access/access-changes.ts";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog } from "../event-log/event-log.ts";
import { ApiKey } from "../key/key.entity.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { UserRepository } from "../user/user.repository.ts";

/** Turns an instance without accounts into one with accounts. */
@Injectable()
export class AccountActivation {
  constructor(
    private readonly access: InstanceAccessRepository,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly outbox: Outbox,
    private readonly accessChanges: AccessChanges,
    private readonly events: EventLog,
  ) {}

  /**
   * Creates the first admin, who then owns everything on the instance, and ends its sessions. The
   * caller has locked the instance's row.
   */
  async apply(
    manager: EntityManager,
    scope: Scope,
    username: string,
    passwordHash: string,
  ): Promise<void> {
    const now = new Date();
    const admin = await this.users.create(scope, manager, {
      username,
      role: "admin",
      passwordHash,
    });
    await this.access.enableMultiUser(scope, manager, admin.id, now);
    await manager.update(ApiKey, { userId: IsNull() }, { userId: admin.id });
    await this.sessions.endAll(manager, null);
    await this.outbox.add(
      manager,
      eventMessage(multiUserEnabled, { adminId: admin.id, at: now.toISOString() }),
    );
    await this.accessChanges.record(manager);
    await this.events.record(manager, scope, "multi_user_mode_enabled", { username }, admin.id);
    await this.events.record(
      manager,
      scope,
      "user_created",
      { userId: admin.id, username, role: "admin" },
      admin.id,
    );
  }
}
