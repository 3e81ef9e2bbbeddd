import { providerChoiceKeys } from "@carrel/contracts";
import type { ProviderKind, Values } from "./provider-form.ts";

type Settings = Readonly<Record<string, unknown>>;

export interface SettingsUndo {
  /** What to save; null unsets a setting. */
  values: Record<string, string | null>;
  /** Whether the save replaced or deleted a key, which no browser can restore. */
  losesKey: boolean;
}

/** Whether a secret was deleted, which the server does if it would be sent to another address. */
export const isKeyMissing = (
  secrets: ReadonlySet<string>,
  before: Settings,
  after: Settings,
): boolean => [...secrets].some((key) => before[key] === true && after[key] !== true);

/**
 * How to undo a save: what was saved before, and nothing where nothing was. Null if nothing can be
 * restored, for example because only a key was replaced.
 */
export function undoOf({
  kind,
  changes,
  before,
  after,
  chosen,
  secrets,
}: {
  kind: ProviderKind;
  /** What was saved. */
  changes: Values;
  /** The instance's settings before and after the save. */
  before: Settings;
  after: Settings;
  /** The previously chosen provider; null if there was none. */
  chosen: string | null;
  /** Keys of all secrets; the reply carries only whether they are saved, never the values. */
  secrets: ReadonlySet<string>;
}): SettingsUndo | null {
  const values: Record<string, string | null> = {};
  let losesKey = isKeyMissing(secrets, before, after);
  for (const key of Object.keys(changes)) {
    const value = before[key];
    if (key === providerChoiceKeys[kind]) values[key] = chosen;
    else if (secrets.has(key) && value === true) losesKey = true;
    else if (secrets.has(key)) values[key] = null;
    else
      values[key] =
        (typeof value === "string" || typeof value === "number") && value !== ""
          ? String(value)
          : null;
  }
  return Object.keys(values).length > 0 ? { values, losesKey } : null;
}
