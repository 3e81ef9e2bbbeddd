import { developerDocumentRows } from "./developer-document-rows.ts";
import type { TestInstance } from "./instance.ts";

/** What earlier rows have made, for later ones. */
export type World = Record<string, string>;
type Bearer = "none" | "admin" | "key" | "brx" | "user";
export interface AccessRow {
  operation: string;
  bearer: Bearer;
  call: (world: World) => [method: string, path: string, body?: unknown];
  status: number;
  kind: "json" | "text" | "empty" | "bytes";
  /** Parts of the body, or all of a text. */
  body?: unknown;
  keep?: (answer: never, world: World) => void;
}

const row = (
  operation: string,
  bearer: Bearer,
  call: AccessRow["call"],
  body?: unknown,
  more: Partial<AccessRow> = {},
): AccessRow => ({
  operation,
  bearer,
  call,
  status: 200,
  kind: "json",
  ...(body === undefined ? {} : { body }),
  ...more,
});
const outcome = { success: true, error: null };
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
const form = (field: string): FormData => {
  const made = new FormData();
  made.append(field, new Blob([new Uint8Array(picture)], { type: "image/png" }), "p.png");
  return made;
};
const password = "correct horse battery";

/** Single-user mode, without a password. */
export const singleRows: AccessRow[] = [
  row("auth.session.user", "none", () => ["GET", "/system/refresh-user"], {
    success: true,
    user: null,
    message: null,
  }),
  row("auth.key.list-instance", "none", () => ["GET", "/system/api-keys"], {
    apiKeys: [],
    error: null,
  }),
  row(
    "auth.key.create-instance",
    "none",
    () => ["POST", "/system/generate-api-key", { name: "first" }],
    { apiKey: { name: "first", createdBy: null }, error: null },
    {
      keep: (answer: { apiKey: { id: number } }, world) => {
        world.instanceKey = String(answer.apiKey.id);
      },
    },
  ),
  row(
    "auth.key.delete-instance",
    "none",
    (world) => ["DELETE", `/system/api-key/${world.instanceKey}`],
    "",
    { kind: "empty" },
  ),
  row("workspace.onboarding.get", "none", () => ["GET", "/onboarding"], {
    onboardingComplete: false,
  }),
  row("workspace.onboarding.complete", "none", () => ["POST", "/onboarding", {}], "OK", {
    kind: "text",
  }),
  row("workspace.branding.app-name", "none", () => ["GET", "/system/custom-app-name"], {
    customAppName: null,
  }),
  row("workspace.branding.footer", "none", () => ["GET", "/system/footer-data"], {
    footerData: "[]",
  }),
  row("workspace.branding.support-email", "none", () => ["GET", "/system/support-email"], {
    supportEmail: null,
  }),
  row("workspace.branding.is-default-logo", "none", () => ["GET", "/system/is-default-logo"], {
    isDefaultLogo: true,
  }),
  row("gateway.branding.logo", "none", () => ["GET", "/system/logo?theme=light"], undefined, {
    kind: "bytes",
  }),
  row("workspace.branding.welcome-messages", "none", () => ["GET", "/system/welcome-messages"], {
    success: true,
    welcomeMessages: [],
  }),
  row("gateway.openid.start", "none", () => ["GET", "/auth/openid/start"], undefined, {
    status: 302,
    kind: "empty",
  }),
  row("gateway.openid.finish", "none", () => ["GET", "/auth/openid/callback"], undefined, {
    status: 302,
    kind: "empty",
  }),
  row(
    "auth.mode.enable-multi-user",
    "none",
    () => ["POST", "/system/enable-multi-user", { username: "firstadmin", password }],
    outcome,
  ),
];

