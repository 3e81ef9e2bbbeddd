import {
  findUsers,
  findWorkspaces,
  servicePrincipal,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";

type FoundWorkspace = Out<typeof findWorkspaces>["workspaces"][number];
interface Owned {
  workspaceId: number;
  userId: number | null;
}
/** Results of lookups so far; null: deleted. */
export interface KnownNames {
  workspaces: Map<number, FoundWorkspace | null>;
  users: Map<number, string | null>;
}

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

export const noNames = (): KnownNames => ({ workspaces: new Map(), users: new Map() });

/** wire-contract 2.5. */
export function usernameOf(
  { users }: KnownNames,
  { userId, sessionId }: { userId: number | null; sessionId: string | null },
): string {
  if (userId === null) return sessionId === null ? "unknown user" : "API";
  return users.get(userId) ?? "unknown user";
}

/** Names of the workspaces and users of recorded chats. */
@Injectable()
export class RecordNames {
  constructor(private readonly requests: RequestClient) {}

  /** Looks up names that aren't known yet. */
  async add(known: KnownNames, owned: readonly Owned[]): Promise<void> {
    const workspaceIds = missing(
      owned.map(({ workspaceId }) => workspaceId),
      known.workspaces,
    );
    const userIds = missing(
      owned.map(({ userId }) => userId),
      known.users,
    );
    const [{ workspaces }, { users }] = await Promise.all([
      workspaceIds.length === 0
        ? { workspaces: [] }
        : this.requests.request(findWorkspaces, { ids: workspaceIds }, { scope: serviceScope }),
      userIds.length === 0
        ? { users: [] }
        : this.requests.request(findUsers, { ids: userIds }, { scope: serviceScope }),
    ]);
    for (const id of workspaceIds) known.workspaces.set(id, null);
    for (const workspace of workspaces) known.workspaces.set(workspace.id, workspace);
    for (const id of userIds) known.users.set(id, null);
    for (const { id, username } of users) known.users.set(id, username);
  }
}

const missing = (ids: readonly (number | null)[], known: ReadonlyMap<number, unknown>): number[] =>
  [...new Set(ids)].filter((id) => id !== null && !known.has(id)) as number[];
