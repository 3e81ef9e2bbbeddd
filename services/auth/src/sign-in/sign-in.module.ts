import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  requestToken,
  requestTokenBySignInToken,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Module, Controller, Inject } from "@nestjs/common";
import { AccessModule } from "../access/access.module.ts";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { OneTimeCodeModule } from "../one-time-code/one-time-code.module.ts";
import { PasswordModule } from "../password/password.module.ts";
import { RecoveryCodeModule } from "../recovery-code/recovery-code.module.ts";
import { SessionModule } from "../session/session.module.ts";
import { SignInTokenModule } from "../sign-in-token/sign-in-token.module.ts";
import { requirePasswordLogin } from "../sign-in-token/simple-sso.ts";
import { Attempts } from "../throttle/attempts.ts";
import { ThrottleModule } from "../throttle/throttle.module.ts";
import { UserModule } from "../user/user.module.ts";
import { InstanceLogin } from "./instance-login.ts";
import { LoginLog } from "./login-log.ts";
import { TokenLogin, ssoDisabled } from "./token-login.ts";
import { UserLogin } from "./user-login.ts";
import { UserSessions } from "./user-sessions.ts";

@Controller()
class LoginHandler {
  constructor(
    private readonly access: InstanceAccessRepository,
    private readonly instanceLogin: InstanceLogin,
    private readonly userLogin: UserLogin,
    private readonly tokenLogin: TokenLogin,
    private readonly attempts: Attempts,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  @Handle(requestToken)
  async create(input: In<typeof requestToken>): Promise<Out<typeof requestToken>> {
    if ((await this.access.get()).mode === "single") return this.instanceLogin.signIn(input);
    requirePasswordLogin(this.config);
    return this.userLogin.signIn(input);
  }

  @Handle(requestTokenBySignInToken)
  async createByToken(
    input: In<typeof requestTokenBySignInToken>,
  ): Promise<Out<typeof requestTokenBySignInToken>> {
    if ((await this.access.get()).mode === "single")
      throw new CarrelError("sign-in.token-without-accounts");
    if (!this.config.SIMPLE_SSO_ENABLED && this.config.CARREL_OIDC_ISSUER === undefined)
      throw ssoDisabled();
    return this.attempts.count({ kind: "token", address: input.address }, () =>
      this.tokenLogin.signIn(input),
    );
  }
}

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
