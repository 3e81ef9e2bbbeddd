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
import { Controller } from "@nestjs/common";
import { DataSource, MoreThan, type EntityManager } from "typeorm";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog } from "../event-log/event-log.ts";
import { OwnPassword } from "../password/own-password.ts";
import { PasswordHasher } from "../password/password-hasher.ts";
import { PasswordRules } from "../password/password-rules.ts";
import { SecretHasher } from "../secret/secret-hasher.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { printableName, typedUsername } from "../user/typed-username.ts";
import { SignInToken } from "../sign-in-token/sign-in-token.entity.ts";
import { Attempts } from "../throttle/attempts.ts";
import { AccessChanges } from "../access/access-changes.ts";
import { UserRepository } from "../user/user.repository.ts";
import { RecoveryCodes } from "../recovery-code/recovery-codes.ts";
import { ResetToken } from "../recovery-code/recovery.entity.ts";

const resetTokenMs = 10 * 60_000;
const needed = 2;

/** Account recovery without the password. */
@Controller()
export class RecoveryHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: InstanceAccessRepository,
    private readonly users: UserRepository,
    private readonly codes: RecoveryCodes,
    private readonly sessions: SessionRepository,
    private readonly hasher: PasswordHasher,
    private readonly rules: PasswordRules,
    private readonly secrets: SecretHasher,
    private readonly attempts: Attempts,
    private readonly ownPassword: OwnPassword,
    private readonly accessChanges: AccessChanges,
    private readonly events: EventLog,
  ) {}

  /** Unknown users and wrong codes take the same path and get the same reply. */
  @Handle(recoverAccount)
  async recover({
    username,
    recoveryCodes,
    address,
  }: In<typeof recoverAccount>): Promise<Out<typeof recoverAccount>> {
    await this.refuseWithoutUsers();
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
        const resetToken = randomUUID();
        await this.dataSource.transaction(async (manager) => {
          await this.users.lock(manager, user.id);
          await manager.delete(ResetToken, { userId: user.id });
          await manager.insert(ResetToken, {
            hash: this.secrets.hash("reset-token", resetToken),
            userId: user.id,
            usedCodes: right,
            expiresAt: new Date(Date.now() + resetTokenMs),
          });
        });
        return { success: true, resetToken };
      },
    );
  }

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
    await this.refuseWithoutUsers();
    if (newPassword !== confirmPassword) throw new CarrelError("password.mismatch");
    const refusal = this.rules.refuse(newPassword);
    if (refusal !== null) throw refusal;
    const hash = this.secrets.hash("reset-token", token);
    const userId = await this.attempts.count({ kind: "token", address }, async () => {
      if (
        !(await this.dataSource.manager.existsBy(ResetToken, {
          hash,
          expiresAt: MoreThan(new Date()),
        }))
      )
        throw new CarrelError("password.reset-token-invalid");
      const passwordHash = await this.hasher.hash(newPassword);
      return this.dataSource.transaction((manager) =>
        this.apply(manager, hash, passwordHash, address),
      );
    });
    await this.accessChanges.announce(userId);
    return { success: true, message: "Password reset successful" };
  }

  @Handle(renewRecoveryCodes)
  async renew(
    { password }: In<typeof renewRecoveryCodes>,
    { scope }: RequestContext,
  ): Promise<Out<typeof renewRecoveryCodes>> {
    const user = await this.ownPassword.check(scope, password);
    const recoveryCodes = await this.dataSource.transaction(async (manager) => {
      await this.users.lock(manager, user.id);
      await this.events.record(manager, scope, "recovery_codes_issued");
      return this.codes.issue(manager, user.id);
    });
    return { success: true, recoveryCodes, error: null };
  }

  private async apply(
    manager: EntityManager,
    hash: string,
    passwordHash: string,
    address: string | undefined,
  ): Promise<number> {
    const found = await manager.findOneBy(ResetToken, { hash, expiresAt: MoreThan(new Date()) });
    // Lock the user's row first, as everywhere, to prevent deadlocks.
    const user = found === null ? null : await this.users.lock(manager, found.userId);
    if (
      found === null ||
      user === null ||
      ((await manager.delete(ResetToken, { hash })).affected ?? 0) === 0
    )
      throw new CarrelError("password.reset-token-invalid");
    const { userId } = found;
    await this.users.update({ principal: servicePrincipal, workspace: null }, manager, userId, {
      passwordHash,
      seenRecoveryCodes: false,
    });
    await this.codes.spend(manager, user, found.usedCodes);
    for (const entity of [ResetToken, SignInToken]) await manager.delete(entity, { userId });
    await this.sessions.endAll(manager, userId);
    await this.accessChanges.record(manager, userId);
    await this.events.record(
      manager,
      { principal: publicPrincipal, address },
      "password_reset",
      {},
      userId,
    );
    return userId;
  }

  private async refuseWithoutUsers(): Promise<void> {
    if ((await this.access.get()).mode !== "multi")
      throw new CarrelError("password.recovery-without-accounts");
  }
}
