import {
  CarrelError,
  resolveWorkspace,
  type Operation,
  type Principal,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { SharedReads } from "../http/shared-reads.ts";
import { Authenticator } from "./authenticator.ts";
import { WorkspaceFreshness, type ReadTime } from "./workspace-freshness.ts";

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

const longestSlug = 255;
const unknown = (): CarrelError => new CarrelError("workspace.not-found");

interface Resolved {
  workspace: NonNullable<WorkspaceScope["workspace"]>;
  readAt: ReadTime;
}

/**
 * Resolves a slug to a workspace the principal may use; unknown and inaccessible ones get the same
 * reply.
 */
@Injectable()
export class WorkspaceScopes {
  private readonly resolved = new LRUCache<string, Resolved>({ max: 10_000 });
  private readonly reads = new SharedReads<Resolved>();

  constructor(
    private readonly requests: RequestClient,
    private readonly freshness: WorkspaceFreshness,
  ) {}

  async resolve(principal: Principal, slug: unknown): Promise<WorkspaceScope> {
    // An invalid slug is handled like an unknown one; NUL would not even reach a query.
    if (typeof slug !== "string" || slug === "" || slug.length > longestSlug || slug.includes("\0"))
      throw unknown();
    // Everything that affects access is part of the key, so that a caller who loses access causes a
    // new lookup.
    const { kind, userId, role, workspaceIds } = principal;
    const key = `${kind}:${userId ?? ""}:${role}:${workspaceIds?.join() ?? ""}:${slug}`;
    const known = this.resolved.get(key);
    if (known !== undefined && this.freshness.isCurrent(known.readAt))
      return { principal, workspace: known.workspace };
    const { workspace } = await this.reads.read(key, async () => {
      const resolved = await this.read(principal, slug);
      this.resolved.set(key, resolved);
      return resolved;
    });
    return { principal, workspace };
  }

  private async read(principal: Principal, slug: string): Promise<Resolved> {
    const readAt = this.freshness.now();
    const { scope } = await this.requests.request(
      resolveWorkspace,
      { slug },
      { scope: { principal, workspace: null } },
    );
    if (scope.workspace === null) throw unknown();
    return { workspace: scope.workspace, readAt };
  }
}
