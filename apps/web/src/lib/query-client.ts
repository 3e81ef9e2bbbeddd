import {
  MutationCache,
  QueryCache,
  QueryClient,
  useMutation,
  type InferDataFromTag,
  type MutationFunctionContext,
  type QueryKey,
} from "@tanstack/react-query";
import i18next from "i18next";
import { ApiError } from "./api.ts";
import { toast } from "./toast.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /**
       * Builds the error toast; `false` if the form shows the error itself. By default the toast is
       * the error's message.
       */
      errorToast?: ((message: string) => string) | false;
      /** Refetched when the mutation settles; success is reported once they are fresh. */
      invalidates?: readonly QueryKey[];
    };
  }
}

/** One cache per tab. The change stream keeps it fresh, so nothing polls. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // The page that needs the data shows a failed request; anything else is a bug in the app.
    onError: (error) => {
      if (!(error instanceof ApiError)) console.error(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, { meta }) => {
      const errorToast = meta?.errorToast;
      if (errorToast !== false) toast.error(errorToast ? errorToast(error.message) : error.message);
    },
    onSettled: async (_data, error, _variables, _result, { meta }) => {
      const refetched = Promise.all(
        (meta?.invalidates ?? []).map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      );
      if (!error) await refetched;
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    // "always": while offline, writes fail immediately instead of being silently paused.
    mutations: { retry: false, networkMode: "always" },
  },
});

/** Reads everything again in another language: replies contain sentences of the server's. */
export function followLanguage(): void {
  let { language } = i18next;
  i18next.on("languageChanged", (next) => {
    // Also emitted when texts of the same language arrive late.
    if (next === language) return;
    language = next;
    void queryClient.invalidateQueries();
  });
}

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

/**
 * Submission state for forms whose caller performs the action. The form shows the error; the
 * submitted values may be secret and are dropped when the form unmounts.
 */
export function useSubmission<Input>(onSubmit: (input: Input) => Promise<unknown>) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: onSubmit,
    gcTime: 0,
    meta: { errorToast: false },
  });
  return {
    submit: mutate,
    busy: isPending,
    error,
    /** Call this when the user edits the form. */
    clearError: (): void => {
      if (error) reset();
    },
  };
}
