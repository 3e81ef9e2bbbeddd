import { z } from "zod";

/**
 * How one error code looks on this route, where the wire differs from the gateway's general map.
 */
export type ErrorReply =
  | { status: number; kind: "text"; text?: string }
  | { status: number; kind: "empty" }
  /** `body` may hold the placeholder '$message', replaced by the error's message. */
  | { status: number; kind: "json"; body: Record<string, unknown> };

/** A business refusal on this wire: 200 with `success` false. */
export const outcomeWire = z.object({ success: z.boolean(), error: z.string().nullable() });

export const noWorkspace: ErrorReply = {
  status: 404,
  kind: "text",
  text: "Workspace does not exist.",
};

export const noThread: ErrorReply = {
  status: 404,
  kind: "text",
  text: "Workspace thread does not exist.",
};

export const inWorkspace = { WORKSPACE_NOT_FOUND: noWorkspace };

export const inThread = { WORKSPACE_NOT_FOUND: noWorkspace, THREAD_NOT_FOUND: noThread };
