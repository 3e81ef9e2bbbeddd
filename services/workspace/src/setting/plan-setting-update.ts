import { clipText, type KnownFault } from "@carrel/contracts";
import { defaultSetting, refusedKeys, settingAliases, settingKinds } from "./setting-definition.ts";
import { secretOrigins, type EffectiveSettings } from "./setting-map.ts";

export interface SettingPlan {
  /** New text by key, in the order given; null deletes the setting. */
  changes: Map<string, string | null>;
  /** Keys, as the client named them, that were accepted, changed or not. */
  accepted: string[];
  /** Why the first refused key was refused; earlier keys are in `changes`. */
  fault: KnownFault | null;
}

interface PlanInput {
  /** As sent, in the client's order; null unsets a setting, also a required one. */
  values: Readonly<Record<string, string | null>>;
  current: EffectiveSettings;
  locked: ReadonlySet<string>;
  validate: (key: string, value: string) => KnownFault | null;
}

/** Clients send back what they were shown: a mask, or for a secret only whether it is set. */
const isEchoed = (key: string, value: string | null): boolean =>
  value !== null &&
  (value.includes("******") ||
    (settingKinds.get(key) === "secret" && ["true", "false"].includes(value.trim())));

/**
 * Plans a settings update by the rules of wire-contract 2.2: it stops at the first refused key, and
 * earlier ones are saved. Unknown keys are ignored beside known ones, because forms send settings
 * of products and versions that this isn't.
 */
export function planSettingUpdate({ values, current, locked, validate }: PlanInput): SettingPlan {
  const plan: SettingPlan = { changes: new Map(), accepted: [], fault: null };
  for (const [sent, value] of Object.entries(values)) {
    const key = settingAliases.get(sent) ?? sent;
    if (key !== sent && values[key] !== undefined) continue;
    if (refusedKeys.has(key)) {
      plan.fault = { code: "setting.fixed" };
      break;
    }
    const kind = settingKinds.get(key);
    if (kind === undefined || isEchoed(key, value)) continue;
    const text = value?.trim() ?? "";
    const isUnchanged =
      kind === "plain" &&
      (value === null ? defaultSetting(key) : text) === effectiveValue(current, key);
    if (locked.has(key) && !isUnchanged) {
      plan.fault = { code: "setting.locked", params: { setting: key } };
      break;
    }
    plan.fault = value === null ? null : validate(key, text);
    if (plan.fault !== null) break;
    plan.accepted.push(sent);
    if (!locked.has(key)) plan.changes.set(key, text === "" ? null : text);
  }
  plan.fault ??= findUnsupported(Object.keys(values));
  for (const key of listStrayedSecrets(plan.changes, current, locked)) plan.changes.set(key, null);
  return plan;
}

const isKnown = (key: string): boolean =>
  refusedKeys.has(key) || settingKinds.has(key) || settingAliases.has(key);

/** A success would claim that something was saved where all keys are unknown. */
function findUnsupported(keys: readonly string[]): KnownFault | null {
  if (keys.length === 0 || keys.some(isKnown)) return null;
  const settings = keys
    .map((key) => clipText(key, 64))
    .slice(0, 10)
    .join(", ");
  return { code: "setting.unsupported", params: { settings } };
}

const effectiveValue = (current: EffectiveSettings, key: string): string =>
  current.values.get(key) ?? defaultSetting(key);

/**
 * A stored secret is only ever sent to the origins it was saved for, so secrets whose address moves
 * are deleted unless they are sent along.
 */
function listStrayedSecrets(
  changes: ReadonlyMap<string, string | null>,
  current: EffectiveSettings,
  locked: ReadonlySet<string>,
): string[] {
  const before = (key: string): string => effectiveValue(current, key);
  const after = (key: string): string =>
    changes.has(key) ? (changes.get(key) ?? defaultSetting(key)) : before(key);
  return [...current.secrets.keys()].filter((secret) => {
    if (changes.has(secret) || locked.has(secret)) return false;
    const known = secretOrigins(secret, before);
    return [...secretOrigins(secret, after)].some((origin) => !known.has(origin));
  });
}
