import type { InstanceConfig } from "@carrel/config";
import { CarrelError, issueSignInToken, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { AccessModule, InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { SecretHasher, SecretModule, randomCode } from "../secret/secret-hasher.ts";
import { UserModule, UserRepository } from "../user/user.repository.ts";
import { SignInToken } from "./sign-in-token.entity.ts";

/** DISABLED unless one-time sign-in tokens are enabled and the instance has accounts. */
function requireSimpleSso(
  config: Pick<InstanceConfig, "SIMPLE_SSO_ENABLED">,
  mode: "single" | "multi",
): void {
  if (!config.SIMPLE_SSO_ENABLED) throw new CarrelError("sign-in.sso-disabled");
  if (mode !== "multi") throw new CarrelError("sign-in.sso-without-accounts");
}

/**
 * Whether password login is off. The switch counts only with another sign-in method, because it
 * would otherwise lock everyone out.
 */
export const isPasswordLoginOff = (
  config: Pick<
    InstanceConfig,
    "SIMPLE_SSO_ENABLED" | "SIMPLE_SSO_NO_LOGIN" | "CARREL_OIDC_ISSUER" | "CARREL_OIDC_CLIENT_ID"
  >,
): boolean => config.SIMPLE_SSO_NO_LOGIN && (config.SIMPLE_SSO_ENABLED || isOpenIdSetUp(config));

/** DISABLED if password login is off: nothing may create or check passwords then. */
export function requirePasswordLogin(config: Parameters<typeof isPasswordLoginOff>[0]): void {
  if (isPasswordLoginOff(config)) throw new CarrelError("sign-in.password-disabled");
}

export const isOpenIdSetUp = (
  config: Pick<InstanceConfig, "CARREL_OIDC_ISSUER" | "CARREL_OIDC_CLIENT_ID">,
): boolean => config.CARREL_OIDC_ISSUER !== undefined && config.CARREL_OIDC_CLIENT_ID !== undefined;

/** How long a token stays valid before its single use. */
const lifetimeMs: Record<SignInToken["method"], number> = { sso: 6 * 60_000, openid: 60_000 };

/** One-time sign-in tokens, looked up by the HMAC of the whole token as sent. */
@Injectable()
export class SignInTokenRepository {
  constructor(private readonly secrets: SecretHasher) {}

  /**
   * Returns the only copy of a new token and invalidates earlier ones of the user made by the same
   * method. The caller has locked the user's row.
   */
  async create(
    manager: EntityManager,
    userId: number,
    method: SignInToken["method"],
  ): Promise<string> {
    await manager.delete(SignInToken, { userId, method });
    const token = `allm-tat-${randomCode()}`;
    await manager.insert(SignInToken, {
      hash: this.hash(token),
      userId,
      method,
      expiresAt: new Date(Date.now() + lifetimeMs[method]),
    });
    return token;
  }

  /** null if it is unknown or used; expired tokens are found. */
  find(manager: EntityManager, token: string): Promise<SignInToken | null> {
    return manager.findOneBy(SignInToken, { hash: this.hash(token) });
  }

  /** Uses up the token; false if it was used in the meantime. */
  async take(manager: EntityManager, token: string): Promise<boolean> {
    return ((await manager.delete(SignInToken, { hash: this.hash(token) })).affected ?? 0) > 0;
  }

  private hash(token: string): string {
    return this.secrets.hash("sign-in-token", token);
  }
}

@Controller()
class SignInTokenHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly instance: InstanceAccessRepository,
    private readonly users: UserRepository,
    private readonly tokens: SignInTokenRepository,
    private readonly events: EventLog,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  /** For the developer API: a key can sign in as anyone, so this requires an admin's rights. */
  @Handle(issueSignInToken)
  async issue(
    { userId }: In<typeof issueSignInToken>,
    { scope }: RequestContext,
  ): Promise<Out<typeof issueSignInToken>> {
    if (scope.principal.role !== "admin") throw new CarrelError("access.forbidden");
    requireSimpleSso(this.config, (await this.instance.get()).mode);
    const token = await this.dataSource.transaction(async (manager) => {
      const user = await this.users.lock(manager, userId);
      if (user === null) throw new CarrelError("user.unknown");
      if (user.suspended) throw new CarrelError("user.suspended");
      await this.events.record(manager, scope, "sign_in_token_issued", {
        userId,
        username: user.username,
      });
      return this.tokens.create(manager, userId, "sso");
    });
    return { token, loginPath: `/sso/simple?token=${encodeURIComponent(token)}` };
  }
}

@Module({
  imports: [AccessModule, EventLogModule, SecretModule, UserModule],
  controllers: [SignInTokenHandler],
  providers: [SignInTokenRepository],
  exports: [SignInTokenRepository],
})
export class SignInTokenModule {}
