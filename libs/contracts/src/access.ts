import { z } from "zod";

export const roles = ["default", "manager", "admin"] as const;
export type Role = (typeof roles)[number];

/**
 * The caller as the gateway's guard identified it. `instance` is the single-user session: it has
 * admin rights and owns rows without a user. `user` is an account's session. `key` is a developer
 * API key: it has every right and also owns rows without a user. `extension` is a browser-extension
 * key acting with its owner's role. `service` is Carrel itself (jobs, events). More kinds
 * (`widget`) may follow.
 */
export const principalSchema = z.object({
  kind: z.enum(["public", "instance", "user", "key", "extension", "service"]),
  /**
   * null when no account is acting; also written to the owner column of rows this principal
   * creates.
   */
  userId: z.number().int().nullable(),
  role: z.enum(["none", ...roles]),
  /** Session the credential belongs to; absent for keys and on instances without a password. */
  sessionId: z.uuid().optional(),
  /** Id of the key, for kinds `key` and `extension`. */
  keyId: z.number().int().optional(),
  /** Questions per 24 hours; absent or null means unlimited. Never set for admins. */
  dailyMessageLimit: z.number().int().nullable().optional(),
});
export type Principal = z.infer<typeof principalSchema>;

/**
 * What a handler may act on: the principal and, if the route names one it may use, the workspace.
 * Signed into every request envelope.
 */
export const scopeSchema = z.object({
  principal: principalSchema,
  workspace: z.object({ id: z.number().int(), slug: z.string() }).nullable(),
  /**
   * Client address as determined by the gateway, for the event log; set on everything except plain
   * reads.
   */
  address: z.string().max(64).optional(),
});
export type Scope = z.infer<typeof scopeSchema>;

export type WorkspaceScope = Scope & { workspace: NonNullable<Scope["workspace"]> };

export const publicPrincipal: Principal = { kind: "public", userId: null, role: "none" };
export const instancePrincipal: Principal = { kind: "instance", userId: null, role: "admin" };
export const servicePrincipal: Principal = { kind: "service", userId: null, role: "admin" };

/**
 * Access policy of an operation. `session` accepts a session of any role, `key` only a developer
 * API key, `extension` only a browser-extension key; `internal` operations have no HTTP route and
 * are called only by services. With `workspace: true` the guard resolves the route's `:slug` for
 * this principal; unknown and inaccessible workspaces both fail with WORKSPACE_NOT_FOUND before the
 * handler runs.
 */
export interface Access {
  who: "public" | "session" | "manager" | "admin" | "key" | "extension" | "internal";
  workspace?: boolean;
  /** The route answers 401 in the other mode. */
  mode?: "single" | "multi";
}
