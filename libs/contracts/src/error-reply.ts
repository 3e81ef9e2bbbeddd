import { z } from "zod";
import type { ErrorKind } from "./errors/error-definition.ts";

/** How a route reports one kind of error if the wire differs from the gateway's general mapping. */
export type ErrorReply =
  | { status: number; kind: "text"; text?: string }
  | { status: number; kind: "empty" }
  /**
   * In `body`, `$message` stands for the error's English text, `$id` for a new UUID and `$param`
   * for the invalid field.
   */
  | { status: number; kind: "json"; body: Record<string, unknown> };

/** Body of an outcome; a refusal has status 200 and `success: false` (`refusedOutcome`). */
export const outcomeWire = z.object({ success: z.boolean(), error: z.string().nullable() });

/** Many routes of this wire report what a rule forbids as an outcome with status 200. */
export const refusedOutcome = {
  REFUSED: { status: 200, kind: "json", body: { success: false, error: "$message" } },
} as const satisfies Partial<Record<ErrorKind, ErrorReply>>;

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
