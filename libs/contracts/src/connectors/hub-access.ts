import type { ErrorReply } from "../error-reply.ts";

/** Existing clients take any 200 for a success, and read `error` of everything else. */
export function refuseHub(more: Record<string, unknown> = {}) {
  const reply = (status: number): ErrorReply => ({
    status,
    kind: "json",
    body: { success: false, error: "$message", ...more },
  });
  return {
    BAD_INPUT: reply(400),
    REFUSED: reply(400),
    NOT_FOUND: reply(404),
    WORKSPACE_NOT_FOUND: {
      status: 404,
      kind: "json",
      body: { success: false, error: "Workspace not found", ...more },
    },
    CONFLICT: reply(409),
    TOO_LARGE: reply(413),
    DISABLED: reply(422),
    LINK_REFUSED: reply(502),
    LINK_UNREACHABLE: reply(502),
    PROVIDER_FAILED: reply(502),
    BUSY: reply(503),
    TIMEOUT: reply(504),
  } as const satisfies Record<string, ErrorReply>;
}

/** The hub may be slow, or a bundle large. */
const hubTimeoutMs = 100_000;
export const byHubAdmin = {
  service: "connectors",
  access: { who: "admin" },
  errors: refuseHub(),
  timeoutMs: hubTimeoutMs,
} as const;
