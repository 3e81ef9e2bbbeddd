import {
  CarrelError,
  publicPrincipal,
  type Endpoint,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { Authenticator } from "./authenticator.ts";
import { WorkspaceScopes } from "./workspace-scopes.ts";

/** What of a request decides about its scope. */
export interface Asker {
  bearer: string | null;
  /** The route's `:slug`. */
  slug: unknown;
  /** Asked for only where it is told further. */
  address: () => string | undefined;
}

const isManager = (principal: Principal): boolean =>
  principal.role === "admin" || principal.role === "manager";
const forbidden = (): CarrelError => new CarrelError("FORBIDDEN", "Unauthorized");

/**
 * Throws when the policy does not let this principal in; pure. The mode of the instance is the
 * guard's to check.
 */
export function checkPolicy(
  { access: { who } }: Pick<Endpoint, "access">,
  principal: Principal,
): void {
  const isKeyRoute = who === "key" || who === "extension";
  const isRefused =
    who === "internal" ||
    (isKeyRoute
      ? principal.kind !== who
      : who !== "public" && principal.kind !== "user" && principal.kind !== "instance") ||
    (who === "manager" && !isManager(principal)) ||
    (who === "admin" && principal.role !== "admin");
  if (isRefused) throw forbidden();
}

/** Frequent reads carry no client address, so that equal ones of one caller can share an answer. */
const isPlainRead = ({ method, operation: { mount, idempotency } }: Endpoint): boolean =>
  method === "GET" && mount === "generic" && idempotency !== "none";

/**
 * The one guard: a credential and a route's slug become a scope, or an error before the handler
 * runs.
 */
@Injectable()
export class Guard {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly workspaces: WorkspaceScopes,
  ) {}

  async scope(endpoint: Endpoint, { bearer, slug, address }: Asker): Promise<Scope> {
    const { who, mode, workspace } = endpoint.access;
    const principal =
      who === "public"
        ? publicPrincipal
        : await this.authenticator.principal(
            bearer,
            who === "key" || who === "extension" ? who : "session",
          );
    checkPolicy(endpoint, principal);
    // Keys exist in both modes, so it is the instance's mode that counts, not the kind of the
    // principal.
    if (
      mode !== undefined &&
      (await this.authenticator.mode()).MultiUserMode !== (mode === "multi")
    )
      throw forbidden();
    const scope =
      workspace === true
        ? await this.workspaces.resolve(principal, slug)
        : { principal, workspace: null };
    if (isPlainRead(endpoint)) return scope;
    const from = address();
    return from === undefined ? scope : { ...scope, address: from };
  }
}
