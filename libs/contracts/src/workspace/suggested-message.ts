import { z } from "zod";
import { slug, textOrEmpty } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/** Suggested first questions for an empty chat; at most four are shown. */
export const suggestedMessageWire = z.object({ heading: z.string(), message: z.string() });

export const listSuggestedMessages = defineOperation({
  name: "workspace.suggestion.list",
  service: "workspace",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/suggested-messages",
      summary: "List the suggested questions of an empty chat",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ success: z.boolean(), suggestedMessages: z.array(suggestedMessageWire) }),
});

export const setSuggestedMessages = defineOperation({
  name: "workspace.suggestion.set",
  service: "workspace",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  idempotency: "natural",
  errors: {
    ...inWorkspace,
    BAD_INPUT: { status: 400, kind: "json", body: { success: false, message: "$message" } },
  },
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/suggested-messages",
      summary: "Set the suggested questions of an empty chat",
    },
  ],
  input: z.object({
    slug,
    messages: z
      .array(z.object({ heading: textOrEmpty(255), message: textOrEmpty(2_000) }), {
        error: "Invalid message format. Expected an array of messages.",
      })
      .max(30, { error: "At most 30 messages can be suggested." }),
  }),
  output: z.object({ success: z.boolean(), message: z.string() }),
});

export const suggestedMessageContracts: Contracts = {
  operations: [listSuggestedMessages, setSuggestedMessages],
};
