import { z } from "zod";
import { defineOperation, type Contracts } from "../operation.ts";

/**
 * A view over workspace and chat; queries under three characters find nothing. `messages` is
 * Carrel-specific.
 */
export const searchEverything = defineOperation({
  name: "gateway.search",
  service: "gateway",
  access: { who: "session" },
  idempotency: "natural",
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/workspace/search",
      summary: "Search workspaces, threads and messages",
    },
  ],
  input: z.object({ searchTerm: z.string().max(200).default("") }),
  output: z.object({
    workspaces: z.array(z.object({ slug: z.string(), name: z.string() })),
    threads: z.array(
      z.object({
        slug: z.string(),
        name: z.string(),
        workspace: z.object({ slug: z.string(), name: z.string() }),
      }),
    ),
    messages: z.array(
      z.object({
        chatId: z.number().int(),
        threadSlug: z.string().nullable(),
        threadName: z.string(),
        workspace: z.object({ slug: z.string(), name: z.string() }),
        excerpt: z.string(),
        sentAt: z.number().int(),
      }),
    ),
  }),
});

/**
 * Internal, for the global search: names of workspaces the caller may use, matched by substring or
 * with small typos.
 */
export const searchWorkspaces = defineOperation({
  name: "workspace.workspace.search",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ term: z.string().max(200) }),
  output: z.object({
    workspaces: z.array(z.object({ id: z.number().int(), slug: z.string(), name: z.string() })),
  }),
});

/**
 * Internal: the caller's threads and messages that contain the words, best first. `excerpt` is
 * plain text around the first hit.
 */
export const searchChats = defineOperation({
  name: "chat.search",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  calls: ["workspace"],
  input: z.object({
    term: z.string().max(200),
    limit: z.number().int().min(1).max(50).default(20),
  }),
  output: z.object({
    threads: z.array(
      z.object({ slug: z.string(), name: z.string(), workspaceId: z.number().int() }),
    ),
    messages: z.array(
      z.object({
        chatId: z.number().int(),
        threadSlug: z.string().nullable(),
        threadName: z.string(),
        workspaceId: z.number().int(),
        excerpt: z.string(),
        sentAt: z.number().int(),
      }),
    ),
  }),
});

export const searchContracts: Contracts = {
  operations: [searchEverything, searchWorkspaces, searchChats],
};
