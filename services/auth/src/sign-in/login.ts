import {
  CarrelError,
  publicPrincipal,
  type In,
  type Out,
  type requestToken,
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
/** Refusals that are not wrong guesses: the password was correct. */
const refused = (message: string): Output => ({ valid: false, user: null, token: null, message });
const unknownUser = "[001] Invalid login credentials.";
const wrongPassword = "[002] Invalid login credentials.";
const suspended = "[004] Account suspended by admin.";
const codeDue = "[006] One-time code required.";
const wrongCode = "[006] The one-time code is not right.";

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
    if (passwordHash === null)
      throw new CarrelError("PASSWORD_NOT_SET", "No instance password is set.");
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
        throw new CarrelError("PASSWORD_WRONG", "Invalid password provided");
      },
    );
  }

  /** Multi-user mode. TOO_MANY_ATTEMPTS, BUSY; everything else is a regular reply. */
  async user(input: Input): Promise<Output> {
    const name = typedUsername(input.username);
    const user = name === null ? null : await this.users.findByUsername(name);
    const known = user === null ? undefined : this.devices.identify(user, input.device);
    const tried = { address: input.address, account: `user\0${name ?? ""}`, known };
    return this.attempts.count(
      { kind: "login", ...tried },
      async () => {
        const reading = await this.readingThatFits(user, input);
        if (user === null)
          return this.fail(input, "failed_login_invalid_username", unknownUser, null);
        if (reading === null)
          return this.fail(input, "failed_login_invalid_password", wrongPassword, user);
        if (user.suspended)
          return this.fail(input, "failed_login_account_suspended", suspended, user);
        if (user.secondFactorSince === null) return this.signIn(user, input, null);
        const { code } = reading;
        if (code === null) return refused(codeDue);
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
  private async signIn(verified: User, input: Input, code: string | null): Promise<Output> {
    const outcome = await this.dataSource.transaction(async (manager) => {
      const user = await this.users.lock(manager, verified.id);
      if (user === null || user.passwordHash !== verified.passwordHash) return wrongPassword;
      if (user.suspended) return suspended;
      if (user.secondFactorSince !== null && code === null) return codeDue;
      if (
        user.secondFactorSince !== null &&
        code !== null &&
        !(await this.takeCode(manager, user, code))
      )
        return wrongCode;
      const recoveryCodes = await this.recoveryCodes.issueFirst(manager, user.id);
      const { token } = await this.sessions.create(manager, {
        userId: user.id,
        method: "password",
        address: input.address,
        userAgent: input.userAgent,
      });
      await this.record(manager, input, "login_event", user);
      if (recoveryCodes !== null) await this.record(manager, input, "recovery_codes_issued", user);
      const current = await this.users.findById(user.id, manager);
      return { token, recoveryCodes, user: mapUser(current ?? user) };
    });
    if (outcome === wrongCode)
      return this.fail(input, "failed_login_invalid_code", wrongCode, verified);
    if (outcome === suspended)
      return this.fail(input, "failed_login_account_suspended", suspended, verified);
    if (outcome === wrongPassword)
      return this.fail(input, "failed_login_invalid_password", wrongPassword, verified);
    if (typeof outcome === "string") return refused(outcome);
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
    message: string,
    user: User | null,
  ): Promise<Output> {
    await this.record(this.dataSource.manager, input, event, user);
    return refused(message);
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

/** Whether the reply reveals nothing that would help a stranger's next guess. */
const isNoGuess = ({ valid, message }: Output): boolean =>
  valid || message === suspended || message === codeDue;
