import {
  CarrelError,
  publicPrincipal,
  type In,
  type Out,
  type UserWire,
  type requestToken,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { EventLog } from "../event-log/event-log.ts";
import { OneTimeCodes } from "../one-time-code/one-time-codes.ts";
import { PasswordHasher } from "../password/password-hasher.ts";
import { RecoveryCodes } from "../recovery-code/recovery-codes.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { Attempts, KnownDevices } from "../throttle/attempts.ts";
import { mapUser, printableName, typedUsername } from "../user/user-fields.ts";
import type { User } from "../user/user.entity.ts";
import { UserRepository } from "../user/user.repository.ts";

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

type Refusal = `sign-in.${"wrong-credentials" | "suspended" | "code-due" | "wrong-code"}`;

interface SignedIn {
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

/**
 * A code after a password and a space: six digits, or a recovery code (a UUID, with or without
 * dashes).
 */
const withCode = /^(.+) ([0-9]{6}|[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})$/isu;

/**
 * Possible readings of a client's password field, most likely first: clients without a code field
 * append it to the password after a space. The number of readings depends only on the text, so
 * checking them all reveals nothing through timing.
 */
export function readTypedPassword(
  password: string,
  code: string | undefined,
): { password: string; code: string | null }[] {
  const separateCode = (code ?? "").trim();
  const whole = { password, code: separateCode === "" ? null : separateCode };
  const [, before, behind] = separateCode === "" ? (withCode.exec(password) ?? []) : [];
  return before === undefined || behind === undefined
    ? [whole]
    : [whole, { password: before, code: behind }];
}

type Input = In<typeof requestToken>;
type Output = Out<typeof requestToken>;

/** Sign-in with username and password; wire-contract 1.4 lists every reply. */
@Injectable()
export class UserLogin {
  constructor(
    private readonly users: UserRepository,
    private readonly sessions: UserSessions,
    private readonly hasher: PasswordHasher,
    private readonly attempts: Attempts,
    private readonly devices: KnownDevices,
    private readonly log: LoginLog,
  ) {}

  /** TOO_MANY_ATTEMPTS, BUSY, or REFUSED with the wire's text. */
  async signIn(input: Input): Promise<Output> {
    const outcome = await this.attempt(input);
    if (typeof outcome === "string") throw new CarrelError(outcome);
    return outcome;
  }

  private async attempt(input: Input): Promise<Output | Refusal> {
    const name = typedUsername(input.username);
    const user = name === null ? null : await this.users.findByUsername(name);
    const known = user === null ? undefined : this.devices.identify(user, input.device);
    const tried = { address: input.address, account: `user\0${name ?? ""}`, known };
    return this.attempts.count(
      { kind: "login", ...tried },
      async () => {
        const reading = await this.findMatchingReading(user, input);
        if (user === null)
          return this.fail(
            input,
            "failed_login_invalid_username",
            "sign-in.wrong-credentials",
            null,
          );
        if (reading === null)
          return this.fail(
            input,
            "failed_login_invalid_password",
            "sign-in.wrong-credentials",
            user,
          );
        if (user.suspended)
          return this.fail(input, "failed_login_account_suspended", "sign-in.suspended", user);
        if (user.secondFactorSince === null) return this.openSession(user, input, null);
        const { code } = reading;
        if (code === null) return "sign-in.code-due";
        return this.attempts.count(
          { kind: "code", ...tried },
          () => this.openSession(user, input, code),
          refundsAttempt,
        );
      },
      refundsAttempt,
    );
  }

  /**
   * Verifies every reading of the password field for any user name, so that timing does not reveal
   * whether the user exists.
   */
  private async findMatchingReading(
    user: User | null,
    input: Input,
  ): Promise<{ code: string | null } | null> {
    let matching: { code: string | null } | null = null;
    for (const [index, reading] of readTypedPassword(input.password ?? "", input.code).entries()) {
      const isRight = await this.hasher.verify(user?.passwordHash ?? null, reading.password);
      // A code after the password counts only if one is due; otherwise it is part of a wrong
      // password.
      if (isRight && (index === 0 || user?.secondFactorSince !== null)) matching ??= reading;
    }
    return matching;
  }

  private async openSession(
    verified: User,
    input: Input,
    code: string | null,
  ): Promise<Output | Refusal> {
    const outcome = await this.sessions.start(verified, input, code);
    if (outcome === "sign-in.wrong-code")
      return this.fail(input, "failed_login_invalid_code", "sign-in.wrong-code", verified);
    if (outcome === "sign-in.suspended")
      return this.fail(input, "failed_login_account_suspended", "sign-in.suspended", verified);
    if (outcome === "sign-in.wrong-credentials")
      return this.fail(
        input,
        "failed_login_invalid_password",
        "sign-in.wrong-credentials",
        verified,
      );
    if (typeof outcome === "string") return outcome;
    const { token, user, recoveryCodes } = outcome;
    return {
      valid: true,
      user,
      token,
      message: null,
      ...(recoveryCodes === null ? {} : { recoveryCodes }),
      device: this.devices.prove(verified, input.device),
    };
  }

  private async fail(
    input: Input,
    event: string,
    refusal: Refusal,
    user: User | null,
  ): Promise<Refusal> {
    await this.log.record(input, event, user);
    return refusal;
  }
}

/** Whether the outcome reveals nothing that would help a stranger's next guess. */
const refundsAttempt = (outcome: Output | Refusal): boolean =>
  outcome !== "sign-in.wrong-credentials" && outcome !== "sign-in.wrong-code";
