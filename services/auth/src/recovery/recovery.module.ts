import { Module } from "@nestjs/common";
import { AccessModule } from "../access/access.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { PasswordModule } from "../password/password.module.ts";
import { RecoveryCodeModule } from "../recovery-code/recovery-code.module.ts";
import { SecretModule } from "../secret/secret.module.ts";
import { SessionModule } from "../session/session.module.ts";
import { ThrottleModule } from "../throttle/throttle.module.ts";
import { UserModule } from "../user/user.module.ts";
import { RecoveryHandler } from "./recovery.handler.ts";

@Module({
  imports: [
    AccessModule,
    EventLogModule,
    PasswordModule,
    RecoveryCodeModule,
    SecretModule,
    SessionModule,
    ThrottleModule,
    UserModule,
  ],
  controllers: [RecoveryHandler],
})
export class RecoveryModule {}
