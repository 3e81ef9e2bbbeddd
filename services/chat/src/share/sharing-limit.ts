import {
  defaultSharing,
  sharingLabel,
  sharingLimits,
  type ShareAudience,
  type SharingLimit,
} from "@carrel/contracts";

/** Reads what the admin allows from chat's cached settings. */
export function readSharingLimit(values: Readonly<Record<string, string>>): SharingLimit {
  const value = values[sharingLabel];
  return sharingLimits.find((limit) => limit === value) ?? defaultSharing;
}

/** The audience that a link has under this limit; null: no one. */
export function effectiveAudience(
  audience: ShareAudience,
  limit: SharingLimit,
): ShareAudience | null {
  if (limit === "off") return null;
  return limit === "team" ? "team" : audience;
}
