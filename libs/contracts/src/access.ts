import { z } from "zod";
import { languages } from "./languages.ts";

export const roles = ["default", "manager", "admin"] as const;
export type Role = (typeof roles)[number];

/**
 * What a developer API key may be used for. `chat` asks questions, `documents` changes documents,
 * `admin` does everything; each of them may also read.
 */
export const keyScopes = ["read", "chat", "documents", "admin"] as const;
export type KeyScope = (typeof keyScopes)[number];

export const includesScope = (granted: readonly KeyScope[], needed: KeyScope): boolean =>
  granted.some((scope) => scope === "admin" || scope === needed || needed === "read");

/**
 * What admins may allow members, that is, users with role default. Members who may create
 * workspaces also manage those they have created.
 */
export const memberRights = ["createWorkspaces", "uploadDocuments"] as const;
export type MemberRight = (typeof memberRights)[number];

/**
 * The caller as the gateway's guard identified it. `instance` is the single-user session: it has
 * admin rights and owns rows without a user. `user` is an account's session, or an
 * access token of it at the OpenID provider. `key` is a developer
 * API key: it has every right within its scopes and workspaces, and also owns rows without a user.
 * `extension` is a browser-extension key acting with its owner's role. `widget` is a visitor of
 * another site, who may only chat in the widget's own conversations. `service` is Carrel itself
 * (jobs, events).
 */
export const principalSchema = z.object({
  kind: z.enum(["public", "instance", "user", "key", "extension", "widget", "service"]),
  /**
   * null when no account is acting; also written to the owner column of rows this principal
   * creates.
   */
  userId: z.number().int().nullable(),
  role: z.enum(["none", ...roles]),
  /** Session the credential belongs to; absent for keys and on instances without a password. */
  sessionId: z.uuid().optional(),
  /** When the session last proved who uses it, in ms since 1970; only set with `sessionId`. */
  provenAt: z.number().int().optional(),
  /** Id of the key, for kinds `key` and `extension`. */
  keyId: z.number().int().optional(),
  /** Always set for kind `key`; for kind `user` only if an access token restricts it. */
  scopes: z.array(z.enum(keyScopes)).optional(),
  /** The only workspaces that exist for this key; absent means all. */
  workspaceIds: z.array(z.number().int()).optional(),
  /** Rate limit of a key; absent means none. */
  requestsPerMinute: z.number().int().optional(),
  /** For kind `widget`: the widget, and what is recorded about its visitor. */
  widget: z
    .object({
      id: z.number().int(),
      host: z.string().max(300).nullable(),
      address: z.string().max(64).nullable(),
      username: z.string().max(255).nullable(),
      /** Whether the site's server signed the username; otherwise a page may claim any. */
      isVerified: z.boolean().optional(),
    })
    .optional(),
  /** Questions per 24 hours; absent or null means unlimited. Never set for admins. */
  dailyMessageLimit: z.number().int().nullable().optional(),
  /** What admins allow members; set for users with role default where the policy names a right. */
  may: z.array(z.enum(memberRights)).optional(),
  /** The language in the account's profile, if it is one of ours. */
  language: z.enum(languages).optional(),
});
export type Principal = z.infer<typeof principalSchema>;

/** The id of a developer API key; other keys act for their user. */
export const developerKeyOf = ({ kind, keyId }: Pick<Principal, "kind" | "keyId">): number | null =>
  kind === "key" ? (keyId ?? null) : null;

/**
 * What a handler may act on: the principal and, if the route names one it may use, the workspace.
 * Signed into every request envelope.
 */
export const scopeSchema = z.object({
  principal: principalSchema,
  workspace: z
    .object({
      id: z.number().int(),
      slug: z.string(),
      /** The principal is the member who created it. */
      isOwn: z.boolean().optional(),
    })
    .nullable(),
  /**
   * Client address as determined by the gateway, for the event log; set on everything except plain
   * reads.
   */
  address: z.string().max(64).optional(),
  /**
   * For sentences that Carrel writes itself; absent if nothing says what the caller reads, which
   * means English as existing clients know it.
   */
  language: z.enum(languages).optional(),
});
export type Scope = z.infer<typeof scopeSchema>;

export type WorkspaceScope = Scope & { workspace: NonNullable<Scope["workspace"]> };

/**
 * Whether a member has a right in this scope. In a workspace of their own, the right to create
 * workspaces is enough.
 */
export function hasMemberRight(
  { principal: { kind, role, may = [] }, workspace }: Scope,
  right: MemberRight,
): boolean {
  if (kind !== "user" || role !== "default") return false;
  if (workspace?.isOwn === true && may.includes("createWorkspaces")) return true;
  return may.includes(right) && (right !== "createWorkspaces" || workspace === null);
}

/** What members see when they lack a right. */
export const memberRefusals = {
  createWorkspaces: "access.workspaces-by-managers",
  uploadDocuments: "access.documents-by-managers",
} as const satisfies Record<MemberRight, string>;

export const publicPrincipal: Principal = { kind: "public", userId: null, role: "none" };
export const instancePrincipal: Principal = { kind: "instance", userId: null, role: "admin" };
export const servicePrincipal: Principal = { kind: "service", userId: null, role: "admin" };

/** How long a sign-in or confirmation counts as proof. */
export const proofLifetimeMs = 10 * 60_000;

/**
 * Whether the session's owner proved recently that they use it. Keys aren't sessions, and an
 * instance without a password has nothing to prove.
 */
export const isRecentlyProven = ({ kind, sessionId, provenAt }: Principal): boolean =>
  kind === "user" || (kind === "instance" && sessionId !== undefined)
    ? provenAt !== undefined && provenAt > Date.now() - proofLifetimeMs
    : true;

/**
 * Access policy of an operation. `session` accepts a session of any role, `key` only a developer
 * API key, `extension` only a browser-extension key; `internal` operations have no HTTP route and
 * are called only by services. With `workspace: true` the guard resolves the route's `:slug` for
 * this principal; unknown and inaccessible workspaces both fail with WORKSPACE_NOT_FOUND before the
 * handler runs.
 */
export type Access = {
  workspace?: boolean;
  /**
   * For visitors of other sites: the rules for origins are those of the widget named by
   * `:embedUuid`, not the instance's.
   */
  widget?: boolean;
  /**
   * Also admits members with this right to routes for managers. With `workspace: true`,
   * `createWorkspaces` admits them to workspaces they have created.
   */
  memberMay?: MemberRight;
  /** In the other mode, the route answers 401. */
  mode?: "single" | "multi";
  /**
   * For session routes that could turn a stolen session into lasting access. `recent`: the gateway
   * refuses sessions whose last proof is too old (`isRecentlyProven`); `handler`: the handler does,
   * because it depends on the fields; `none`: grants nothing that outlives the session. Writes of
   * auth, and those that carry a secret or a role, must say which (`access-proof.spec.ts`).
   */
  proof?: "recent" | "handler" | "none";
} & ({ who: "public" | "session" | "manager" | "admin" | "extension" | "internal" } | KeyAccess);

export interface KeyAccess {
  who: "key";
  /** The scope a key needs. */
  scope: KeyScope;
  /**
   * Admits keys restricted to some workspaces, because the handler shows and changes nothing else.
   * Other routes admit them only with `workspace: true`.
   */
  restrictedKeys?: true;
  /**
   * Also admits access tokens of the OpenID provider whose audience is this route, with which
   * requests act as that person within the token's scopes.
   */
  accessTokens?: true;
}
