import { z } from "zod";

/**
 * How a route reports one error code, where the wire differs from the gateway's general mapping.
 */
export type ErrorReply =
  | { status: number; kind: "text"; text?: string }
  | { status: number; kind: "empty" }
  /** `body` may contain the placeholder '$message', which is replaced by the error's message. */
  | { status: number; kind: "json"; body: Record<string, unknown> };

/** How the wire reports a business refusal: status 200 with `success` false. */
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
