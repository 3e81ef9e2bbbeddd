import type { ErrorParams } from "@carrel/contracts";
import { storeName, type VectorStoreError } from "@carrel/vector-store";

/**
 * The name of the vector database that failed, or whose folder can't be read or written; null if
 * the fault is in a table of the local index or ours.
 */
export function storeOf({ fault }: VectorStoreError): string | null {
  if (fault.code === "vector-store.index-unreadable") return storeName(null);
  const { store }: ErrorParams = fault.params ?? {};
  return typeof store === "string" ? store : null;
}
