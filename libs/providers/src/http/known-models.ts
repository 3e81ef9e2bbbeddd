import type { ListedModel } from "../spec/language-model.ts";
import { ProviderError } from "../spec/provider-error.ts";

/**
 * The vendor's list, or the models we know of if the vendor can't be reached: existing clients'
 * forms are empty without a list. A refused key or address is still reported.
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
