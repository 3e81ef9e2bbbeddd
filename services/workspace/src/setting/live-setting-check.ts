import { validateSetting } from "@carrel/providers";

const key = "PGVectorConnectionString";

/**
 * Settings that are tried before they are kept (wire-contract.md 11.3: the connection string of
 * PostgreSQL), and what is
 * wrong with those that do not work. Nothing is asked when they are not among the values.
 */
export async function findDeadSettings(
  values: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const text = values[key]?.trim();
  if (!text || text.includes("******") || validateSetting(key, text) !== null) return new Map();
  const { checkVectorStore } = await import("@carrel/vector-store");
  try {
    await checkVectorStore({
      settings: { ...values, VectorDB: "pgvector", [key]: text },
      folder: "",
    });
    return new Map();
  } catch (fault) {
    return new Map([[key, fault instanceof Error ? fault.message : String(fault)]]);
  }
}
