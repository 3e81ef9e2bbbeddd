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
import { Controller, Inject } from "@nestjs/common";
import { DataSource } from "typeorm";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog } from "../event-log/event-log.ts";
import { SecretHasher } from "../secret/secret-hasher.ts";
import { SignInToken } from "../sign-in-token/sign-in-token.entity.ts";
import { Attempts } from "../throttle/attempts.ts";
import { mapUser } from "../user/user.mapper.ts";
import { UserRepository } from "../user/user.repository.ts";
import { isPasswordLoginOff } from "../sign-in-token/simple-sso.ts";
import { Login } from "./login.ts";
import { SessionRepository } from "../session/session.repository.ts";

type ByToken = Out<typeof requestTokenBySignInToken>;
/** Refused tokens, as the event log words them. */
const reasons = {
  "sign-in.token-missing": "No token provided.",
  "sign-in.token-invalid": "Invalid token.",
  "sign-in.token-expired": "Token expired.",
  "sign-in.token-of-suspended": "User account suspended.",
} as const;

@Controller()
export class LoginHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: InstanceAccessRepository,
    private readonly login: Login,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly secrets: SecretHasher,
    private readonly attempts: Attempts,
    private readonly events: EventLog,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  @Handle(requestToken)
  async create(input: In<typeof requestToken>): Promise<Out<typeof requestToken>> {
    if ((await this.access.get()).mode === "single") return this.login.instance(input);
    if (isPasswordLoginOff(this.config)) throw new CarrelError("sign-in.password-disabled");
    return this.login.user(input);
  }

  @Handle(requestTokenBySignInToken)
  async createByToken({
    token,
    address,
    userAgent,
  }: In<typeof requestTokenBySignInToken>): Promise<ByToken> {
    if ((await this.access.get()).mode === "single")
      throw new CarrelError("sign-in.token-without-accounts");
    if (!this.config.SIMPLE_SSO_ENABLED && this.config.CARREL_OIDC_ISSUER === undefined)
      throw ssoOff();
    return this.attempts.count({ kind: "token", address }, async () => {
      const outcome =
        token === "" ? "sign-in.token-missing" : await this.redeem(token, address, userAgent);
      if (typeof outcome !== "string") return outcome;
      await this.events.record(
        this.dataSource.manager,
        { principal: publicPrincipal, address },
        "failed_login_invalid_temporary_auth_token",
        { reason: reasons[outcome] },
      );
      throw new CarrelError(outcome);
    });
  }

  /**
   * Returns the code of a refusal. The first request with the token uses it up,
   * even if refused.
   */
  private async redeem(
    token: string,
    address: string | undefined,
    userAgent: string | undefined,
  ): Promise<ByToken | keyof typeof reasons> {
    const hash = this.secrets.hash("sign-in-token", token);
    return this.dataSource.transaction(async (manager) => {
      const found = await manager.findOneBy(SignInToken, { hash });
      if (found === null) return "sign-in.token-invalid";
      if (found.method === "sso" && !this.config.SIMPLE_SSO_ENABLED) throw ssoOff();
      // Lock the user's row first, as everywhere, to prevent deadlocks.
      const user = await this.users.lock(manager, found.userId);
      if (user === null || ((await manager.delete(SignInToken, { hash })).affected ?? 0) === 0)
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

const ssoOff = (): CarrelError => new CarrelError("sign-in.sso-disabled");
