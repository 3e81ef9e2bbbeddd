import { getWelcomeMessages, setWelcomeMessages, type Out } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { wordsOf } from "./workspace.ts";

export type WelcomeMessage = Out<typeof getWelcomeMessages>["welcomeMessages"][number];

export const welcomeQuery = queryOptions({
  queryKey: ["welcome-messages"],
  queryFn: ({ signal }) => call(getWelcomeMessages, {}, { signal }),
  select: (reply) => reply.welcomeMessages,
});

/**
 * These are the welcome messages from now on, in this order. Throws the words of specification 1,
 * section 8, with the server's reason.
 */
export async function saveWelcomeMessages(messages: WelcomeMessage[]): Promise<void> {
  try {
    await call(setWelcomeMessages, { messages });
  } catch (error) {
    throw new Error(i18next.t("workspace:welcome.saveFailed", { message: wordsOf(error) }), {
      cause: error,
    });
  }
  await queryClient.invalidateQueries({ queryKey: welcomeQuery.queryKey });
}
