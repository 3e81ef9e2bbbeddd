import { CarrelError, updatePassword, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog } from "../event-log/event-log.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { AccessChanges } from "../access/access-changes.ts";
import { OwnerCheck } from "./owner-check.ts";
import { PasswordHasher } from "./password-hasher.ts";
import { refusePassword } from "./password-rules.ts";

@Controller()
export class PasswordHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: InstanceAccessRepository,
    private readonly sessions: SessionRepository,
    private readonly owner: OwnerCheck,
    private readonly hasher: PasswordHasher,
    private readonly events: EventLog,
    private readonly accessChanges: AccessChanges,
  ) {}

  /**
   * Sets or removes the instance password, which needs the owner's confirmation if there is one;
   * every session ends, and clients sign in again with the new one.
   */
  @Handle(updatePassword)
  async update(
    input: In<typeof updatePassword>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updatePassword>> {
    const password = input.newPassword ?? "";
    const refusal = input.usePassword ? refusePassword(password) : null;
    if (refusal !== null) throw refusal;
    const confirmed = await this.owner.confirmInstance(scope, input.currentPassword);
    const passwordHash = input.usePassword ? await this.hasher.hash(password) : null;
    await this.dataSource.transaction(async (manager) => {
      const before = await this.access.lock(manager);
      if (before.mode === "multi") throw new CarrelError("password.instance-removed");
      if (before.passwordHash !== confirmed) throw new CarrelError("password.confirmation-due");
      await this.access.setPassword(scope, manager, passwordHash);
      await this.sessions.endAll(manager, null);
      await this.accessChanges.record(manager);
      await this.events.record(manager, scope, "instance_password_changed", {
        usePassword: input.usePassword,
      });
    });
    await this.accessChanges.announce();
    return { success: true, error: null };
  }
}
