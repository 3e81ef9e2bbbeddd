import {
  renewRecoveryCodes,
  type In,
  type Out,
  CarrelError,
  resetPassword,
  publicPrincipal,
  recoverAccount,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Module, Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { AccessChanges } from "../access/access-changes.ts";
import { AccessModule } from "../access/access.module.ts";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { CredentialModule } from "../credential/credential.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { EventLog } from "../event-log/event-log.ts";
import { NewPasswords } from "../password/new-passwords.ts";
import { OwnerCheck } from "../password/owner-check.ts";
import { PasswordModule } from "../password/password.module.ts";
import { RecoveryCodeModule } from "../recovery-code/recovery-code.module.ts";
import { RecoveryCodes } from "../recovery-code/recovery-codes.ts";
import { SecretModule } from "../secret/secret.module.ts";
import { Attempts } from "../throttle/attempts.ts";
import { ThrottleModule } from "../throttle/throttle.module.ts";
import { printableName, typedUsername } from "../user/typed-username.ts";
import { UserModule } from "../user/user.module.ts";
import { UserRepository } from "../user/user.repository.ts";
import { PasswordReset, invalidResetToken } from "./password-reset.ts";
import { requireAccounts } from "./require-accounts.ts";
import { ResetTokens } from "./reset-tokens.ts";

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
