import { providerChoiceKeys, type KnownFault } from "@carrel/contracts";
import { checkVectorStore, triedSettings, VectorStoreError } from "@carrel/vector-store";
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
      if (!(fault instanceof VectorStoreError)) throw fault;
      faults.set(key, fault.fault);
    }
  }
  return faults;
}
