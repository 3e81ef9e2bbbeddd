import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import type { ErrorReply } from "../error-reply.ts";
import { defineJob, defineOperation, type Contracts } from "../operation.ts";

/*
 * User memories (wire-contract 3.5, "personalization"): notes included in every chat of their owner
 * and visible only to them.
 */

/**
 * Maximum number of memories per person, globally and per workspace, and maximum length of one in
 * UTF-16 code units.
 */
export const memoryLimits = { global: 5, workspace: 20, characters: 500 } as const;

/**
 * Preference labels that control whether memories are used and whether a model extracts them
 * automatically; chat reads them along with the settings.
 */
export const memoryLabels = ["memory_enabled", "memory_auto_extraction"] as const;

export const memoryWire = z.object({
  id: z.number().int(),
  /** null: belongs to the instance (single-user mode). */
  userId: z.number().int().nullable(),
  /** null: global. */
  workspaceId: z.number().int().nullable(),
  scope: z.enum(["global", "workspace"]),
  content: z.string(),
  /** ISO 8601 time it was last included in a prompt; null if never. */
  lastUsedAt: z.string().nullable(),
  createdAt: z.string(),
  /** ISO 8601 time of the last change to content or scope. */
  updatedAt: z.string(),
});

export type MemoryWire = z.infer<typeof memoryWire>;

const fault = (status: number, error: string): ErrorReply => ({
  status,
  kind: "json",
  body: { error },
});

const noWorkspace = { WORKSPACE_NOT_FOUND: fault(404, "Workspace does not exist.") };

/** DISABLED: preference `memory_enabled` is not "true". */
const disabled = { DISABLED: fault(403, "Personalization is disabled.") };

/** The caller's memories, oldest first: global ones and those of this workspace. */
export const listMemories = defineOperation({
  name: "chat.memory.list",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: { ...noWorkspace, ...disabled },
  routes: [
    {
      method: "GET",
      path: "/workspaces/:slug/memories",
      summary: "List your memories: global ones and those of a workspace",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    memories: z.object({ global: z.array(memoryWire), workspace: z.array(memoryWire) }),
  }),
});

const refused = {
  BAD_INPUT: fault(400, "$message"),
  /** The limit is reached, or the memory belongs to another workspace. */
  CONFLICT: fault(400, "$message"),
};

const content = z
  .string()
  .trim()
  .min(1, { error: "A memory must not be empty." })
  .max(memoryLimits.characters, {
    error: `A memory can have at most ${memoryLimits.characters} characters.`,
  });

const oneMemory = z.object({ memory: memoryWire });

export const createMemory = defineOperation({
  name: "chat.memory.create",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: { ...noWorkspace, ...disabled, ...refused },
  idempotency: "keyed",
  routes: [
    {
      method: "POST",
      path: "/workspaces/:slug/memories",
      summary: "Create a memory, for a workspace or globally",
    },
  ],
  input: z.object({ slug, content, scope: z.enum(["workspace", "global"]).default("workspace") }),
  output: oneMemory,
});

/** The same reply for a missing memory and for someone else's. */
const noMemory = { NOT_FOUND: fault(404, "Memory not found.") };

export const updateMemory = defineOperation({
  name: "chat.memory.update",
  service: "chat",
  access: { who: "session" },
  errors: { ...disabled, ...refused, ...noMemory },
  idempotency: "natural",
  routes: [{ method: "PUT", path: "/memories/:id", summary: "Edit one of your memories" }],
  input: z.object({ id: rowId, content }),
  output: oneMemory,
});

export const deleteMemory = defineOperation({
  name: "chat.memory.delete",
  service: "chat",
  access: { who: "session" },
  errors: { ...disabled, ...noMemory },
  idempotency: "keyed",
  routes: [{ method: "DELETE", path: "/memories/:id", summary: "Delete one of your memories" }],
  input: z.object({ id: rowId }),
  output: z.object({ success: z.boolean() }),
});

/** A memory that is already global is left as is. */
export const promoteMemory = defineOperation({
  name: "chat.memory.promote",
  service: "chat",
  access: { who: "session" },
  errors: { ...disabled, ...refused, ...noMemory },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/memories/:id/promote",
      summary: "Make one of your workspace memories global",
    },
  ],
  input: z.object({ id: rowId }),
  output: oneMemory,
});

/** A memory already in this workspace is left as is; one of another workspace is refused. */
export const demoteMemory = defineOperation({
  name: "chat.memory.demote",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: { ...noWorkspace, ...disabled, ...refused, ...noMemory },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/memories/:id/demote/:slug",
      summary: "Move one of your global memories to a workspace",
    },
  ],
  input: z.object({ id: rowId, slug }),
  output: oneMemory,
});

/**
 * Asks the workspace's model what a thread's questions up to `turnId` reveal about the person who
 * asked.
 */
export const extractMemories = defineJob({
  name: "memory.extract",
  service: "chat",
  queue: "memory",
  payload: z.object({ threadId: z.number().int(), turnId: z.number().int() }),
  attempts: 2,
  backoffMs: 10_000,
});

export const memoryContracts: Contracts = {
  operations: [listMemories, createMemory, updateMemory, deleteMemory, promoteMemory, demoteMemory],
  jobs: [extractMemories],
};
