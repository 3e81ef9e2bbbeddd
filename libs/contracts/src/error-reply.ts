import { z } from "zod";
import type { Access, KeyScope } from "./access.ts";
import type { ErrorKind } from "./errors/error-definition.ts";

/** Shared by the routes of the developer API (`/api/v1`, wire-contract 9). */
export const refusedKey = {
  KEY_REFUSED: { status: 403, kind: "json", body: { error: "No valid api key found." } },
} satisfies Partial<Record<ErrorKind, ErrorReply>>;

interface KeyRoute {
  access: Access & { who: "key" };
  errors: typeof refusedKey;
}
type Further = Omit<KeyRoute["access"], "who" | "scope">;

/** A route for keys with this scope. */
export const byKey = (scope: KeyScope, further: Further = {}): KeyRoute => ({
  access: { who: "key", scope, ...further },
  errors: refusedKey,
});

/** Refused while the instance has no user accounts. */
export const byKeyInMultiUserMode = (scope: KeyScope): KeyRoute => byKey(scope, { mode: "multi" });

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
