import { CarrelError, publicPrincipal, servicePrincipal } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { AccessChanges } from "../access/access-changes.ts";
import { Credentials } from "../credential/credentials.ts";
import { EventLog } from "../event-log/event-log.ts";
import { RecoveryCodes } from "../recovery-code/recovery-codes.ts";
import { UserRepository } from "../user/user.repository.ts";
import { ResetTokens } from "./reset-tokens.ts";

export const invalidResetToken = (): CarrelError => new CarrelError("password.reset-token-invalid");

/** Exchanges a reset token for a new password. */
@Injectable()
export class PasswordReset {
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
