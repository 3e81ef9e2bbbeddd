import { z } from "zod";
import { historyItem, metricsWire } from "../chat/turn.ts";
import { slug } from "../coercion.ts";
import { byKey, refusedKey } from "../error-reply.ts";
import { defineOperation, type Contracts, type ErrorReplies } from "../operation.ts";
import { sourceWire } from "../source.ts";
import { workspaceDetailWire, workspaceWire } from "../workspace/workspace.ts";
import { agentOutput } from "./agent-frame.ts";

/** What questions and answers share in the developer API (wire-contract 9.4, 9.5). */
const attachment = z.object({
  name: z.string().max(1_000).default("attachment"),
  /** `application/anythingllm-document`: read as a file whose text becomes context. */
  mime: z.string().max(255),
  contentString: z.string(),
});

/** The routes check fields that existing clients expect to be refused in a certain way. */
export const keyQuestion = z.object({
  message: z.unknown().optional().meta({ type: "string" }),
  mode: z
    .unknown()
    .optional()
    .meta({ type: "string", enum: ["chat", "query", "automatic", "agent"] }),
  attachments: z.array(attachment).max(20).nullish(),
  /** Starts over: earlier turns are no longer shown or taken into account. */
  reset: z.boolean().nullish(),
});

/** What streams take as well. */
export const agentWait = {
  /**
   * Carrel-specific: the client reads the steps of agents, and has this many seconds for each
   * approval and form. Without it, calls that need an approval are denied at once.
   */
  waitSeconds: z.number().int().min(1).max(86_400).nullish(),
};

/** Existing clients expect failures in the shape of a stream frame. */
export const abortReply = {
  id: "$id",
  type: "abort",
  textResponse: null,
  sources: [],
  close: true,
  error: "$message",
} as const;

export const refusedQuestion = {
  ...refusedKey,
  WORKSPACE_NOT_FOUND: { status: 400, kind: "json", body: abortReply },
  BAD_INPUT: { status: 400, kind: "json", body: abortReply },
  TOO_LARGE: { status: 413, kind: "json", body: abortReply },
  DOCUMENT_UNREADABLE: { status: 422, kind: "json", body: abortReply },
  UNSUPPORTED: { status: 422, kind: "json", body: abortReply },
} satisfies ErrorReplies;

/** Answers of agents have `thoughts` and `outputs`, but no `chatId`. */
export const chatResult = z.object({
  id: z.string(),
  type: z.enum(["textResponse", "abort"]),
  close: z.literal(true),
  error: z.string().nullable(),
  chatId: z.number().int().optional(),
  textResponse: z.string().nullable(),
  sources: z.array(sourceWire),
  metrics: z.union([metricsWire, z.object({})]),
  /** What the agent did, line by line. */
  thoughts: z.array(z.string()).optional(),
  outputs: z.array(agentOutput).optional(),
});

export type ChatResult = z.infer<typeof chatResult>;
export type KeyQuestion = z.infer<typeof keyQuestion>;
export type StreamedKeyQuestion = KeyQuestion & { waitSeconds?: number | null | undefined };

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
  input: workspaceQuestion.extend(agentWait),
  output: z.void(),
  success: { status: 200, kind: "sse" },
});

export const developerWorkspaceContracts: Contracts = {
  operations: [listKeyWorkspaces, getKeyWorkspace, listKeyChats, chatByKey, streamChatByKey],
};
