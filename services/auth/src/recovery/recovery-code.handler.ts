import { renewRecoveryCodes, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog } from "../event-log/event-log.ts";
import { OwnerCheck } from "../password/owner-check.ts";
import { RecoveryCodes } from "../recovery-code/recovery-codes.ts";
import { UserRepository } from "../user/user.repository.ts";

/** The caller's own recovery codes. */
@Controller()
export class RecoveryCodeHandler {
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
