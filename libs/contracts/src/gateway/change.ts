import { z } from "zod";
import type { FlowRunState } from "../chat/flow-run-wire.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/**
 * On API replies, while the gateway receives every change: a position in the gateway's log of
 * changes, no later than the data in the reply. Opaque; passed to `watchChanges` as `since`.
 */
export const changesSinceHeader = "carrel-changes-since";
/** On the reply to `watchChanges`: the stream begins with all changes since `since`. */
export const changesCompleteHeader = "carrel-changes-complete";

/**
 * Carrel-specific: one event stream for the app shell with changes to workspaces, documents and
 * generations, so no page has to poll.
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
      summary: "Stream changes in the workspaces you can use",
    },
  ],
  input: z.object({
    /** From `changesSinceHeader`, or the id of the last frame received. */
    since: z.string().max(64).optional(),
  }),
  output: z.void(),
  success: { status: 200, kind: "sse" },
});

/**
 * One `data:` frame of `watchChanges`: a domain event relevant to the UI, flattened, with its name
 * as `type`. Its id is its position.
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
  /** Names at most 100 threads. */
  | {
      type: "threads.changed";
      workspaceId: number;
      change: "created" | "deleted" | "restored" | "marked";
      slugs: string[];
    }
  | { type: "turns.changed"; workspaceId: number; threadId: number }
  /** One of the caller's runs, or for admins anyone's. */
  | { type: "flow-run.changed"; runId: string; flowId: string; state: FlowRunState }
  /** One of the caller's schedules or its runs, or for admins anyone's. */
  | { type: "schedule.changed"; scheduleId: string }
  /** The caller got a notice, or has read some. */
  | { type: "notices.changed" }
  | { type: "settings.changed"; keys: string[] }
  /** For admins: the download of a language model ended. */
  | {
      type: "local-models.changed";
      name: string;
      file: string;
      outcome: "ready" | "failed";
      inUse: boolean;
    }
  /**
   * The caller's workspaces or rights may have changed, or the name or logo of the instance did.
   */
  | { type: "workspace-members.changed" | "access.changed" | "branding.changed" }
  /**
   * For managers: documents, folders or tags of the library changed. For admins: an index build
   * started or stopped, another index became active, or the previous one was deleted.
   */
  | {
      type: "library.changed";
      /** Documents that a change by the caller didn't reach before it failed. */
      unfinished?: number;
    }
  | { type: "index.changed" };

export const changeContracts: Contracts = {
  operations: [watchChanges],
};