/** Multi-user mode, in this order; `admin` signs in with the first row. */
export const multiRows: AccessRow[] = [
  row(
    "auth.session.create",
    "none",
    () => ["POST", "/request-token", { username: "firstadmin", password }],
    { valid: true, user: { username: "firstadmin", role: "admin" }, message: null },
    {
      keep: (answer: { token: string; user: { id: number } }, world) => {
        world.admin = answer.token;
        world.adminId = String(answer.user.id);
      },
    },
  ),
  row(
    "auth.session.list",
    "admin",
    () => ["GET", "/system/sessions"],
    { sessions: [{ current: true, method: "password" }] },
    {
      keep: (answer: { sessions: { id: string }[] }, world) => {
        world.session = answer.sessions[0]!.id;
      },
    },
  ),
  row(
    "auth.profile.update",
    "admin",
    () => ["POST", "/system/user", { username: "firstadmin", bio: "Hello", theme: "light" }],
    outcome,
  ),
  row(
    "gateway.profile.upload-picture",
    "admin",
    () => ["POST", "/system/upload-pfp", form("file")],
    { message: "Profile picture uploaded successfully." },
  ),
  row(
    "gateway.profile.picture",
    "admin",
    (world) => ["GET", `/system/pfp/${world.adminId}`],
    undefined,
    { kind: "bytes" },
  ),
  row("gateway.profile.remove-picture", "admin", () => ["DELETE", "/system/remove-pfp"], {
    message: "Profile picture removed successfully.",
  }),
  row(
    "gateway.branding.upload-logo",
    "admin",
    () => ["POST", "/system/upload-logo", form("logo")],
    { message: "Logo uploaded successfully." },
  ),
  row("gateway.branding.remove-logo", "admin", () => ["GET", "/system/remove-logo"], {
    message: "Logo removed successfully.",
  }),
  row(
    "auth.user.create",
    "admin",
    () => ["POST", "/admin/users/new", { username: "eva", password, role: "default" }],
    { user: { username: "eva", role: "default", suspended: 0 }, error: null },
    {
      keep: (answer: { user: { id: number } }, world) => {
        world.eva = String(answer.user.id);
      },
    },
  ),
  row("auth.user.list", "admin", () => ["GET", "/admin/users"], {
    users: [{ username: "firstadmin" }, { username: "eva" }],
  }),
  row(
    "auth.user.update",
    "admin",
    (world) => ["POST", `/admin/user/${world.eva}`, { dailyMessageLimit: 5 }],
    outcome,
  ),
  row(
    "auth.user.remove-second-factor",
    "admin",
    (world) => ["DELETE", `/admin/user/${world.eva}/second-factor`],
    undefined,
  ),
  row(
    "auth.invite.create",
    "admin",
    () => ["POST", "/admin/invite/new", { workspaceIds: [1] }],
    { invite: { status: "pending", workspaceIds: "[1]" }, error: null },
    {
      keep: (answer: { invite: { id: number; code: string } }, world) => {
        world.code = answer.invite.code;
        world.invite = String(answer.invite.id);
      },
    },
  ),
  row("auth.invite.list", "admin", () => ["GET", "/admin/invites"], {
    invites: [{ status: "pending" }],
  }),
  row("auth.invite.get", "none", (world) => ["GET", `/invite/${world.code}`], {
    invite: { status: "pending" },
    error: null,
  }),
  row(
    "auth.invite.accept",
    "none",
    (world) => ["POST", `/invite/${world.code}`, { username: "newcomer", password }],
    outcome,
  ),
  row(
    "auth.session.create",
    "none",
    () => ["POST", "/request-token", { username: "newcomer", password }],
    { valid: true, recoveryCodes: [expect4(), expect4(), expect4(), expect4()] },
    {
      keep: (answer: { token: string; recoveryCodes: string[] }, world) => {
        world.user = answer.token;
        world.codes = answer.recoveryCodes.slice(0, 2).join(" ");
      },
    },
  ),
  row("workspace.workspace.list", "user", () => ["GET", "/workspaces"], {
    workspaces: [{ slug: "w" }],
  }),
  row(
    "auth.invite.disable",
    "admin",
    (world) => ["DELETE", `/admin/invite/${world.invite}`],
    undefined,
  ),
  row("gateway.member.workspaces", "admin", () => ["GET", "/admin/workspaces"], {
    workspaces: [{ slug: "w" }],
  }),
  row("workspace.member.list", "admin", () => ["GET", "/admin/workspaces/1/users"], {
    users: [{ username: "firstadmin" }, { username: "newcomer" }],
  }),
  row(
    "workspace.member.update",
    "admin",
    (world) => ["POST", "/admin/workspaces/1/update-users", { userIds: [Number(world.eva)] }],
    outcome,
  ),
  row("workspace.workspace.list", "user", () => ["GET", "/workspaces"], { workspaces: [] }),
  row(
    "workspace.member.create-workspace",
    "admin",
    () => ["POST", "/admin/workspaces/new", { name: "Made by an admin" }],
    { workspace: { slug: "made-by-an-admin" }, error: null },
    {
      keep: (answer: { workspace: { id: number } }, world) => {
        world.workspace = String(answer.workspace.id);
      },
    },
  ),
  row(
    "workspace.member.delete-workspace",
    "admin",
    (world) => ["DELETE", `/admin/workspaces/${world.workspace}`],
    outcome,
  ),
  row(
    "workspace.preference.update",
    "admin",
    () => ["POST", "/admin/system-preferences", { custom_app_name: "Ours", unknown_label: 1 }],
    outcome,
  ),
  row(
    "workspace.preference.list",
    "admin",
    () => ["GET", "/admin/system-preferences-for?labels=custom_app_name,unknown_label"],
    { settings: { custom_app_name: "Ours" } },
  ),
  row(
    "workspace.branding.set-welcome-messages",
    "admin",
    () => [
      "POST",
      "/system/set-welcome-messages",
      { messages: [{ user: "Hi", response: "Hello" }] },
    ],
    { success: true, message: "Welcome messages saved successfully." },
  ),
  row(
    "workspace.event.list",
    "admin",
    () => ["POST", "/system/event-logs", { offset: 0, limit: 5 }],
    { hasPages: true },
  ),
  row("workspace.event.clear", "admin", () => ["DELETE", "/system/event-logs"], { success: true }),
  row(
    "auth.key.create",
    "admin",
    () => ["POST", "/admin/generate-api-key", { name: "tools" }],
    { apiKey: { name: "tools" }, error: null },
    {
      keep: (answer: { apiKey: { id: number; secret: string } }, world) => {
        world.key = answer.apiKey.secret;
        world.keyId = String(answer.apiKey.id);
      },
    },
  ),
  row("auth.key.list", "admin", () => ["GET", "/admin/api-keys"], {
    apiKeys: [{ name: "tools", createdBy: { username: "firstadmin", role: "admin" } }],
    error: null,
  }),
  row("gateway.developer.auth", "key", () => ["GET", "/v1/auth"], { authenticated: true }),
  row(
    "gateway.developer.is-multi-user-mode",
    "key",
    () => ["GET", "/v1/admin/is-multi-user-mode"],
    { isMultiUser: true },
  ),
  row("gateway.developer.users", "key", () => ["GET", "/v1/users"], {
    users: [
      { username: "firstadmin", role: "admin" },
      { username: "eva" },
      { username: "newcomer" },
    ],
  }),
  row("gateway.developer.admin-users", "key", () => ["GET", "/v1/admin/users"], {
    users: [{ username: "firstadmin" }, { username: "eva" }, { username: "newcomer" }],
  }),
  row(
    "gateway.developer.create-user",
    "key",
    () => ["POST", "/v1/admin/users/new", { username: "robot", password }],
    { user: { username: "robot", role: "default" }, error: null },
    {
      keep: (answer: { user: { id: number } }, world) => {
        world.robot = String(answer.user.id);
      },
    },
  ),
  row(
    "gateway.developer.create-user",
    "key",
    () => ["POST", "/v1/admin/users/new", { username: "robot", password }],
    { user: null, error: "A user with that username already exists" },
    { status: 400 },
  ),
  row(
    "gateway.developer.update-user",
    "key",
    (world) => ["POST", `/v1/admin/users/${world.robot}`, { bio: "I am one" }],
    outcome,
  ),
  row(
    "gateway.developer.issue-auth-token",
    "key",
    (world) => ["GET", `/v1/users/${world.eva}/issue-auth-token`],
    undefined,
    {
      keep: (answer: { token: string }, world) => {
        world.signIn = answer.token;
      },
    },
  ),
  row(
    "auth.session.create-by-token",
    "none",
    (world) => ["GET", `/request-token/sso/simple?token=${world.signIn}`],
    { valid: true, user: { username: "eva" }, message: null },
  ),
  row(
    "gateway.developer.create-invite",
    "key",
    () => ["POST", "/v1/admin/invite/new", { workspaceIds: [] }],
    { invite: { createdBy: 0 }, error: null },
    {
      keep: (answer: { invite: { id: number } }, world) => {
        world.invite = String(answer.invite.id);
      },
    },
  ),
  row("gateway.developer.invites", "key", () => ["GET", "/v1/admin/invites"], undefined),
  row(
    "gateway.developer.disable-invite",
    "key",
    (world) => ["DELETE", `/v1/admin/invite/${world.invite}`],
    outcome,
  ),
  row(
    "gateway.developer.disable-invite",
    "key",
    () => ["DELETE", "/v1/admin/invite/99999"],
    { success: false, error: "Invite not found." },
    { status: 404 },
  ),
  row("gateway.developer.members", "key", () => ["GET", "/v1/admin/workspaces/1/users"], {
    users: [{ username: "eva" }],
  }),
  row(
    "gateway.developer.update-members",
    "key",
    (world) => ["POST", "/v1/admin/workspaces/1/update-users", { userIds: [Number(world.eva)] }],
    outcome,
  ),
  row(
    "gateway.developer.manage-members",
    "key",
    (world) => ["POST", "/v1/admin/workspaces/w/manage-users", { userIds: [Number(world.robot)] }],
    { success: true, error: null, users: [{ username: "eva" }, { username: "robot" }] },
  ),
  row(
    "gateway.developer.manage-members",
    "key",
    () => ["POST", "/v1/admin/workspaces/w/manage-users", { userIds: [99_999] }],
    { success: false, error: "No valid user IDs provided.", users: [] },
    { status: 404 },
  ),
  row(
    "gateway.developer.manage-members",
    "key",
    (world) => [
      "POST",
      "/v1/admin/workspaces/nothing/manage-users",
      { userIds: [Number(world.robot)] },
    ],
    { success: false, error: "Workspace not found", users: [] },
    { status: 404 },
  ),
  // A row for each answer of the search, wire-contract 9.4.
  row(
    "gateway.developer.vector-search",
    "key",
    () => [
      "POST",
      "/v1/workspace/w/vector-search",
      { query: "pump", topN: "2", scoreThreshold: "x" },
    ],
    {
      results: [
        {
          id: "c1",
          text: "The pump runs at 48 °C.",
          metadata: {
            url: "file://a.txt",
            title: "a.txt",
            author: "Eva",
            description: "none",
            docSource: "a file",
            chunkSource: "",
            published: "1/1/2026",
            wordCount: 6,
            tokenCount: 9,
          },
          distance: 0.25,
          score: 0.75,
        },
      ],
    },
  ),
  row(
    "gateway.developer.vector-search",
    "key",
    () => ["POST", "/v1/workspace/w/vector-search", { query: "nothing" }],
    { results: [], message: "No embeddings found for this workspace." },
  ),
  row(
    "gateway.developer.vector-search",
    "key",
    () => ["POST", "/v1/workspace/w/vector-search", { query: ["pump"] }],
    { message: "Query parameter cannot be empty." },
    { status: 400 },
  ),
  row(
    "gateway.developer.vector-search",
    "key",
    () => ["POST", "/v1/workspace/nothing/vector-search", { query: "pump" }],
    { message: "This is not a valid workspace." },
    { status: 400 },
  ),
  ...developerDocumentRows,
  row(
    "gateway.developer.chats",
    "key",
    () => ["POST", "/v1/admin/workspace-chats", { offset: 0 }],
    { chats: [], hasPages: false },
  ),
  row(
    "gateway.developer.preferences",
    "key",
    () => ["POST", "/v1/admin/preferences", { support_email: "help@example.org" }],
    outcome,
  ),
  row(
    "gateway.developer.delete-user",
    "key",
    (world) => ["DELETE", `/v1/admin/users/${world.robot}`],
    outcome,
  ),
  row(
    "auth.extension-key.create",
    "admin",
    () => ["POST", "/browser-extension/api-keys/new"],
    undefined,
    {
      keep: (answer: { apiKey: string }, world) => {
        world.brx = answer.apiKey;
      },
    },
  ),
  row(
    "auth.extension-key.list",
    "admin",
    () => ["GET", "/browser-extension/api-keys"],
    { success: true, apiKeys: [{ user: { username: "firstadmin" } }] },
    {
      keep: (answer: { apiKeys: { id: number }[] }, world) => {
        world.brxId = String(answer.apiKeys[0]!.id);
      },
    },
  ),
  row("gateway.extension.check", "brx", () => ["GET", "/browser-extension/check"], {
    connected: true,
    workspaces: [{ slug: "w" }],
  }),
  row("gateway.extension.workspaces", "brx", () => ["GET", "/browser-extension/workspaces"], {
    workspaces: [{ slug: "w" }],
  }),
  row("auth.extension-key.disconnect", "brx", () => ["DELETE", "/browser-extension/disconnect"], {
    success: true,
  }),
  row(
    "gateway.extension.check",
    "brx",
    () => ["GET", "/browser-extension/check"],
    { error: "No valid API key found." },
    { status: 403 },
  ),
  row(
    "auth.extension-key.create",
    "admin",
    () => ["POST", "/browser-extension/api-keys/new"],
    undefined,
  ),
  row(
    "auth.extension-key.list",
    "admin",
    () => ["GET", "/browser-extension/api-keys"],
    { success: true },
    {
      keep: (answer: { apiKeys: { id: number }[] }, world) => {
        world.brxId = String(answer.apiKeys[0]!.id);
      },
    },
  ),
  row(
    "auth.extension-key.delete",
    "admin",
    (world) => ["DELETE", `/browser-extension/api-keys/${world.brxId}`],
    { success: true },
  ),
  row(
    "auth.key.delete",
    "admin",
    (world) => ["DELETE", `/admin/delete-api-key/${world.keyId}`],
    "",
    { kind: "empty" },
  ),
  row(
    "gateway.developer.auth",
    "key",
    () => ["GET", "/v1/auth"],
    { error: "No valid api key found." },
    { status: 403 },
  ),
  row(
    "auth.recovery.recover",
    "none",
    (world) => [
      "POST",
      "/system/recover-account",
      { username: "newcomer", recoveryCodes: world.codes!.split(" ") },
    ],
    { success: true },
    {
      keep: (answer: { resetToken: string }, world) => {
        world.reset = answer.resetToken;
      },
    },
  ),
  row(
    "auth.recovery.reset",
    "none",
    (world) => [
      "POST",
      "/system/reset-password",
      { token: world.reset, newPassword: `${password}!`, confirmPassword: `${password}!` },
    ],
    { success: true, message: "Password reset successful" },
  ),
  row(
    "auth.session.create",
    "none",
    () => ["POST", "/request-token", { username: "newcomer", password: `${password}!` }],
    { valid: true },
    {
      keep: (answer: { token: string }, world) => {
        world.user = answer.token;
      },
    },
  ),
  row(
    "auth.recovery.renew",
    "user",
    () => ["POST", "/system/recovery-codes", { password: `${password}!` }],
    { success: true, error: null },
  ),
  row(
    "auth.second-factor.start",
    "user",
    () => ["POST", "/system/second-factor", { password: `${password}!` }],
    { success: true, error: null },
  ),
  row(
    "auth.second-factor.confirm",
    "user",
    () => ["POST", "/system/second-factor/confirm", { code: "abc" }],
    { success: false },
    { status: 400 },
  ),
  row(
    "auth.second-factor.remove",
    "user",
    () => ["DELETE", "/system/second-factor", { password: `${password}!` }],
    undefined,
  ),
  row("auth.session.delete", "user", () => ["DELETE", "/system/sessions/others"], {
    success: true,
  }),
  row("auth.user.delete", "admin", (world) => ["DELETE", `/admin/user/${world.eva}`], outcome),
  row("auth.session.end", "user", () => ["POST", "/system/sign-out", {}], { success: true }),
  row("auth.session.user", "user", () => ["GET", "/system/refresh-user"], undefined, {
    status: 401,
  }),
];

function expect4(): unknown {
  return {
    asymmetricMatch: (value: unknown) => typeof value === "string" && value.length > 8,
    toString: () => "recovery code",
  };
}

export async function callRow(
  { call, bearer }: AccessRow,
  instance: Pick<TestInstance, "call">,
  world: World,
): ReturnType<TestInstance["call"]> {
  const [method, path, body] = call(world);
  return instance.call(
    method,
    `/api${path}`,
    body,
    bearer === "none" ? {} : { authorization: `Bearer ${world[bearer]}` },
  );
}
