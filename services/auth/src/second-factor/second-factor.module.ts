import { Module } from "@nestjs/common";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { OneTimeCodeModule } from "../one-time-code/one-time-code.module.ts";
import { PasswordModule } from "../password/password.module.ts";
import { RecoveryCodeModule } from "../recovery-code/recovery-code.module.ts";
import { ThrottleModule } from "../throttle/throttle.module.ts";
import { UserModule } from "../user/user.module.ts";
import { SecondFactorHandler } from "./second-factor.handler.ts";

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
