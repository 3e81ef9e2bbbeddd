import { getSetup, type Out } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import i18next from "i18next";
import { ApiError, call, type CallOptions } from "./api.ts";
import { notePersonalization } from "./personalization.ts";
import { instanceKeys } from "./query-keys.ts";

/**
 * The instance's settings as everyone may read them. A reply that is no success throws the words
 * that specification 1, section 8 gives it.
 */
export async function fetchSetup(options: CallOptions = {}): Promise<Out<typeof getSetup>> {
  try {
    const reply = await call(getSetup, {}, options);
    notePersonalization(reply.results);
    return reply;
  } catch (error) {
    if (error instanceof ApiError && error.status > 0)
      throw new ApiError(error.status, i18next.t("noSetup"));
    throw error;
  }
}

/** The instance's settings as saved: texts, and for secrets whether there is one. */
export const setupQuery = queryOptions({
  queryKey: instanceKeys.setup,
  queryFn: ({ signal }) => fetchSetup({ signal }),
  select: (reply) => reply.results,
});
