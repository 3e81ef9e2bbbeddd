import type { Operation, Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { Authenticator } from "./authenticator.ts";
import { WorkspaceScopes } from "./workspace-scopes.ts";

/** What this gateway remembers of who may do what. */
@Injectable()
export class CachedAccess {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly workspaces: WorkspaceScopes,
  ) {}

  /**
   * After a write that may have changed access: every gateway hears of it by broadcast, this one
   * must not answer the
   * same client from before meanwhile. Who is no manager changes nobody's access but the own.
   */
  dropAfter(service: Operation["service"], { principal }: Scope): void {
    if (service === "auth")
      this.authenticator.drop(
        principal.role === "default" ? (principal.userId ?? undefined) : undefined,
      );
    if (service === "auth" || service === "workspace") this.workspaces.drop();
  }
}
