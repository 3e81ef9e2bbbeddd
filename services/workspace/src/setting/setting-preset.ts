import { secretString, type Secret } from "@carrel/config";
import { renderFault } from "@carrel/contracts";
import { z } from "zod";
import { settingKinds, validateSetting } from "./setting-definition.ts";

const prefix = "CARREL_SETTING_";

const presetField = (key: string, kind: "plain" | "secret"): z.ZodType => {
  const checked = z.string().superRefine((value, context) => {
    const fault = validateSetting(key, value);
    if (fault !== null) context.addIssue({ code: "custom", message: renderFault(fault) });
  });
  return (kind === "secret" ? checked.pipe(secretString) : checked).optional();
};

/**
 * `CARREL_SETTING_<Key>` presets and locks one setting; an invalid value prevents startup, like any
 * other invalid variable.
 */
export const presetShape: z.ZodRawShape = Object.fromEntries(
  [...settingKinds].map(([key, kind]) => [prefix + key, presetField(key, kind)]),
);

/** Presets from this process's environment, by setting key. */
export function readPresets(config: Record<string, unknown>): Map<string, string> {
  const presets = new Map<string, string>();
  for (const key of settingKinds.keys()) {
    const value = config[prefix + key];
    if (typeof value === "string") presets.set(key, value);
    else if (value !== undefined && value !== null) presets.set(key, (value as Secret).reveal());
  }
  return presets;
}
