import { z } from "zod";
import { historyItem } from "../chat/turn.ts";
import { slug } from "../coercion.ts";
import { byKey, refusedKey } from "../developer-route.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
import { workspaceDetailWire, workspaceWire } from "../workspace/workspace.ts";
import { chatResult, keyQuestion, refusedQuestion } from "./developer-chat.ts";

/*
 * Workspaces in the developer API (wire-contract 9.4). Routes that the web app shares are declared
 * with its operations.
 */

const ownedThread = z.object({ user_id: z.number().int().nullable(), slug: z.string() });

export const listKeyWorkspaces = defineOperation({
  name: "gateway.developer-workspace.list",
  service: "gateway",
  ...byKey("read", { restrictedKeys: true }),
  mount: "custom",
  routes: [
    { method: "GET", path: "/v1/workspaces", summary: "List workspaces with their threads" },
  ],
  input: z.object({}),
  output: z.object({
    workspaces: z.array(
      workspaceWire.extend({ threads: z.array(ownedThread.extend({ name: z.string() })) }),
    ),
  }),
});

/** The wire returns an array with one workspace, or an empty one. */
export const getKeyWorkspace = defineOperation({
  name: "gateway.developer-workspace.get",
  service: "gateway",
  access: { who: "key", scope: "read", workspace: true },
  errors: {
    ...refusedKey,
    WORKSPACE_NOT_FOUND: { status: 200, kind: "json", body: { workspace: [] } },
  },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/workspace/:slug",
      summary: "Get a workspace with its documents and threads",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    workspace: z.array(workspaceDetailWire.extend({ threads: z.array(ownedThread) })),
  }),
});

/** Lists the chats of an API session, or of everyone's default thread. `limit` counts exchanges. */
export const listKeyChats = defineOperation({
  name: "gateway.developer-workspace.chats",
  service: "gateway",
  access: { who: "key", scope: "read", workspace: true },
  errors: {
    ...refusedKey,
    WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" },
  },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/workspace/:slug/chats",
      summary: "List chats of a workspace, or of one API session",
    },
  ],
  input: z.object({
    slug,
    apiSessionId: z.string().max(255).optional(),
    limit: z.coerce.number().int().min(1).max(100_000).catch(100).default(100),
    orderBy: z.enum(["asc", "desc"]).catch("asc").default("asc"),
  }),
  output: z.object({ history: z.array(historyItem) }),
});

const workspaceQuestion = keyQuestion.extend({
  slug,
  /** Partitions the history; without it, the question is asked in the default thread. */
  sessionId: z
    .union([z.string(), z.number()])
    .transform(String)
    .pipe(
      z
        .string()
        .max(255)
        .regex(/^[^\0]*$/),
    )
    .nullish(),
});

export const chatByKey = defineOperation({
  name: "gateway.developer-workspace.chat",
  service: "gateway",
  access: { who: "key", scope: "chat", workspace: true },
  errors: refusedQuestion,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/workspace/:slug/chat",
      bodyLimit: 50_000_000,
      summary: "Ask a question; the reply is the complete answer",
    },
  ],
  input: workspaceQuestion,
  output: chatResult,
});

export const streamChatByKey = defineOperation({
  name: "gateway.developer-workspace.stream-chat",
  service: "gateway",
  access: { who: "key", scope: "chat", workspace: true },
  errors: refusedQuestion,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/workspace/:slug/stream-chat",
      bodyLimit: 50_000_000,
      summary: "Ask a question; the answer is an event stream",
    },
  ],
  input: workspaceQuestion,
  output: z.void(),
  success: { status: 200, kind: "sse" },
});

export const developerWorkspaceContracts: Contracts = {
  operations: [listKeyWorkspaces, getKeyWorkspace, listKeyChats, chatByKey, streamChatByKey],
};
