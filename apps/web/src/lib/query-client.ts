import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api.ts";

/**
 * One cache for the tab. Pages are kept fresh by the changes stream, so nothing polls; a refusal is
 * not tried again.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    mutations: { retry: false },
  },
});
