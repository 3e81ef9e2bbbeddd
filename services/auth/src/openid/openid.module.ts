import { timingSafeEqual } from "node:crypto";
import { mcpResource, type InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  beginOpenId,
  completeOpenId,
  publicPrincipal,
  type In,
  type Out,
  type Scope,
  authenticateAccessToken,
  mcpScopes,
  type KeyScope,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Handle } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Module, Inject } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { AccessModule, InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { SignInTokenModule } from "../sign-in-token/sign-in-token.repository.ts";
import { Attempts, ThrottleModule } from "../throttle/attempts.ts";
import { languageOf, quotaOf } from "../user/user-fields.ts";
import { UserModule } from "../user/user.repository.ts";
import { AccountRefusal, OpenIdAccounts } from "./openid-accounts.ts";
import { readPerson } from "./openid-person.ts";
import { OpenIdProvider } from "./openid-provider.ts";

/** Access tokens that the OpenID provider has issued for the MCP server. */
@Controller()
class AccessTokenHandler {
  constructor(
    private readonly access: InstanceAccessRepository,
    private readonly provider: OpenIdProvider,
    private readonly accounts: OpenIdAccounts,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  /** The account's current row decides, not the token's claims about the person. */
  @Handle(authenticateAccessToken)
  async authenticate({
    token,
    slug,
  }: In<typeof authenticateAccessToken>): Promise<Out<typeof authenticateAccessToken>> {
    const resource = mcpResource(this.config);
    if (resource === null || (await this.access.get()).mode !== "multi")
      throw new CarrelError("access.access-token-invalid");
    const claims = await this.provider.readAccessToken(token, [
      resource.address,
      // Tokens for one workspace are valid at its address only.
      ...(slug === null ? [] : [`${resource.address}/${slug}`]),
    ]);
    const user = await this.accounts.find(
      readPerson(claims, null, this.config.CARREL_OIDC_ROLE_CLAIM),
    );
    return {
      principal: {
        kind: "user",
        userId: user.id,
        role: user.role,
        scopes: readScopes(claims.scope),
        dailyMessageLimit: quotaOf(user),
        ...languageOf(user),
      },
    };
  }
}

function readScopes(scope: unknown): KeyScope[] {
  const granted = typeof scope === "string" ? scope.split(" ") : [];
  return (Object.keys(mcpScopes) as (keyof typeof mcpScopes)[]).filter((name) =>
    granted.includes(mcpScopes[name]),
  );
}

const longest = 1_500;
/** Paths that would cause a redirect loop or pass on someone else's token. */
const refusedParts = ["/sso", "/api"];

/**
 * Returns a path within this app that is safe to redirect to after a sign-in, percent-encoded. null
 * for everything else: other sites however spelled, control characters, and paths too long for the
 * cookie.
 */
export function safeRedirectPath(text: string | null): string | null {
  if (text === null || !text.startsWith("/") || /[\\\p{Cc}]/u.test(text)) return null;
  const base = "http://app.invalid";
  if (!URL.canParse(text, base)) return null;
  const { origin, pathname, search, hash } = new URL(text, base);
  // The parser removes dot segments, which can bring two slashes together.
  if (origin !== base || pathname.includes("//") || text.split(/[?#]/, 1)[0]!.includes("//"))
    return null;
  if (refusedParts.some((part) => pathname === part || pathname.startsWith(`${part}/`)))
    return null;
  const path = pathname + search + hash;
  return path.length > longest ? null : path;
}

/** Time limit for a person at the provider. */
const lifetimeMs = 10 * 60_000;
/** State sealed into the browser's cookie between the start of a sign-in and the callback. */
const begun = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.url(),
  redirectTo: z.string().nullable(),
  expiresAt: z.number(),
});
type Begun = z.output<typeof begun>;

@Controller()
class OpenIdHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: InstanceAccessRepository,
    private readonly provider: OpenIdProvider,
    private readonly accounts: OpenIdAccounts,
    private readonly events: EventLog,
    private readonly box: SecretBox,
    private readonly attempts: Attempts,
  ) {}

  @Handle(beginOpenId)
  async begin(input: In<typeof beginOpenId>): Promise<Out<typeof beginOpenId>> {
    await this.requireAccounts();
    const { url, state, nonce, verifier } = await this.provider.begin(input.redirectUri);
    const kept: Begun = {
      state,
      nonce,
      verifier,
      redirectUri: input.redirectUri,
      redirectTo: safeRedirectPath(input.redirectTo),
      expiresAt: Date.now() + lifetimeMs,
    };
    return { url, sealed: this.box.seal(JSON.stringify(kept)) };
  }

  /** Failed callbacks are counted by address, because each may cause a request to the provider. */
  @Handle(completeOpenId)
  async complete(input: In<typeof completeOpenId>): Promise<Out<typeof completeOpenId>> {
    await this.requireAccounts();
    return this.attempts.count({ kind: "token", address: input.address }, () =>
      this.completeOne(input),
    );
  }

  private async completeOne(input: In<typeof completeOpenId>): Promise<Out<typeof completeOpenId>> {
    const by: Pick<Scope, "principal" | "address"> = {
      principal: publicPrincipal,
      ...(input.address === undefined ? {} : { address: input.address }),
    };
    let subject: string | undefined;
    try {
      const kept = this.unseal(input.sealed);
      const { search, searchParams } = new URL(input.callbackUrl);
      // Either another tab has started a sign-in since, or someone injected their own callback into
      // this browser.
      if (!isSame(searchParams.getAll("state"), kept.state))
        throw new CarrelError("openid.state-mismatch");
      const returned = new URL(kept.redirectUri);
      returned.search = search;
      const person = await this.provider.complete(returned, kept);
      subject = person.subject;
      return { token: await this.accounts.signIn(person, by), redirectTo: kept.redirectTo };
    } catch (error) {
      if (error instanceof CarrelError && error.kind === "UNAUTHENTICATED") {
        const reason = error.code.replace("openid.", "").replaceAll("-", "_");
        await this.events.record(
          this.dataSource.manager,
          by,
          "failed_login_openid",
          { reason, ...(subject === undefined ? {} : { subject }) },
          error instanceof AccountRefusal ? error.userId : null,
        );
      }
      throw error;
    }
  }

  private async requireAccounts(): Promise<void> {
    this.provider.requireSetUp();
    if ((await this.access.get()).mode !== "multi")
      throw new CarrelError("openid.accounts-disabled", { provider: this.provider.name });
  }

  private unseal(sealed: string): Begun {
    let kept: Begun;
    try {
      kept = begun.parse(JSON.parse(this.box.open(sealed)));
    } catch {
      // The same reply whether it was not sealed by us, sealed for another purpose or modified.
      throw new CarrelError("openid.not-begun");
    }
    if (kept.expiresAt < Date.now()) throw new CarrelError("openid.expired");
    return kept;
  }
}

function isSame(received: string[], expected: string): boolean {
  const [one, other] = [
    Buffer.from(received.length === 1 ? received[0]! : ""),
    Buffer.from(expected),
  ];
  return one.length === other.length && timingSafeEqual(one, other);
}

@Module({
  imports: [AccessModule, EventLogModule, SignInTokenModule, ThrottleModule, UserModule],
  controllers: [AccessTokenHandler, OpenIdHandler],
  providers: [OpenIdAccounts, OpenIdProvider],
})
export class OpenidModule {}
