import type { listMembers, Out } from "@carrel/contracts";
import type { KnownUser } from "../user/user-directory.ts";
import type { Member } from "./member.entity.ts";

type MemberWire = Out<typeof listMembers>["users"][number];

/** Maps members to the wire format, leaving out deleted users (wire-contract 7). */
export const mapMembersToWire = (
  members: readonly Member[],
  users: ReadonlyMap<number, KnownUser>,
): MemberWire[] =>
  members.flatMap((member) => {
    const user = users.get(member.userId);
    return user === undefined
      ? []
      : [
          {
            userId: user.id,
            username: user.username,
            role: user.role,
            lastUpdatedAt: member.createdAt.toISOString(),
          },
        ];
  });
