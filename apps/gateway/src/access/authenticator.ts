import { hash } from "node:crypto";
import {
  accessChanged,
  authenticate,
  authenticateAccessToken,
  CarrelError,
  getAuthSettings,
  instancePrincipal,
  publicPrincipal,
  type EventPayload,
  type In,
  type Out,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { Broadcast, handlingMs, RequestClient } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import { LRUCache } from "lru-cache";

type AuthSettings = Out<typeof getAuthSettings>;
/** The kind of credential a route accepts. */
export type CredentialKind = In<typeof authenticate>["credential"] | "access-token";
const longestToken = 8192;
const publicScope: Scope = { principal: publicPrincipal, workspace: null };
const refused = (): CarrelError => new CarrelError("access.key-invalid");

/** Resolves credentials of every kind to a principal. */
@Injectable()
export class Authenticator implements OnModuleDestroy {
  /** Cleared by broadcasts; entries expire by the time writers stop waiting for confirmations. */
  private readonly principals = new LRUCache<string, Principal>({ max: 10_000, ttl: handlingMs });
  private settings: { value: Promise<AuthSettings>; until: number } | null = null;
  /**
   * Incremented on every invalidation, so that replies requested before it are not cached
   * afterwards.
   */
  private age = 0;
  private readonly stops: (() => void)[];

  constructor(
    private readonly requests: RequestClient,
    broadcast: Broadcast,
  ) {
    this.stops = [
      broadcast.on(`event:${accessChanged.name}`, (payload) =>
        this.drop((payload as EventPayload<typeof accessChanged>).userId),
      ),
      broadcast.onGap(() => this.drop()),
    ];
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }

  /**
   * Drops cached principals of one user, or all of them. Developer keys carry no user here, so they
   * are dropped with any user.
   */
  drop(userId?: number): void {
    this.age += 1;
    this.settings = null;
    if (userId === undefined) {
      this.principals.clear();
      return;
    }
    for (const [key, principal] of this.principals.entries())
      if (principal.userId === userId || principal.kind === "key") this.principals.delete(key);
  }

  /**
   * UNAUTHENTICATED with the wire's text if the credential is invalid; KEY_REFUSED for a key. An
   * access token may be restricted to the workspace in the address, which is `slug`.
   */
  async principal(
    bearer: string | null,
    credential: CredentialKind = "session",
    slug: string | null = null,
  ): Promise<Principal> {
    const { RequiresAuth, MultiUserMode } = await this.mode();
    // Without a password, anyone who passes the Host and Origin rules gets the instance session;
    // keys must still be valid.
    if (credential === "session" && !RequiresAuth) return instancePrincipal;
    // A missing credential needs no request: the reply is the same in every mode (wire-contract
    // 1.1).
    if (bearer === null)
      throw credential === "session" ? new CarrelError("access.token-missing") : refused();
    const token = bearer.length > longestToken ? "too long" : bearer;
    const isAccessToken = credential === "access-token";
    const key = credential + hash("sha256", token, "base64") + (isAccessToken ? (slug ?? "") : "");
    const known = this.principals.get(key);
    // Each mode has its own kind of session; one from before the switch is no longer valid.
    if (known !== undefined && known.kind !== (MultiUserMode ? "instance" : "user")) return known;
    const age = this.age;
    const { principal } = await (isAccessToken
      ? this.requests.request(authenticateAccessToken, { token, slug }, { scope: publicScope })
      : this.requests.request(authenticate, { bearer: token, credential }, { scope: publicScope }));
    if (!isOfKind(principal, credential))
      throw credential === "session"
        ? new CarrelError(MultiUserMode ? "access.token-invalid" : "access.session-expired")
        : refused();
    if (age === this.age) this.principals.set(key, principal);
    return principal;
  }

  /** Whether the token itself is valid; always false without a password. */
  async isProof(bearer: string | null): Promise<boolean> {
    if (bearer === null || !(await this.mode()).RequiresAuth) return false;
    return this.principal(bearer).then(
      () => true,
      (error: unknown) => {
        if (isAway(error)) throw error;
        return false;
      },
    );
  }

  mode(): Promise<AuthSettings> {
    if (this.settings !== null && this.settings.until > Date.now()) return this.settings.value;
    const asked = {
      value: this.requests.request(getAuthSettings, {}, { scope: publicScope }),
      until: Date.now() + handlingMs,
    };
    this.settings = asked;
    asked.value.catch(() => {
      if (this.settings === asked) this.settings = null;
    });
    return asked.value;
  }
}

/** Says nothing about the credential: the service or its database can't be reached. */
export const isAway = (error: unknown): boolean =>
  error instanceof CarrelError && error.isRetryable;

function isOfKind({ kind, scopes }: Principal, credential: CredentialKind): boolean {
  if (credential === "session") return kind === "instance" || kind === "user";
  return credential === "access-token"
    ? kind === "user" && scopes !== undefined
    : kind === credential;
}
