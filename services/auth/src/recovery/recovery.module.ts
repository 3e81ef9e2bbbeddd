import { randomUUID } from "node:crypto";
import {
  CarrelError,
  publicPrincipal,
  recoverAccount,
  renewRecoveryCodes,
  resetPassword,
  servicePrincipal,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource, MoreThan, type EntityManager } from "typeorm";
import {
  AccessChanges,
  AccessModule,
  InstanceAccessRepository,
} from "../access/instance-access.repository.ts";
import { CredentialModule, Credentials } from "../credential/credentials.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { OwnerCheck } from "../password/owner-check.ts";
import { NewPasswords } from "../password/password-rules.ts";
import { PasswordModule } from "../password/password.module.ts";
import { RecoveryCodeModule, RecoveryCodes } from "../recovery-code/recovery-codes.ts";
import { ResetToken } from "../recovery-code/recovery.entity.ts";
import { SecretHasher, SecretModule } from "../secret/secret-hasher.ts";
import { Attempts, ThrottleModule } from "../throttle/attempts.ts";
import { printableName, typedUsername } from "../user/user-fields.ts";
import { UserModule, UserRepository } from "../user/user.repository.ts";

const lifetimeMs = 10 * 60_000;

/** Tokens that allow setting one new password, looked up by the HMAC of the token as sent. */
@Injectable()
class ResetTokens {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretHasher,
  ) {}

  /**
   * Returns the only copy of a new token and invalidates the user's earlier one. The caller has
   * locked the user's row.
   */
  async create(manager: EntityManager, userId: number, usedCodes: string[]): Promise<string> {
    const token = randomUUID();
    await manager.delete(ResetToken, { userId });
    await manager.insert(ResetToken, {
      hash: this.hash(token),
      userId,
      usedCodes,
      expiresAt: new Date(Date.now() + lifetimeMs),
    });
    return token;
  }

  /** null if it is unknown, used or expired. */
  find(
    token: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ResetToken | null> {
    return manager.findOneBy(ResetToken, {
      hash: this.hash(token),
      expiresAt: MoreThan(new Date()),
    });
  }

  /** Uses up the token; false if it was used in the meantime. */
  async take(manager: EntityManager, token: string): Promise<boolean> {
    return ((await manager.delete(ResetToken, { hash: this.hash(token) })).affected ?? 0) > 0;
  }

  private hash(token: string): string {
    return this.secrets.hash("reset-token", token);
  }
}

/** Refuses unless the instance has accounts: the instance password has no recovery codes. */
async function requireAccounts(access: InstanceAccessRepository): Promise<void> {
  if ((await access.get()).mode !== "multi")
    throw new CarrelError("password.recovery-without-accounts");
}

const invalidResetToken = (): CarrelError => new CarrelError("password.reset-token-invalid");

/** Exchanges a reset token for a new password. */
@Injectable()
class PasswordReset {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly tokens: ResetTokens,
    private readonly codes: RecoveryCodes,
    private readonly credentials: Credentials,
    private readonly accessChanges: AccessChanges,
    private readonly events: EventLog,
  ) {}

  /**
   * Ends every session and extension key of the user; only developer keys are kept. Returns the user's id for
   * `AccessChanges.announce`.
   */
  apply(token: string, passwordHash: string, address: string | undefined): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const found = await this.tokens.find(token, manager);
      // Lock the user's row first, as everywhere, to prevent deadlocks.
      const user = found === null ? null : await this.users.lock(manager, found.userId);
      if (found === null || user === null || !(await this.tokens.take(manager, token)))
        throw invalidResetToken();
      await this.users.update({ principal: servicePrincipal, workspace: null }, manager, user.id, {
        passwordHash,
        seenRecoveryCodes: false,
      });
      await this.codes.spend(manager, user, found.usedCodes);
      await this.credentials.revokeOthers(manager, user.id, undefined);
      await this.accessChanges.record(manager, user.id);
      await this.events.record(
        manager,
        { principal: publicPrincipal, address },
        "password_reset",
        {},
        user.id,
      );
      return user.id;
    });
  }
}

