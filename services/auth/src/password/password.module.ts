import { Module } from "@nestjs/common";
import { AccessModule } from "../access/access.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { OneTimeCodeModule } from "../one-time-code/one-time-code.module.ts";
import { SessionModule } from "../session/session.module.ts";
import { ThrottleModule } from "../throttle/throttle.module.ts";
import { UserModule } from "../user/user.module.ts";
import { ConfirmationHandler } from "./confirmation.handler.ts";
import { NewPasswords } from "./new-passwords.ts";
import { OwnerCheck } from "./owner-check.ts";
import { PasswordHasher } from "./password-hasher.ts";
import { PasswordRuleHandler } from "./password-rule.handler.ts";
import { PasswordRules } from "./password-rules.ts";
import { PasswordHandler } from "./password.handler.ts";

@Module({
  imports: [
    AccessModule,
    EventLogModule,
    OneTimeCodeModule,
    SessionModule,
    ThrottleModule,
    UserModule,
  ],
  controllers: [ConfirmationHandler, PasswordHandler, PasswordRuleHandler],
  providers: [NewPasswords, OwnerCheck, PasswordHasher, PasswordRules],
  exports: [NewPasswords, OwnerCheck, PasswordHasher],
})
export class PasswordModule {}
