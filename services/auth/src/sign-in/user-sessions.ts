import { publicPrincipal, type In, type UserWire, type requestToken } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { EventLog } from "../event-log/event-log.ts";
import { OneTimeCodes } from "../one-time-code/one-time-codes.ts";
import { RecoveryCodes } from "../recovery-code/recovery-codes.ts";
import { SessionRepository } from "../session/session.repository.ts";
import type { User } from "../user/user.entity.ts";
import { mapUser } from "../user/user.mapper.ts";
import { UserRepository } from "../user/user.repository.ts";
import { printableName } from "../user/username.ts";

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

export type Refusal = `sign-in.${"wrong-credentials" | "suspended" | "code-due" | "wrong-code"}`;

export interface SignedIn {
  token: string;
  recoveryCodes: string[] | null;
  user: UserWire;
}

/** Starts sessions of users whose password was verified. */
@Injectable()
export class UserSessions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly oneTimeCodes: OneTimeCodes,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly log: LoginLog,
  ) {}

  /**
   * Re-reads the row under its lock, because password, second factor or suspension may have changed
   * while the password was being verified.
   */
  start(
    verified: User,
    input: In<typeof requestToken>,
    code: string | null,
  ): Promise<Refusal | SignedIn> {
    return this.dataSource.transaction(async (manager): Promise<Refusal | SignedIn> => {
      const user = await this.users.lock(manager, verified.id);
      if (user === null || user.passwordHash !== verified.passwordHash)
        return "sign-in.wrong-credentials";
      if (user.suspended) return "sign-in.suspended";
      if (user.secondFactorSince !== null && code === null) return "sign-in.code-due";
      if (
        user.secondFactorSince !== null &&
        code !== null &&
        !(await this.takeCode(manager, user, code))
      )
        return "sign-in.wrong-code";
      const recoveryCodes = await this.recoveryCodes.issueFirst(manager, user.id);
      const { token } = await this.sessions.create(manager, {
        userId: user.id,
        method: "password",
        address: input.address,
        userAgent: input.userAgent,
      });
      await this.log.record(input, "login_event", user, manager);
      if (recoveryCodes !== null)
        await this.log.record(input, "recovery_codes_issued", user, manager);
      const current = await this.users.findById(user.id, manager);
      return { token, recoveryCodes, user: mapUser(current ?? user) };
    });
  }

  private async takeCode(manager: EntityManager, user: User, code: string): Promise<boolean> {
    return (
      (await this.oneTimeCodes.take(manager, user, code)) ||
      this.recoveryCodes.take(manager, user.id, code)
    );
  }
}
