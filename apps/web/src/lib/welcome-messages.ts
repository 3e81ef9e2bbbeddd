import { getWelcomeMessages, type Out } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";
import { instanceKeys } from "./query-keys.ts";

export type WelcomeMessage = Out<typeof getWelcomeMessages>["welcomeMessages"][number];

/** Shown above an empty chat, which doesn't wait for them. */
export const welcomeQuery = queryOptions({
  queryKey: instanceKeys.welcomeMessages,
  queryFn: ({ signal }) =>
    call(getWelcomeMessages, {}, { signal }).catch((error: unknown) => {
      // Text fixed by specification 1, section 8.
      if (!signal.aborted) console.error("Could not fetch welcome messages.", error);
      throw error;
    }),
  select: (reply) => reply.welcomeMessages,
});
