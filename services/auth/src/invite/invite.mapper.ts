import type { InviteWire } from "@carrel/contracts";
import type { User } from "../user/user.entity.ts";
import type { Invite } from "./invite.entity.ts";

/** `users` contains the creators and claimants that still exist. */
export function mapInvite(
  invite: Invite,
  users: ReadonlyMap<number, Pick<User, "id" | "username">>,
  code: string,
): InviteWire {
  const person = (id: number | null) => {
    const user = id === null ? undefined : users.get(id);
    return user === undefined ? null : { id: user.id, username: user.username };
  };
  return {
    id: invite.id,
    code,
    status: invite.status,
    claimedBy: person(invite.claimedBy),
    workspaceIds: JSON.stringify(invite.workspaceIds),
    createdAt: invite.createdAt.toISOString(),
    // 0 means the developer API on this wire; deleted creators are reported the same way.
    createdBy: person(invite.createdBy) ?? 0,
    lastUpdatedAt: invite.updatedAt.toISOString(),
  };
}
