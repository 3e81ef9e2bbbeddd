import {
  CarrelError,
  publicPrincipal,
  type In,
  type Out,
  type requestToken,
  type UserWire,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog } from "../event-log/event-log.ts";
import { PasswordHasher } from "../password/password-hasher.ts";
import { RecoveryCodes } from "../recovery-code/recovery-codes.ts";
import { OneTimeCodes } from "../second-factor/one-time-codes.ts";
import { Attempts } from "../throttle/attempts.ts";
import { KnownDevices } from "../throttle/known-device.ts";
import { mapUser } from "../user/user.mapper.ts";
import { UserRepository } from "../user/user.repository.ts";
import type { User } from "../user/user.entity.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { readTypedPassword } from "./typed-password.ts";
import { printableName, typedUsername } from "../user/typed-username.ts";

type Input = In<typeof requestToken>;
type Output = Out<typeof requestToken>;
type Refusal =
  `sign-in.${"unknown-user" | "wrong-password" | "suspended" | "code-due" | "wrong-code"}`;

interface SignedIn {
  token: string;
  recoveryCodes: string[] | null;
  user: UserWire;
}

/** Password sign-in; wire-contract 1.4 lists every reply. */
@Injectable()
export class Login {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: InstanceAccessRepository,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly hasher: PasswordHasher,
    private readonly oneTimeCodes: OneTimeCodes,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly attempts: Attempts,
    private readonly devices: KnownDevices,
    private readonly events: EventLog,
  ) {}

  /** Single-user mode. PASSWORD_NOT_SET, PASSWORD_WRONG, TOO_MANY_ATTEMPTS, BUSY. */
  async instance(input: Input): Promise<Output> {
    const { passwordHash } = await this.access.get();
    if (passwordHash === null) throw new CarrelError("password.instance-not-set");
    const known = this.devices.identify({ id: null, passwordHash }, input.device);
    return this.attempts.count(
      { kind: "login", address: input.address, account: "", known },
      async () => {
        const isRight = await this.hasher.verify(passwordHash, input.password ?? "");
        const signedIn =
          isRight &&
          (await this.dataSource.transaction(async (manager) => {
            // The password may have changed while this one was being verified.
            if ((await this.access.lock(manager)).passwordHash !== passwordHash) return null;
            await this.record(manager, input, "login_event", null);
            return this.sessions.create(manager, {
              userId: null,
              method: "password",
              address: input.address,
              userAgent: input.userAgent,
            });
          }));
        if (signedIn)
          return {
            valid: true,
            token: signedIn.token,
            message: null,
            device: this.devices.prove({ id: null, passwordHash }, input.device),
          };
        await this.record(this.dataSource.manager, input, "failed_login_invalid_password", null);
        throw new CarrelError("password.instance-wrong");
      },
    );
  }

  /** Multi-user mode. TOO_MANY_ATTEMPTS, BUSY, or REFUSED with the wire's text. */
  async user(input: Input): Promise<Output> {
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
        const reading = await this.readingThatFits(user, input);
        if (user === null)
          return this.fail(input, "failed_login_invalid_username", "sign-in.unknown-user", null);
        if (reading === null)
          return this.fail(input, "failed_login_invalid_password", "sign-in.wrong-password", user);
        if (user.suspended)
          return this.fail(input, "failed_login_account_suspended", "sign-in.suspended", user);
        if (user.secondFactorSince === null) return this.signIn(user, input, null);
        const { code } = reading;
        if (code === null) return "sign-in.code-due";
        return this.attempts.count(
          { kind: "code", ...tried },
          () => this.signIn(user, input, code),
          isNoGuess,
        );
      },
      isNoGuess,
    );
  }

  /**
   * Verifies every reading of the password field whoever the user is, so that timing does not
   * reveal whether the user exists.
   */
  private async readingThatFits(
    user: User | null,
    input: Input,
  ): Promise<{ code: string | null } | null> {
    let fits: { code: string | null } | null = null;
    for (const [index, reading] of readTypedPassword(input.password ?? "", input.code).entries()) {
      const isRight = await this.hasher.verify(user?.passwordHash ?? null, reading.password);
      // A code after the password counts only if one is due; otherwise it is part of a wrong
      // password.
      if (isRight && (index === 0 || user?.secondFactorSince !== null)) fits ??= reading;
    }
    return fits;
  }

  /**
   * Re-reads the row under its lock, because password, second factor or suspension may have changed
   * while the password was being verified.
   */
  private async signIn(
    verified: User,
    input: Input,
    code: string | null,
  ): Promise<Output | Refusal> {
    const outcome = await this.dataSource.transaction(
      async (manager): Promise<Refusal | SignedIn> => {
        const user = await this.users.lock(manager, verified.id);
        if (user === null || user.passwordHash !== verified.passwordHash)
          return "sign-in.wrong-password";
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
        await this.record(manager, input, "login_event", user);
        if (recoveryCodes !== null)
          await this.record(manager, input, "recovery_codes_issued", user);
        const current = await this.users.findById(user.id, manager);
        return { token, recoveryCodes, user: mapUser(current ?? user) };
      },
    );
    if (outcome === "sign-in.wrong-code")
      return this.fail(input, "failed_login_invalid_code", "sign-in.wrong-code", verified);
    if (outcome === "sign-in.suspended")
      return this.fail(input, "failed_login_account_suspended", "sign-in.suspended", verified);
    if (outcome === "sign-in.wrong-password")
      return this.fail(input, "failed_login_invalid_password", "sign-in.wrong-password", verified);
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

  private async takeCode(manager: EntityManager, user: User, code: string): Promise<boolean> {
    return (
      (await this.oneTimeCodes.take(manager, user, code)) ||
      this.recoveryCodes.take(manager, user.id, code)
    );
  }

  private async fail(
    input: Input,
    event: string,
    refusal: Refusal,
    user: User | null,
  ): Promise<Refusal> {
    await this.record(this.dataSource.manager, input, event, user);
    return refusal;
  }

  private record(
    manager: EntityManager,
    input: Input,
    event: string,
    user: User | null,
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

/** Whether the outcome reveals nothing that would help a stranger's next guess. */
const isNoGuess = (outcome: Output | Refusal): boolean =>
  outcome !== "sign-in.unknown-user" &&
  outcome !== "sign-in.wrong-password" &&
  outcome !== "sign-in.wrong-code";