const needed = 2;

/** Account recovery without the password: two recovery codes are exchanged for a reset token. */
@Controller()
class RecoveryHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: InstanceAccessRepository,
    private readonly users: UserRepository,
    private readonly codes: RecoveryCodes,
    private readonly tokens: ResetTokens,
    private readonly attempts: Attempts,
    private readonly events: EventLog,
  ) {}

  /** Unknown users and wrong codes take the same path and get the same reply. */
  @Handle(recoverAccount)
  async recover({
    username,
    recoveryCodes,
    address,
  }: In<typeof recoverAccount>): Promise<Out<typeof recoverAccount>> {
    await requireAccounts(this.access);
    const name = typedUsername(username);
    return this.attempts.count(
      { kind: "recovery", address, account: `user\0${name ?? ""}` },
      async () => {
        const user = name === null ? null : await this.users.findByUsername(name);
        const right = await this.codes.findRight(user?.id ?? null, recoveryCodes);
        const scope = { principal: publicPrincipal, address };
        if (user === null || right.length < needed) {
          await this.events.record(
            this.dataSource.manager,
            scope,
            "recovery_failed",
            { username: printableName(username) },
            user?.id ?? null,
          );
          throw new CarrelError("password.recovery-codes-invalid");
        }
        const resetToken = await this.dataSource.transaction(async (manager) => {
          await this.users.lock(manager, user.id);
          return this.tokens.create(manager, user.id, right);
        });
        return { success: true, resetToken };
      },
    );
  }
}

@Controller()
class PasswordResetHandler {
  constructor(
    private readonly access: InstanceAccessRepository,
    private readonly tokens: ResetTokens,
    private readonly passwords: NewPasswords,
    private readonly passwordReset: PasswordReset,
    private readonly attempts: Attempts,
    private readonly accessChanges: AccessChanges,
  ) {}

  /**
   * Checks the token before hashing the password and uses it up afterwards, so a typo can be
   * corrected.
   */
  @Handle(resetPassword)
  async reset({
    token,
    newPassword,
    confirmPassword,
    address,
  }: In<typeof resetPassword>): Promise<Out<typeof resetPassword>> {
    await requireAccounts(this.access);
    if (newPassword !== confirmPassword) throw new CarrelError("password.mismatch");
    this.passwords.check(newPassword);
    const userId = await this.attempts.count({ kind: "token", address }, async () => {
      if ((await this.tokens.find(token)) === null) throw invalidResetToken();
      const passwordHash = await this.passwords.hash(newPassword);
      return this.passwordReset.apply(token, passwordHash, address);
    });
    await this.accessChanges.announce(userId);
    return { success: true, message: "Password reset successful" };
  }
}

/** The caller's own recovery codes. */
@Controller()
class RecoveryCodeHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly codes: RecoveryCodes,
    private readonly owner: OwnerCheck,
    private readonly events: EventLog,
  ) {}

  @Handle(renewRecoveryCodes)
  async renew(
    proof: In<typeof renewRecoveryCodes>,
    { scope }: RequestContext,
  ): Promise<Out<typeof renewRecoveryCodes>> {
    const user = await this.owner.confirm(scope, proof);
    const recoveryCodes = await this.dataSource.transaction(async (manager) => {
      await this.users.lock(manager, user.id);
      await this.events.record(manager, scope, "recovery_codes_issued");
      return this.codes.issue(manager, user.id);
    });
    return { success: true, recoveryCodes, error: null };
  }
}

@Module({
  imports: [
    AccessModule,
    CredentialModule,
    EventLogModule,
    PasswordModule,
    RecoveryCodeModule,
    SecretModule,
    ThrottleModule,
    UserModule,
  ],
  controllers: [PasswordResetHandler, RecoveryCodeHandler, RecoveryHandler],
  providers: [PasswordReset, ResetTokens],
})
export class RecoveryModule {}
