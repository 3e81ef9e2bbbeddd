import type { ProviderDeclaration } from "@carrel/contracts";
import { testInput, type Values } from "../../lib/provider-form.ts";
import { useTestProvider, type ModelOption, type ProviderTest } from "../../lib/providers.ts";
import type { ModelListing } from "./model-field.tsx";

/**
 * The connection test of a provider's form and the models for its list, which come from the test or,
 * without one, from a request of their own: what fails there is only said in the list.
 */
export function useProviderModels({
  provider,
  values,
  saved,
  locked,
  onEdit,
}: {
  provider: ProviderDeclaration;
  values: Values;
  saved: Record<string, unknown>;
  locked: string[];
  /** Sets a field, because a model was chosen. */
  onEdit: (key: string, value: string) => void;
}) {
  const test = useTestProvider();
  const list = useTestProvider();
  const contextWindow = provider.fields.find(({ label }) => label === "contextWindow");
  const onPick = (model: ModelOption): void => {
    const field = provider.fields.find(({ kind }) => kind === "model");
    if (!field || model.id === values[field.key]) return;
    onEdit(field.key, model.id);
    if (contextWindow && model.contextWindow !== null && !locked.includes(contextWindow.key))
      onEdit(contextWindow.key, String(model.contextWindow));
  };
  const listing: ModelListing = {
    models: (list.data ?? test.data)?.models ?? null,
    loading: list.isPending,
    error: list.error,
    load: () => {
      if (!list.isPending && !(list.data ?? test.data))
        list.mutate(testInput(provider, values, saved));
    },
    onPick,
  };
  return {
    test,
    listing,
    runTest: (onSuccess?: (result: ProviderTest) => void): void =>
      test.mutate(testInput(provider, values, saved), { ...(onSuccess && { onSuccess }) }),
    forget: (): void => {
      test.reset();
      list.reset();
    },
  };
}
