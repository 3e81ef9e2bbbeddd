import { Module } from "@nestjs/common";
import { AccessModule } from "../access/access.module.ts";
import { CredentialModule } from "../credential/credential.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { PasswordModule } from "../password/password.module.ts";
import { RecoveryCodeModule } from "../recovery-code/recovery-code.module.ts";
import { SecretModule } from "../secret/secret.module.ts";
import { ThrottleModule } from "../throttle/throttle.module.ts";
import { UserModule } from "../user/user.module.ts";
import { PasswordResetHandler } from "./password-reset.handler.ts";
import { PasswordReset } from "./password-reset.ts";
import { RecoveryCodeHandler } from "./recovery-code.handler.ts";
import { RecoveryHandler } from "./recovery.handler.ts";
import { ResetTokens } from "./reset-tokens.ts";

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
