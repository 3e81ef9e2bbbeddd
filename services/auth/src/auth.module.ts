import { Module } from "@nestjs/common";
import { AccessModule } from "./access/access.module.ts";
import { AccountModule } from "./account/account.module.ts";
import { CredentialModule } from "./credential/credential.module.ts";
import { EventLogModule } from "./event-log/event-log.module.ts";
import { InviteModule } from "./invite/invite.module.ts";
import { KeyModule } from "./key/key.module.ts";
import { ModeModule } from "./mode/mode.module.ts";
import { OpenidModule } from "./openid/openid.module.ts";
import { PasswordModule } from "./password/password.module.ts";
import { RecoveryModule } from "./recovery/recovery.module.ts";
import { RecoveryCodeModule } from "./recovery-code/recovery-code.module.ts";
import { OneTimeCodeModule } from "./one-time-code/one-time-code.module.ts";
import { SecondFactorModule } from "./second-factor/second-factor.module.ts";
import { SecretModule } from "./secret/secret.module.ts";
import { SessionModule } from "./session/session.module.ts";
import { SignInModule } from "./sign-in/sign-in.module.ts";
import { SignInTokenModule } from "./sign-in-token/sign-in-token.module.ts";
import { ThrottleModule } from "./throttle/throttle.module.ts";
import { UserModule } from "./user/user.module.ts";

@Module({
  imports: [
    AccessModule,
    AccountModule,
    CredentialModule,
    EventLogModule,
    InviteModule,
    KeyModule,
    ModeModule,
    OpenidModule,
    PasswordModule,
    RecoveryModule,
    RecoveryCodeModule,
    OneTimeCodeModule,
    SecondFactorModule,
    SecretModule,
    SessionModule,
    SignInModule,
    SignInTokenModule,
    ThrottleModule,
    UserModule,
  ],
})
export class AuthModule {}
