import type { Operation, Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { Authenticator } from "./authenticator.ts";
import { WorkspaceFreshness } from "./workspace-freshness.ts";

/** The gateway's caches of principals and workspaces. */
@Injectable()
export class CachedAccess {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly workspaces: WorkspaceFreshness,
  ) {}

  /**
   * Invalidates after a write that may have changed access. The broadcast does this for every
   * gateway, but this one must not serve the same client stale data in the meantime. Non-managers
   * can only change their own access.
   */
  dropAfter(service: Operation["service"], { principal }: Scope): void {
    if (service === "auth")
      this.authenticator.drop(
        principal.role === "default" ? (principal.userId ?? undefined) : undefined,
      );
    if (service === "auth" || service === "workspace") this.workspaces.noteChange();
  }
}
