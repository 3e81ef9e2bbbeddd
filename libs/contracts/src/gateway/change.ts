import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * Ours: one event stream for the app's shell: workspaces, documents and generations that changed,
 * so that no page polls.
 */
export const watchChanges = defineOperation({
  name: "gateway.changes.watch",
  service: "gateway",
  access: { who: "session" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/changes",
      summary: "What changed in the workspaces the caller may use, as an event stream",
    },
  ],
  input: z.object({}),
  output: z.void(),
  success: { status: 200, kind: "sse" },
});

/**
 * One `data:` frame of `watchChanges`: the domain events that concern what is on screen, flattened
 * with their name as `type`.
 */
export type ChangeFrame =
  | {
      type:
        | "workspace.created"
        | "workspace.updated"
        | "workspace.deleted"
        | "workspace-documents.changed";
      workspaceId: number;
    }
  | {
      type: "generation.changed";
      workspaceId: number;
      threadId: number;
      generationId: string;
      state: string;
    }
  | { type: "thread.renamed"; workspaceId: number; threadId: number; slug: string; name: string }
  /** At most 100 of them are named. */
  | {
      type: "threads.changed";
      workspaceId: number;
      change: "created" | "deleted" | "restored";
      slugs: string[];
    }
  | { type: "turns.changed"; workspaceId: number; threadId: number }
  /** Managers are told: documents, folders or tags of the library changed. */
  | { type: "library.changed" }
  | { type: "settings.changed"; keys: string[] }
  /**
   * The own workspaces may have become others; the own rights may have changed; name or logo
   * changed.
   */
  | { type: "workspace-members.changed" | "access.changed" | "branding.changed" }
  /**
   * For managers: documents or folders of the library changed. For admins: another index is being
   * built, answers, or went.
   */
  | { type: "library.changed" | "index.changed" };

export const changeContracts: Contracts = {
  operations: [watchChanges],
};
