import { CarrelError, publicPrincipal, recoverAccount, type In, type Out } from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog } from "../event-log/event-log.ts";
import { RecoveryCodes } from "../recovery-code/recovery-codes.ts";
import { Attempts } from "../throttle/attempts.ts";
import { printableName, typedUsername } from "../user/typed-username.ts";
import { UserRepository } from "../user/user.repository.ts";
import { requireAccounts } from "./require-accounts.ts";
import { ResetTokens } from "./reset-tokens.ts";

const needed = 2;

/** Account recovery without the password: two recovery codes are exchanged for a reset token. */
@Controller()
export class RecoveryHandler {
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
