import { Module } from "@nestjs/common";
import { AccessModule } from "../access/access.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { PasswordModule } from "../password/password.module.ts";
import { RecoveryCodeModule } from "../recovery-code/recovery-code.module.ts";
import { OneTimeCodeModule } from "../one-time-code/one-time-code.module.ts";
import { SessionModule } from "../session/session.module.ts";
import { SignInTokenModule } from "../sign-in-token/sign-in-token.module.ts";
import { ThrottleModule } from "../throttle/throttle.module.ts";
import { UserModule } from "../user/user.module.ts";
import { InstanceLogin } from "./instance-login.ts";
import { LoginHandler } from "./login.handler.ts";
import { LoginLog } from "./login-log.ts";
import { TokenLogin } from "./token-login.ts";
import { UserLogin } from "./user-login.ts";
import { UserSessions } from "./user-sessions.ts";

@Module({
  imports: [
    AccessModule,
    EventLogModule,
    PasswordModule,
    RecoveryCodeModule,
    OneTimeCodeModule,
    SessionModule,
    SignInTokenModule,
    ThrottleModule,
    UserModule,
  ],
  controllers: [LoginHandler],
  providers: [InstanceLogin, LoginLog, TokenLogin, UserLogin, UserSessions],
})
export class SignInModule {}
