import type { InviteWire } from "@carrel/contracts";
import { maskCode } from "../secret/mask.ts";
import type { User } from "../user/user.entity.ts";
import type { Invite } from "./invite.entity.ts";

/**
 * With `code` (only when it was just made) it is shown whole. `users` holds those who made and
 * claimed it, where they still exist.
 */
export function mapInvite(
  invite: Invite,
  users: ReadonlyMap<number, Pick<User, "id" | "username">>,
  code: string = maskCode(invite.hint),
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
    // 0 is this wire's word for the developer API; whoever made it and is deleted looks the same.
    createdBy: person(invite.createdBy) ?? 0,
    lastUpdatedAt: invite.updatedAt.toISOString(),
  };
}
