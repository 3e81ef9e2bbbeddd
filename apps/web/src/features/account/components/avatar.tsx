import type { UserWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useCallback } from "react";
import { pictureQuery } from "../api/profile.ts";
import { initialsOf } from "../../../lib/initials.ts";

/** The user's own picture, or their initials. Decorative: the name is shown next to it. */
export function Avatar({ user, large }: { user: UserWire; large?: boolean }) {
  const picture = useQuery(pictureQuery(user)).data ?? null;
  const show = user.pfpFilename !== null && picture !== null;
  return (
    <span className={clsx("avatar", large && "lg")} aria-hidden="true">
      {show ? <Picture bytes={picture} /> : initialsOf(user.username)}
    </span>
  );
}

/** Creates the object URL on mount and revokes it on unmount. */
function Picture({ bytes }: { bytes: Blob }) {
  const give = useCallback(
    (image: HTMLImageElement) => {
      const address = URL.createObjectURL(bytes);
      image.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [bytes],
  );
  return <img ref={give} alt="" />;
}
