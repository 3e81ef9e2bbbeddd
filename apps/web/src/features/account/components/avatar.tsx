import type { UserWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useCallback } from "react";
import { pictureQuery } from "../api/profile.ts";
import { initialsOf } from "../../../lib/initials.ts";

/** The own picture, or initials. Decoration: the name stands beside it. */
export function Avatar({ user, large }: { user: UserWire; large?: boolean }) {
  const picture = useQuery(pictureQuery(user)).data ?? null;
  const show = user.pfpFilename !== null && picture !== null;
  return (
    <span className={clsx("avatar", large && "lg")} aria-hidden="true">
      {show ? <Picture bytes={picture} /> : initialsOf(user.username)}
    </span>
  );
}

/** The bytes have an address as long as the element is there. */
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
