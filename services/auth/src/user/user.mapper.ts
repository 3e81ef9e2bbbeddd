import { hash } from "node:crypto";
import type { UserWire } from "@carrel/contracts";
import type { User } from "./user.entity.ts";

/**
 * Changes with the picture, so that clients request the new one; reveals nothing about where it is
 * stored.
 */
const pictureName = (user: Pick<User, "id" | "pictureKey">): string | null =>
  user.pictureKey === null
    ? null
    : `${user.id}-${hash("sha256", user.pictureKey, "hex").slice(0, 8)}.webp`;

/** A user as clients see it: never a hash, a sealed secret or a blob key. */
export const mapUser = (user: User): UserWire => ({
  id: user.id,
  username: user.username,
  pfpFilename: pictureName(user),
  role: user.role,
  suspended: user.suspended ? 1 : 0,
  seen_recovery_codes: user.seenRecoveryCodes,
  createdAt: user.createdAt.toISOString(),
  lastUpdatedAt: user.updatedAt.toISOString(),
  dailyMessageLimit: user.dailyMessageLimit,
  bio: user.bio,
  email: user.email,
  theme: user.theme,
  userLang: user.language,
  secondFactor: user.secondFactorSince !== null,
});
