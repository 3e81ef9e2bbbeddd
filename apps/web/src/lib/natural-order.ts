/** `model-2` comes before `model-10`. */
const { compare } = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sorts models by their ids, as a person would. */
export const sortModels = <Model extends { id: string }>(models: readonly Model[]): Model[] =>
  models.toSorted((one, other) => compare(one.id, other.id));

export const withSortedModels = <Provider extends { models: { id: string }[] }>(
  provider: Provider,
): Provider => ({ ...provider, models: sortModels(provider.models) });
