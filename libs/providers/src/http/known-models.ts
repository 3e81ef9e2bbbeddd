import type { ListedModel } from "../spec/language-model.ts";
import { ProviderError } from "../spec/provider-error.ts";

/**
 * The vendor's list, or the models that we know of while the vendor can't be reached: existing
 * clients' forms are empty without a list. A refused key and
 * an address that may not be asked are still reported.
 */
export async function listOrKnown(
  list: Promise<ListedModel[]>,
  known: () => ListedModel[],
): Promise<ListedModel[]> {
  try {
    return await list;
  } catch (fault) {
    if (fault instanceof ProviderError && fault.kind === "unreachable" && fault.isRetryable)
      return known();
    throw fault;
  }
}
