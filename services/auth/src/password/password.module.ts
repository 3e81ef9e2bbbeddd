import {
  CarrelError,
  confirmSession,
  getPasswordRules,
  updatePassword,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import {
  AccessChanges,
  AccessModule,
  InstanceAccessRepository,
} from "../access/instance-access.repository.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { OneTimeCodeModule } from "../one-time-code/one-time-codes.ts";
import { SessionModule } from "../session/session.module.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { ThrottleModule } from "../throttle/attempts.ts";
import { UserModule } from "../user/user.repository.ts";
import { OwnerCheck } from "./owner-check.ts";
import { PasswordHasher } from "./password-hasher.ts";
import { NewPasswords, PasswordRules, refusePassword } from "./password-rules.ts";

@Controller()
class PasswordHandler {
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

/** Confirms that a session is used by its owner; see `Access.proof`. */
@Controller()
class ConfirmationHandler {
  constructor(
    private readonly owner: OwnerCheck,
    private readonly sessions: SessionRepository,
    private readonly accessChanges: AccessChanges,
  ) {}

  @Handle(confirmSession)
  async confirm(
    proof: In<typeof confirmSession>,
    { scope }: RequestContext,
  ): Promise<Out<typeof confirmSession>> {
    const { userId, sessionId } = scope.principal;
    // An instance without a password has nothing to prove.
    if (sessionId !== undefined) {
      await this.owner.prove(scope, proof);
      await this.sessions.confirm(sessionId, userId);
      // Gateways cache when the session was proven.
      await this.accessChanges.announce(userId ?? undefined);
    }
    return { success: true, error: null };
  }
}

/** Describes the rules for account passwords. */
@Controller()
class PasswordRuleHandler {
  constructor(private readonly rules: PasswordRules) {}

  @Handle(getPasswordRules)
  describe(): Promise<Out<typeof getPasswordRules>> {
    return Promise.resolve(this.rules.describe());
  }
}

@Module({
  imports: [
    AccessModule,
    EventLogModule,
    OneTimeCodeModule,
    SessionModule,
    ThrottleModule,
    UserModule,
  ],
  controllers: [ConfirmationHandler, PasswordHandler, PasswordRuleHandler],
  providers: [NewPasswords, OwnerCheck, PasswordHasher, PasswordRules],
  exports: [NewPasswords, OwnerCheck, PasswordHasher],
})
export class PasswordModule {}
