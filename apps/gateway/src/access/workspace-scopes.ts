import {
  accessChanged,
  CarrelError,
  membersChanged,
  resolveWorkspace,
  workspaceDeleted,
  workspaceUpdated,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import { LRUCache } from "lru-cache";

const trustMs = 3_000;
const longestSlug = 255;
const unknown = (): CarrelError => new CarrelError("workspace.not-found");

/**
 * Resolves a slug to a workspace the principal may use; unknown and inaccessible ones get the same
 * reply.
 */
@Injectable()
export class WorkspaceScopes implements OnModuleDestroy {
  private readonly workspaces = new LRUCache<string, WorkspaceScope["workspace"]>({
    max: 10_000,
    ttl: trustMs,
  });
  private age = 0;
  private readonly stops: (() => void)[];

  constructor(
    private readonly requests: RequestClient,
    broadcast: Broadcast,
  ) {
    this.stops = [
      ...[workspaceDeleted, workspaceUpdated, membersChanged, accessChanged].map((event) =>
        broadcast.on(`event:${event.name}`, () => this.drop()),
      ),
      broadcast.onGap(() => this.drop()),
    ];
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }

  drop(): void {
    this.age += 1;
    this.workspaces.clear();
  }

  async resolve(principal: Principal, slug: unknown): Promise<WorkspaceScope> {
    // An invalid slug is handled like an unknown one; NUL would not even reach a query.
    if (typeof slug !== "string" || slug === "" || slug.length > longestSlug || slug.includes("\0"))
      throw unknown();
    // The role is part of the key, so losing it causes a new lookup.
    const key = `${principal.kind}:${principal.userId ?? ""}:${principal.role}:${slug}`;
    const known = this.workspaces.get(key);
    if (known !== undefined) return { principal, workspace: known };
    const age = this.age;
    const { scope } = await this.requests.request(
      resolveWorkspace,
      { slug },
      { scope: { principal, workspace: null } },
    );
    if (scope.workspace === null) throw unknown();
    if (age === this.age) this.workspaces.set(key, scope.workspace);
    return { principal, workspace: scope.workspace };
  }
}
