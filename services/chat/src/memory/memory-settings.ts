import type { Principal } from "@carrel/contracts";

/** What the preferences of the instance say of memories, from the settings as chat keeps them. */
export function readMemorySettings(values: Readonly<Record<string, string>>): {
  isEnabled: boolean;
  /** A model notes some by itself. */ isExtracting: boolean;
} {
  const isEnabled = values.memory_enabled === "true";
  return { isEnabled, isExtracting: isEnabled && values.memory_auto_extraction !== "false" };
}

/**
 * Whether a person asks. A developer API key serves other people than the one whose instance it is,
 * and Carrel's own jobs are nobody.
 */
export const isPerson = ({ kind }: Principal): boolean => kind === "user" || kind === "instance";
