import type { ProviderDeclaration } from "@carrel/contracts";
import {
  applicableFields,
  faultOf,
  listInput,
  testInput,
  type ProviderKind,
  type TestedKind,
  type Values,
} from "../../lib/provider-form.ts";
import { useModels, useTestConnection, type ModelOption } from "../../lib/providers.ts";
import type { ModelListing } from "./provider-field.tsx";

/**
 * The connection test of a provider's form, and the models for its list. If listing fails, only the
 * field says so, not a failed test next to it, which has the same cause.
 */
export function useProviderModels({
  kind,
  provider,
  values,
  saved,
  locked,
  choosesModel = false,
  onEdit,
}: {
  kind: ProviderKind;
  provider: ProviderDeclaration;
  values: Values;
  saved: Record<string, unknown>;
  locked: string[];
  /** A test without a model chooses the first one listed. */
  choosesModel?: boolean;
  /** Sets a field because a model was chosen. */
  onEdit: (key: string, value: string) => void;
}) {
  const test = useTestConnection();
  const list = useModels();
  const modelKey = provider.fields.find((field) => field.kind === "model")?.key;
  const contextWindow = provider.fields.find(({ label }) => label === "contextWindow");
  const isRemote = provider.group !== "builtin";
  const tested: TestedKind | null = isRemote && kind !== "vector" ? kind : null;
  // The field already says so.
  const hasFaultyAddress = provider.fields.some(
    (field) => field.kind === "url" && faultOf(field, values[field.key] ?? "", saved) === "url",
  );
  const isMissing = (kind: "url" | "secret"): boolean =>
    applicableFields(provider, values).some(
      (field) =>
        field.kind === kind && faultOf(field, values[field.key] ?? "", saved) === "missing",
    );
  const choose = (model: ModelOption): void => {
    if (modelKey === undefined || model.id === values[modelKey]) return;
    onEdit(modelKey, model.id);
    // An empty field means the same, and follows the server.
    if (contextWindow?.empty) return;
    if (contextWindow && model.contextWindow !== null && !locked.includes(contextWindow.key))
      onEdit(contextWindow.key, String(model.contextWindow));
  };
  const listing: ModelListing = {
    models: list.data ?? null,
    awaits: isMissing("url") ? "address" : isMissing("secret") ? "key" : null,
    loading: list.isPending,
    error: test.error ? null : list.error,
    load: () => {
      if (!list.isPending && !list.data && !hasFaultyAddress)
        list.mutate(listInput(provider, values, saved));
    },
    onPick: (model) => {
      test.reset();
      choose(model);
    },
  };
  /** The values to test with. */
  const complete = async (): Promise<Values> => {
    if (!choosesModel || !provider.listsModels || !modelKey || values[modelKey]) return values;
    const [first] = await list.mutateAsync(listInput(provider, values, saved));
    if (!first) return values;
    choose(first);
    return { ...values, [modelKey]: first.id };
  };
  return {
    test,
    canTest: tested !== null,
    listing: provider.listsModels && isRemote ? listing : null,
    runTest: (onSuccess?: () => void): void => {
      if (tested !== null)
        test.mutate(async () => testInput(tested, provider, await complete()), { onSuccess });
    },
    /** The form no longer shows what was tested. */
    forgetTest: test.reset,
    /** Nor do the models belong to the form's address and key any longer. */
    forget: (): void => {
      test.reset();
      list.reset();
    },
  };
}
