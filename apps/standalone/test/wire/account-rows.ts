import { expect } from "@jest/globals";
import { row, type AccessRow } from "./access-row.ts";
import { outcome, password } from "./single-user-rows.ts";
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

const form = (field: string): FormData => {
  const made = new FormData();
  made.append(field, new Blob([new Uint8Array(picture)], { type: "image/png" }), "p.png");
  return made;
};

/** Signs in as `admin`, and creates the user `eva` and the developer key for later rows. */
export const accountRows: AccessRow[] = [
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
  row(
    "auth.invite.create-many",
    "admin",
    () => ["POST", "/admin/invites/batch", { invites: [{ label: "Ada", maxUses: 3 }] }],
    { invites: [{ label: "Ada", role: "default", maxUses: 3, expiresAt: null }] },
  ),
  row("auth.invite.limits", "admin", () => ["GET", "/admin/invites/limits"], {
    limits: expect.arrayContaining([expect.objectContaining({ label: "Ada", uses: 0 })]),
  }),
  row("auth.password.rules", "none", () => ["GET", "/password-rules"], { shortest: 8, needed: 0 }),
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
  row("workspace.preference.list-all", "admin", () => ["GET", "/admin/system-preferences"], {
    settings: {
      custom_app_name: "Ours",
      footer_data: "[]",
      text_splitter_chunk_overlap: null,
      default_agent_skills: [],
      feature_flags: { experimental_live_file_sync: false },
    },
  }),
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
  row("workspace.event.state", "admin", () => ["GET", "/system/event-logs/state"], {
    retentionDays: null,
    checkpoint: null,
  }),
  row("workspace.event.verify", "admin", () => ["POST", "/system/event-logs/verify"], {
    verified: true,
    fault: null,
  }),
  row(
    "gateway.event.export",
    "admin",
    () => ["GET", "/system/event-logs/export?format=csv&event=none"],
    "Entry,Time (UTC),Event,User,User ID,Details,Hash\r\n",
    { kind: "text" },
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
  row(
    "auth.key.update",
    "admin",
    (world) => ["PUT", `/admin/api-keys/${world.keyId}`, { requestsPerMinute: 600 }],
    { apiKey: { name: "tools", scopes: ["admin"], requestsPerMinute: 600 }, error: null },
  ),
  row("auth.key.list", "admin", () => ["GET", "/admin/api-keys"], {
    apiKeys: [{ name: "tools", createdBy: { username: "firstadmin", role: "admin" } }],
    error: null,
  }),
];

function expect4(): unknown {
  return {
    asymmetricMatch: (value: unknown) => typeof value === "string" && value.length > 8,
    toString: () => "recovery code",
  };
}
