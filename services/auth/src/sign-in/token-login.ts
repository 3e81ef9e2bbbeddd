import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  publicPrincipal,
  type In,
  type Out,
  type requestTokenBySignInToken,
} from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog } from "../event-log/event-log.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { SignInTokenRepository } from "../sign-in-token/sign-in-token.repository.ts";
import { mapUser } from "../user/user.mapper.ts";
import { UserRepository } from "../user/user.repository.ts";

type Input = In<typeof requestTokenBySignInToken>;
type Output = Out<typeof requestTokenBySignInToken>;
/** Refused tokens, as the event log words them. */
const reasons = {
  "sign-in.token-missing": "No token provided.",
  "sign-in.token-invalid": "Invalid token.",
  "sign-in.token-expired": "Token expired.",
  "sign-in.token-of-suspended": "User account suspended.",
} as const;

export const ssoDisabled = (): CarrelError => new CarrelError("sign-in.sso-disabled");

/** Sign-in with a one-time token, issued for simple SSO or after an OpenID sign-in. */
@Injectable()
export class TokenLogin {
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
