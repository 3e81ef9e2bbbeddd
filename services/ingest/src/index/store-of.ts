import type { ErrorParams } from "@carrel/contracts";
import type { VectorStoreError } from "@carrel/vector-store";

/** The name of the vector database that failed; null if the fault is in the local index or ours. */
export function storeOf({ fault }: VectorStoreError): string | null {
  const { store }: ErrorParams = fault.params ?? {};
  return typeof store === "string" ? store : null;
}
