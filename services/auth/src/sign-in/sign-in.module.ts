import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  publicPrincipal,
  requestToken,
  requestTokenBySignInToken,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { AccessModule, InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { OneTimeCodeModule } from "../one-time-code/one-time-codes.ts";
import { PasswordHasher } from "../password/password-hasher.ts";
import { PasswordModule } from "../password/password.module.ts";
import { RecoveryCodeModule } from "../recovery-code/recovery-codes.ts";
import { SessionModule } from "../session/session.module.ts";
import { SessionRepository } from "../session/session.repository.ts";
import {
  SignInTokenModule,
  SignInTokenRepository,
  requirePasswordLogin,
} from "../sign-in-token/sign-in-token.repository.ts";
import { Attempts, KnownDevices, ThrottleModule } from "../throttle/attempts.ts";
import { mapUser } from "../user/user-fields.ts";
import { UserModule, UserRepository } from "../user/user.repository.ts";
import { LoginLog, UserLogin, UserSessions } from "./user-login.ts";

type Input = In<typeof requestTokenBySignInToken>;
type Output = Out<typeof requestTokenBySignInToken>;
/** Refused tokens, as the event log words them. */
const reasons = {
  "sign-in.token-missing": "No token provided.",
  "sign-in.token-invalid": "Invalid token.",
  "sign-in.token-expired": "Token expired.",
  "sign-in.token-of-suspended": "User account suspended.",
} as const;

const ssoDisabled = (): CarrelError => new CarrelError("sign-in.sso-disabled");

/** Sign-in with a one-time token, issued for simple SSO or after an OpenID sign-in. */
@Injectable()
class TokenLogin {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly tokens: SignInTokenRepository,
    private readonly events: EventLog,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  async signIn(input: Input): Promise<Output> {
    const outcome = input.token === "" ? "sign-in.token-missing" : await this.redeem(input);
    if (typeof outcome !== "string") return outcome;
    await this.events.record(
      this.dataSource.manager,
      { principal: publicPrincipal, address: input.address },
      "failed_login_invalid_temporary_auth_token",
      { reason: reasons[outcome] },
    );
    throw new CarrelError(outcome);
  }

  /**
   * Returns the code of a refusal. The first request with the token uses it up,
   * even if refused.
   */
  private async redeem({
    token,
    address,
    userAgent,
  }: Input): Promise<Output | keyof typeof reasons> {
    return this.dataSource.transaction(async (manager) => {
      const found = await this.tokens.find(manager, token);
      if (found === null) return "sign-in.token-invalid";
      if (found.method === "sso" && !this.config.SIMPLE_SSO_ENABLED) throw ssoDisabled();
      // Lock the user's row first, as everywhere, to prevent deadlocks.
      const user = await this.users.lock(manager, found.userId);
      if (user === null || !(await this.tokens.take(manager, token)))
        return "sign-in.token-invalid";
      if (found.expiresAt.getTime() <= Date.now()) return "sign-in.token-expired";
      if (user.suspended) return "sign-in.token-of-suspended";
      const session = await this.sessions.create(manager, {
        userId: user.id,
        method: found.method,
        address,
        userAgent,
      });
      await this.events.record(
        manager,
        { principal: publicPrincipal, address },
        "login_event",
        { username: user.username, method: found.method },
        user.id,
      );
      return { valid: true, user: mapUser(user), token: session.token, message: null };
    });
  }
}

/** Sign-in with the password of an instance without accounts. */
@Injectable()
class InstanceLogin {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: InstanceAccessRepository,
    private readonly sessions: SessionRepository,
    private readonly hasher: PasswordHasher,
    private readonly attempts: Attempts,
    private readonly devices: KnownDevices,
    private readonly log: LoginLog,
  ) {}

  /** PASSWORD_NOT_SET, PASSWORD_WRONG, TOO_MANY_ATTEMPTS, BUSY. */
  async signIn(input: In<typeof requestToken>): Promise<Out<typeof requestToken>> {
    const { passwordHash } = await this.access.get();
    if (passwordHash === null) throw new CarrelError("password.instance-not-set");
    const known = this.devices.identify({ id: null, passwordHash }, input.device);
    return this.attempts.count(
      { kind: "login", address: input.address, account: "", known },
      async () => {
        const isRight = await this.hasher.verify(passwordHash, input.password ?? "");
        const signedIn =
          isRight &&
          (await this.dataSource.transaction(async (manager) => {
            // The password may have changed while this one was being verified.
            if ((await this.access.lock(manager)).passwordHash !== passwordHash) return null;
            await this.log.record(input, "login_event", null, manager);
            return this.sessions.create(manager, {
              userId: null,
              method: "password",
              address: input.address,
              userAgent: input.userAgent,
            });
          }));
        if (signedIn)
          return {
            valid: true,
            token: signedIn.token,
            message: null,
            device: this.devices.prove({ id: null, passwordHash }, input.device),
          };
        await this.log.record(input, "failed_login_invalid_password", null);
        throw new CarrelError("password.instance-wrong");
      },
    );
  }
}

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
