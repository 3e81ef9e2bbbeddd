import type { InferDataFromTag, MutationFunctionContext, QueryKey } from "@tanstack/react-query";

/** Shows a change in the cache before the server confirms it, and rolls it back on failure. */
export function optimistic<Key extends QueryKey, Variables>(
  queryKey: Key,
  change: (
    data: InferDataFromTag<never, Key>,
    variables: Variables,
  ) => InferDataFromTag<never, Key>,
) {
  type Data = InferDataFromTag<never, Key>;
  return {
    onMutate: async (variables: Variables, { client }: MutationFunctionContext) => {
      await client.cancelQueries({ queryKey });
      const previous = client.getQueryData<Data>(queryKey);
      client.setQueryData<Data>(queryKey, previous && change(previous, variables));
      return { previous };
    },
    onError: (
      _error: Error,
      _variables: Variables,
      shown: { previous: Data | undefined } | undefined,
      { client }: MutationFunctionContext,
    ) => {
      client.setQueryData<Data>(queryKey, shown?.previous);
    },
  };
}
