import { CarrelError, resetPassword, type In, type Out } from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { AccessChanges } from "../access/access-changes.ts";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { NewPasswords } from "../password/new-passwords.ts";
import { Attempts } from "../throttle/attempts.ts";
import { invalidResetToken, PasswordReset } from "./password-reset.ts";
import { requireAccounts } from "./require-accounts.ts";
import { ResetTokens } from "./reset-tokens.ts";

@Controller()
export class PasswordResetHandler {
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
