import { CarrelError, proofLifetimeMs, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { OneTimeCodes } from "../one-time-code/one-time-codes.ts";
import { provenAt, SessionRepository } from "../session/session.repository.ts";
import { Attempts } from "../throttle/attempts.ts";
import type { User } from "../user/user.entity.ts";
import { UserRepository } from "../user/user.repository.ts";
import { PasswordHasher } from "./password-hasher.ts";

/** Proof that the person using the session owns the account; empty fields prove nothing. */
export interface OwnerProof {
  password: string;
  code: string;
}

/** Credentials for signing in to an account, or to an instance without accounts. */
interface Access {
  userId: number | null;
  passwordHash: string | null;
  hasSecondFactor: boolean;
}
const ofInstance = (passwordHash: string | null): Access => ({
  userId: null,
  passwordHash,
  hasSecondFactor: false,
});
const ofUser = ({ id, passwordHash, secondFactorSince }: User): Access => ({
  userId: id,
  passwordHash,
  hasSecondFactor: secondFactorSince !== null,
});

/**
 * Changing how an account is accessed requires its password again, and its one-time code if it has
 * one, or a proof within the last ten minutes: a hijacked session isn't enough.
 */
@Injectable()
export class OwnerCheck {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: InstanceAccessRepository,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly hasher: PasswordHasher,
    private readonly oneTimeCodes: OneTimeCodes,
    private readonly attempts: Attempts,
  ) {}

  /** Throws unless the proof is complete, however recent the last one is. */
  async prove(scope: Scope, proof: OwnerProof): Promise<void> {
    const access =
      scope.principal.kind === "instance"
        ? ofInstance((await this.access.get()).passwordHash)
        : ofUser(await this.signedIn(scope));
    await this.check(scope, access, proof, false);
  }

  /**
   * Confirms the owner of an instance without accounts; without a password it is open to everyone
   * anyway. Returns the hash of its password: whoever changes the row must find the same one under
   * its lock.
   */
  async confirmInstance(scope: Scope, password: string): Promise<string | null> {
    // Read first: a switch to accounts ends the session and removes the password at once.
    const isRecent = await this.isRecent(scope, null);
    const { passwordHash } = await this.access.get();
    if (passwordHash === null) return null;
    await this.check(scope, ofInstance(passwordHash), { password, code: "" }, isRecent);
    return passwordHash;
  }

  /**
   * Returns the signed-in user. PASSWORD_WRONG and BAD_INPUT for a wrong password or code, counted
   * against this session; REFUSED if one is due.
   */
  async confirm(scope: Scope, proof: OwnerProof): Promise<User> {
    const user = await this.signedIn(scope);
    await this.check(scope, ofUser(user), proof, await this.isRecent(scope, user.id));
    return user;
  }

  async signedIn({ principal }: Scope): Promise<User> {
    const user =
      principal.kind === "user" && principal.userId !== null
        ? await this.users.findById(principal.userId)
        : null;
    if (user === null) throw new CarrelError("access.forbidden");
    return user;
  }

  private async isRecent({ principal }: Scope, userId: number | null): Promise<boolean> {
    const session =
      principal.sessionId === undefined
        ? null
        : await this.sessions.find(principal.sessionId, userId);
    return session !== null && provenAt(session) > Date.now() - proofLifetimeMs;
  }

  /** An account without a password proves itself with its second factor alone. */
  private async check(
    scope: Scope,
    { userId, passwordHash, hasSecondFactor }: Access,
    { password, code }: OwnerProof,
    isRecent: boolean,
  ): Promise<void> {
    if (password !== "") await this.checkPassword(scope, passwordHash, password);
    else if (!isRecent && passwordHash !== null) throw new CarrelError("password.confirmation-due");
    else if (!isRecent && !hasSecondFactor) throw new CarrelError("password.sign-in-due");
    if (userId === null || !hasSecondFactor) return;
    if (code !== "") await this.checkCode(scope, userId, code);
    else if (!isRecent) throw new CarrelError("second-factor.code-due");
  }

  private checkPassword(
    scope: Scope,
    passwordHash: string | null,
    password: string,
  ): Promise<void> {
    if (passwordHash === null) throw new CarrelError("password.none");
    return this.attempts.count(
      { kind: "login", address: scope.address, known: `session:${scope.principal.sessionId}` },
      async () => {
        if (!(await this.hasher.verify(passwordHash, password)))
          throw new CarrelError("password.wrong");
      },
    );
  }

  private checkCode(scope: Scope, id: number, code: string): Promise<void> {
    return this.attempts.count(
      { kind: "code", address: scope.address, known: `session:${scope.principal.sessionId}` },
      () =>
        this.dataSource.transaction(async (manager) => {
          const user = await this.users.lock(manager, id);
          if (user === null || !(await this.oneTimeCodes.take(manager, user, code)))
            throw new CarrelError("second-factor.code-wrong");
        }),
    );
  }
}
