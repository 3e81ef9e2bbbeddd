import type { Principal } from "@carrel/contracts";

/** Reads the instance's memory preferences from chat's cached settings. */
export function readMemorySettings(values: Readonly<Record<string, string>>): {
  isEnabled: boolean;
  /** Whether a model extracts memories automatically. */
  isExtracting: boolean;
} {
  const isEnabled = values.memory_enabled === "true";
  return { isEnabled, isExtracting: isEnabled && values.memory_auto_extraction !== "false" };
}

/**
 * Whether the principal is a person: API keys act for users other than the instance's, and Carrel's
 * own jobs for none.
 */
export const isPerson = ({ kind }: Principal): boolean => kind === "user" || kind === "instance";
