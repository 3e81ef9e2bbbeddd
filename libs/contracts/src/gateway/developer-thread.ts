import { z } from "zod";
import { threadWire } from "../chat/thread.ts";
import { historyItem } from "../chat/turn.ts";
import { rowId, slug } from "../coercion.ts";
import { refusedKey } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts, type ErrorReplies } from "../operation.ts";
import {
  abortReply,
  agentWait,
  chatResult,
  keyQuestion,
  refusedQuestion,
} from "./developer-workspace.ts";

/*
 * Threads in the developer API (wire-contract 9.5): the web app's operations on behalf of the
 * thread's owner.
 */

const named = { access: { who: "key", scope: "chat", workspace: true } } as const;
const inThread = z.object({ slug, threadSlug: slug });

const notFound = {
  ...refusedKey,
  WORKSPACE_NOT_FOUND: { status: 404, kind: "json", body: { message: "Workspace not found" } },
  THREAD_NOT_FOUND: { status: 404, kind: "json", body: { message: "Thread not found" } },
} satisfies ErrorReplies;

/** Somebody's thread, with DISABLE_VIEW_CHAT_HISTORY. */
const hiddenThread = {
  DISABLED: {
    status: 422,
    kind: "text",
    text: "This feature has been disabled by the administrator.",
  },
} satisfies ErrorReplies;

const refusedThread = { thread: null, message: "$message" };

/** `userId` has a meaning only on instances with accounts. */
export const createKeyThread = defineOperation({
  name: "gateway.developer-thread.create",
  service: "gateway",
  ...named,
  errors: {
    ...refusedKey,
    WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" },
    REFUSED: { status: 200, kind: "json", body: refusedThread },
    NOT_FOUND: { status: 404, kind: "json", body: refusedThread },
  },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/workspace/:slug/thread/new",
      summary: "Create a thread, optionally for a user",
      bodyField: "thread",
    },
  ],
  input: z.object({
    slug,
    // In a field of its own, because the workspace's slug has the same name.
    thread: z
      .object({
        userId: rowId.nullish(),
        name: z.string().max(10_000).nullish(),
        slug: z.string().max(1_000).nullish(),
      })
      .nullish(),
  }),
  output: z.object({ thread: threadWire.nullable(), message: z.string().nullable() }),
});

export const updateKeyThread = defineOperation({
  name: "gateway.developer-thread.update",
  service: "gateway",
  ...named,
  errors: notFound,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/workspace/:slug/thread/:threadSlug/update",
      summary: "Rename a thread",
    },
  ],
  input: inThread.extend({ name: z.string().max(255).nullish() }),
  output: z.object({ thread: threadWire, fault: faultWire.nullish() }),
  english: { field: "message" },
});

/** The wire reports success for an unknown thread too. */
export const deleteKeyThread = defineOperation({
  name: "gateway.developer-thread.delete",
  service: "gateway",
  ...named,
  errors: {
    ...refusedKey,
    WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" },
    THREAD_NOT_FOUND: { status: 200, kind: "text", text: "OK" },
  },
  mount: "custom",
  routes: [
    {
      method: "DELETE",
      path: "/v1/workspace/:slug/thread/:threadSlug",
      summary: "Delete a thread and its chats",
    },
  ],
  input: inThread,
  output: z.void(),
  success: { status: 200, kind: "text" },
});

export const listKeyThreadChats = defineOperation({
  name: "gateway.developer-thread.chats",
  service: "gateway",
  access: { who: "key", scope: "read", workspace: true },
  errors: {
    ...notFound,
    ...hiddenThread,
  },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/workspace/:slug/thread/:threadSlug/chats",
      summary: "List the chats of a thread",
    },
  ],
  input: inThread,
  output: z.object({ history: z.array(historyItem) }),
});

const threadQuestion = keyQuestion.extend({
  slug,
  threadSlug: slug,
  /** On whose behalf to ask in a thread without an owner. */
  userId: rowId.nullish(),
});
const unknownThread = {
  ...refusedQuestion,
  ...hiddenThread,
  THREAD_NOT_FOUND: { status: 404, kind: "json", body: abortReply },
  NOT_FOUND: { status: 404, kind: "json", body: abortReply },
} satisfies ErrorReplies;
/** Existing clients expect another status from the stream. */
const unknownStreamThread = {
  ...unknownThread,
  THREAD_NOT_FOUND: { status: 400, kind: "json", body: abortReply },
} satisfies ErrorReplies;

export const chatInThreadByKey = defineOperation({
  name: "gateway.developer-thread.chat",
  service: "gateway",
  ...named,
  errors: unknownThread,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/workspace/:slug/thread/:threadSlug/chat",
      bodyLimit: 50_000_000,
      summary: "Ask a question in a thread; the reply is the complete answer",
    },
  ],
  input: threadQuestion,
  output: chatResult,
});

export const streamChatInThreadByKey = defineOperation({
  name: "gateway.developer-thread.stream-chat",
  service: "gateway",
  ...named,
  errors: unknownStreamThread,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/workspace/:slug/thread/:threadSlug/stream-chat",
      bodyLimit: 50_000_000,
      summary: "Ask a question in a thread; the answer is an event stream",
    },
  ],
  input: threadQuestion.extend(agentWait),
  output: z.void(),
  success: { status: 200, kind: "sse" },
});

export const developerThreadRouteContracts: Contracts = {
  operations: [
    createKeyThread,
    updateKeyThread,
    deleteKeyThread,
    listKeyThreadChats,
    chatInThreadByKey,
    streamChatInThreadByKey,
  ],
};
