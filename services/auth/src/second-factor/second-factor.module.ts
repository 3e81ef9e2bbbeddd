import {
  CarrelError,
  confirmSecondFactor,
  removeSecondFactor,
  startSecondFactor,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { OneTimeCodeModule, OneTimeCodes } from "../one-time-code/one-time-codes.ts";
import { OwnerCheck } from "../password/owner-check.ts";
import { PasswordModule } from "../password/password.module.ts";
import { RecoveryCodeModule, RecoveryCodes } from "../recovery-code/recovery-codes.ts";
import { Attempts, ThrottleModule } from "../throttle/attempts.ts";
import { UserModule, UserRepository } from "../user/user.repository.ts";

const fewCodes = 2;
const alreadyOn = (): CarrelError => new CarrelError("second-factor.already-on");

/** One-time codes of the caller's own account. */
@Controller()
class SecondFactorHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly owner: OwnerCheck,
    private readonly oneTimeCodes: OneTimeCodes,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly attempts: Attempts,
    private readonly events: EventLog,
  ) {}

  @Handle(startSecondFactor)
  async start(
    proof: In<typeof startSecondFactor>,
    { scope }: RequestContext,
  ): Promise<Out<typeof startSecondFactor>> {
    const { id, username } = await this.owner.confirm(scope, proof);
    const { secret, uri, sealed } = this.oneTimeCodes.create(username);
    await this.dataSource.transaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      if (user === null || user.secondFactorSince !== null) throw alreadyOn();
      await this.users.update(scope, manager, id, {
        secondFactorSealed: sealed,
        secondFactorStep: null,
      });
    });
    return { success: true, secret, uri, error: null };
  }

  @Handle(confirmSecondFactor)
  async confirm(
    { code }: In<typeof confirmSecondFactor>,
    { scope }: RequestContext,
  ): Promise<Out<typeof confirmSecondFactor>> {
    const { id } = await this.owner.signedIn(scope);
    const codes = await this.attempts.count(
      { kind: "code", address: scope.address, known: `session:${scope.principal.sessionId}` },
      () =>
        this.dataSource.transaction(async (manager) => {
          const user = await this.users.lock(manager, id);
          if (user === null || user.secondFactorSince !== null) throw alreadyOn();
          if (user.secondFactorSealed === null) throw new CarrelError("second-factor.not-begun");
          if (!(await this.oneTimeCodes.take(manager, user, code)))
            throw new CarrelError("second-factor.code-wrong");
          await this.users.update(scope, manager, id, { secondFactorSince: new Date() });
          await this.events.record(manager, scope, "second_factor_enabled");
          if ((await this.recoveryCodes.count(manager, id)) >= fewCodes) return null;
          await this.events.record(manager, scope, "recovery_codes_issued");
          return this.recoveryCodes.issue(manager, id);
        }),
    );
    return { success: true, error: null, ...(codes === null ? {} : { recoveryCodes: codes }) };
  }

  @Handle(removeSecondFactor)
  async remove(
    proof: In<typeof removeSecondFactor>,
    { scope }: RequestContext,
  ): Promise<Out<typeof removeSecondFactor>> {
    const { id } = await this.owner.confirm(scope, proof);
    await this.dataSource.transaction(async (manager) => {
      const user = await this.users.lock(manager, id);
      if (user === null || user.secondFactorSealed === null) return;
      await this.users.update(scope, manager, id, {
        secondFactorSealed: null,
        secondFactorSince: null,
        secondFactorStep: null,
      });
      if (user.secondFactorSince !== null)
        await this.events.record(manager, scope, "second_factor_disabled");
    });
    return { success: true, error: null };
  }
}

@Module({
  imports: [
    EventLogModule,
    OneTimeCodeModule,
    PasswordModule,
    RecoveryCodeModule,
    ThrottleModule,
    UserModule,
  ],
  controllers: [SecondFactorHandler],
})
export class SecondFactorModule {}
