import type { UserWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Avatar, initialsOf } from "../../../components/ui/avatar.tsx";
import { pictureQuery } from "../api/profile.ts";

/** The user's own picture, or their initials. */
export function UserAvatar({ user, size }: { user: UserWire; size?: "sm" | "lg" }) {
  const picture = useQuery(pictureQuery(user)).data ?? null;
  return (
    <Avatar
      initials={initialsOf(user.username)}
      picture={user.pfpFilename === null ? null : picture}
      size={size ?? "sm"}
    />
  );
}
