import { providerChoiceKeys, type KnownFault } from "@carrel/contracts";
import { checkVectorStore, triedSettings } from "@carrel/vector-store";
import { validateSetting } from "./setting-definition.ts";

/**
 * Checks settings that must work before they are saved (wire-contract.md 11.3: PostgreSQL's
 * connection string) and returns what is wrong with each that doesn't. Makes no request if none
 * of them is among the values.
 */
export async function findDeadSettings(
  values: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, KnownFault>> {
  const faults = new Map<string, KnownFault>();
  for (const [key, store] of triedSettings) {
    const text = values[key]?.trim();
    if (!text || text.includes("******") || validateSetting(key, text) !== null) continue;
    try {
      await checkVectorStore({
        settings: { ...values, [providerChoiceKeys.vector]: store, [key]: text },
        folder: "",
      });
    } catch (fault) {
      const details = fault instanceof Error ? fault.message : String(fault);
      faults.set(key, { code: "setting.vector-store-failed", params: { details } });
    }
  }
  return faults;
}
