import { z } from "zod";

export const roles = ["default", "manager", "admin"] as const;
export type Role = (typeof roles)[number];

/**
 * Who acts, as the one guard found it. `instance` is the sole session of single-user mode (it has
 * every right of an
 * admin and owns what has no user); `user` is a session of an account; `key` is a developer API key
 * (every right, owns
 * what has no user); `extension` is a browser-extension key, which acts with its owner's role;
 * `service` is Carrel
 * itself (jobs, events). Open for more kinds (`widget`).
 */
export const principalSchema = z.object({
  kind: z.enum(["public", "instance", "user", "key", "extension", "service"]),
  /** null where no account acts; also the owner column of rows this principal makes. */
  userId: z.number().int().nullable(),
  role: z.enum(["none", ...roles]),
  /** The session that the credential belongs to; absent for keys and without a password. */
  sessionId: z.uuid().optional(),
  /** The key, for kinds `key` and `extension`. */
  keyId: z.number().int().optional(),
  /** Questions in 24 hours; absent or null is without limit. Admins have none. */
  dailyMessageLimit: z.number().int().nullable().optional(),
});
export type Principal = z.infer<typeof principalSchema>;

/**
 * What a handler may act on: the principal and, where the route names one it may use, the
 * workspace. Signed into every request envelope.
 */
export const scopeSchema = z.object({
  principal: principalSchema,
  workspace: z.object({ id: z.number().int(), slug: z.string() }).nullable(),
  /**
   * Client's address as the gateway trusts it, for the event log; set on everything but plain
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
 * The policy of an operation. `session` is a session of any role, `key` a developer API key (and
 * nothing else), `extension`
 * a browser-extension key (and nothing else); `internal` operations have no HTTP route and are
 * called by services only.
 * `workspace: true` makes the guard resolve the route's `:slug` for this principal: unknown and
 * foreign both end in
 * WORKSPACE_NOT_FOUND before the handler runs.
 */
export interface Access {
  who: "public" | "session" | "manager" | "admin" | "key" | "extension" | "internal";
  workspace?: boolean;
  /** Refused (401) in the other mode. */
  mode?: "single" | "multi";
}
