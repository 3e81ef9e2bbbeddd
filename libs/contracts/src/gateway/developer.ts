import { z } from "zod";
import { chatRecordWire } from "../chat/chat-record.ts";
import { pageIndex } from "../coercion.ts";
import { refusedKey } from "../developer-route.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/*
 * Operations found only in the developer API (wire-contract 9). Its other routes are declared with
 * the operations they call.
 */

export const checkApiKey = defineOperation({
  name: "gateway.developer.auth",
  service: "gateway",
  access: { who: "key", scope: "read", restrictedKeys: true },
  errors: refusedKey,
  mount: "custom",
  routes: [{ method: "GET", path: "/v1/auth", summary: "Check whether the API key is valid" }],
  input: z.object({}),
  output: z.object({ authenticated: z.boolean() }),
});

/** A view over chat, workspace and auth; DISABLED with DISABLE_VIEW_CHAT_HISTORY. */
export const listDeveloperChats = defineOperation({
  name: "gateway.developer.chats",
  service: "gateway",
  access: { who: "key", scope: "admin" },
  errors: {
    ...refusedKey,
    DISABLED: {
      status: 422,
      kind: "text",
      text: "This feature has been disabled by the administrator.",
    },
  },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/admin/workspace-chats",
      summary: "List recorded chats, 20 per page",
    },
  ],
  input: z.object({ offset: pageIndex.default(0) }),
  output: z.object({
    chats: z.array(
      chatRecordWire.extend({
        workspace: z.object({ name: z.string(), slug: z.string().nullable() }),
        user: z.object({ username: z.string() }),
      }),
    ),
    hasPages: z.boolean(),
  }),
});

export const developerContracts: Contracts = { operations: [checkApiKey, listDeveloperChats] };
