import {
  CarrelError,
  getMemberRights,
  hasMemberRight,
  includesScope,
  isRecentlyProven,
  mcpScopes,
  memberRefusals,
  publicPrincipal,
  servicePrincipal,
  type Access,
  type Endpoint,
  type KeyScope,
  type MemberRight,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { RequestClient, Throttle } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { Authenticator, type CredentialKind } from "./authenticator.ts";
import { chooseLanguage, type LanguageHeaders } from "./request-language.ts";
import { WorkspaceFreshness, type ReadTime } from "./workspace-freshness.ts";
import { WorkspaceScopes } from "./workspace-scopes.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** What admins allow members, cached until a setting changes. */
@Injectable()
export class MemberRights {
  private known: { rights: Promise<MemberRight[]>; readAt: ReadTime } | null = null;

  constructor(
    private readonly requests: RequestClient,
    private readonly freshness: WorkspaceFreshness,
  ) {}

  /** Adds members' rights to the principal if the policy depends on them. */
  async addTo(principal: Principal, { memberMay }: Access): Promise<Principal> {
    if (memberMay === undefined || principal.kind !== "user" || principal.role !== "default")
      return principal;
    return { ...principal, may: await this.read() };
  }

  private read(): Promise<MemberRight[]> {
    if (this.known !== null && this.freshness.isCurrent(this.known.readAt))
      return this.known.rights;
    const asked = { rights: this.ask(), readAt: this.freshness.now() };
    this.known = asked;
    asked.rights.catch(() => {
      if (this.known === asked) this.known = null;
    });
    return asked.rights;
  }

  private async ask(): Promise<MemberRight[]> {
    return (await this.requests.request(getMemberRights, {}, { scope: serviceScope })).rights;
  }
}

const minute = 60_000;

/** Counts requests per minute of API keys that have a limit. */
@Injectable()
export class KeyRates {
  constructor(
    private readonly throttle: Throttle,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** TOO_MANY_ATTEMPTS with `retryAfter` in seconds once the limit is reached. */
  async count({ kind, keyId, requestsPerMinute: limit }: Principal): Promise<void> {
    if (kind !== "key" || keyId === undefined || limit === undefined) return;
    const bucket = { key: `api-key:${keyId}`, capacity: limit, refillMs: minute / limit };
    const wait = await this.throttle.take([bucket]).catch((error: unknown) => {
      // Requests continue without Redis if they can; budgets are counted in PostgreSQL.
      this.logger.warn({ err: error, keyId }, "could not count the requests of an API key");
      return 0;
    });
    if (wait > 0)
      throw new CarrelError(
        "access.key-rate-limited",
        { limit },
        { retryAfter: Math.ceil(wait / 1_000) },
      );
  }
}

/** What the bearer must be. Keys contain no dots, JWTs two. */
function credentialFor(access: Access, bearer: string | null): CredentialKind {
  if (access.who !== "key") return access.who === "extension" ? "extension" : "session";
  return access.accessTokens === true && bearer?.split(".").length === 3 ? "access-token" : "key";
}

/** The parts of a request that determine its scope. */
export interface Asker {
  bearer: string | null;
  /** The route's `:slug`. */
  slug: unknown;
  /** Called only if the address is passed on. */
  address: () => string | undefined;
  headers: LanguageHeaders;
}

const isManager = (principal: Principal): boolean =>
  principal.role === "admin" || principal.role === "manager";
/** Whether a member may go on to the workspace lookup: the workspace may be their own. */
const isAllowedMember = ({ memberMay }: Access, { may = [] }: Principal): boolean =>
  memberMay !== undefined && (may.includes(memberMay) || may.includes("createWorkspaces"));
const forbidden = (): CarrelError => new CarrelError("access.forbidden");

/** KEY_FORBIDDEN if the principal's key or access token lacks the scope; pure. */
export function requireScope({ kind, scopes = [] }: Principal, needed: KeyScope): void {
  if (includesScope(scopes, needed)) return;
  throw kind === "user"
    ? new CarrelError("access.access-token-scope-missing", { scope: tokenScopeOf(needed) })
    : new CarrelError("access.key-scope-missing", { scope: needed });
}

const tokenScopeOf = (scope: KeyScope): string =>
  scope === "read" || scope === "chat" ? mcpScopes[scope] : scope;

/**
 * Throws if the policy does not admit this principal; pure. The guard checks the mode of the
 * instance.
 */
export function checkPolicy({ access }: Pick<Endpoint, "access">, principal: Principal): void {
  const { who, memberMay } = access;
  const isKeyRoute = who === "key" || who === "extension";
  const isRefused =
    who === "internal" ||
    (isKeyRoute
      ? principal.kind !== who && !isTokenUse(access, principal)
      : who !== "public" && principal.kind !== "user" && principal.kind !== "instance") ||
    (who === "manager" && !isManager(principal) && !isAllowedMember(access, principal)) ||
    (who === "admin" && principal.role !== "admin");
  if (isRefused)
    throw memberMay !== undefined && principal.role === "default"
      ? new CarrelError(memberRefusals[memberMay])
      : forbidden();
  if (who === "key") checkKey(access, principal);
}

/** Whether the principal is that of an access token, on a route that takes them. */
const isTokenUse = (access: Access, { kind, scopes }: Principal): boolean =>
  access.who === "key" && access.accessTokens === true && kind === "user" && scopes !== undefined;

/** Throws if a member lacks the right that a route for managers requires; pure. */
function checkMember({ access: { memberMay } }: Endpoint, scope: Scope): void {
  if (memberMay === undefined || isManager(scope.principal) || scope.principal.kind !== "user")
    return;
  if (!hasMemberRight(scope, memberMay)) throw new CarrelError(memberRefusals[memberMay]);
}

function checkKey(access: Access & { who: "key" }, principal: Principal): void {
  const { workspaceIds } = principal;
  requireScope(principal, access.scope);
  if (workspaceIds !== undefined && access.workspace !== true && access.restrictedKeys !== true)
    throw new CarrelError("access.key-restricted");
}

/**
 * Frequent reads carry no client address, so that identical reads by one caller can share a reply.
 */
const isPlainRead = ({ method, operation: { mount, idempotency } }: Endpoint): boolean =>
  method === "GET" && mount === "generic" && idempotency !== "none";

/** Turns a credential and a route's slug into a scope, or fails before the handler runs. */
@Injectable()
export class Guard {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly workspaces: WorkspaceScopes,
    private readonly rates: KeyRates,
    private readonly memberRights: MemberRights,
  ) {}

  async scope(endpoint: Endpoint, { bearer, slug, address, headers }: Asker): Promise<Scope> {
    const { who, mode, workspace, proof } = endpoint.access;
    const known =
      who === "public"
        ? publicPrincipal
        : await this.authenticator.principal(
            bearer,
            credentialFor(endpoint.access, bearer),
            typeof slug === "string" ? slug : null,
          );
    const principal = await this.memberRights.addTo(known, endpoint.access);
    await this.rates.count(principal);
    checkPolicy(endpoint, principal);
    // Keys exist in both modes, so check the instance's mode rather than the kind of the principal.
    if (
      mode !== undefined &&
      (await this.authenticator.mode()).MultiUserMode !== (mode === "multi")
    )
      throw forbidden();
    if (proof === "recent" && !isRecentlyProven(principal))
      throw new CarrelError("access.proof-due");
    const scope =
      workspace === true
        ? await this.workspaces.resolve(principal, slug)
        : { principal, workspace: null };
    checkMember(endpoint, scope);
    const language = chooseLanguage(headers, principal);
    const from = isPlainRead(endpoint) ? undefined : address();
    return {
      ...scope,
      ...(from !== undefined && { address: from }),
      ...(language !== null && { language }),
    };
  }
}
