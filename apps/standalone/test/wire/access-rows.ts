import { row, type AccessRow } from "./access-row.ts";
import { accountRows } from "./account-rows.ts";
import { developerRows } from "./developer-rows.ts";
import { outcome, password } from "./single-user-rows.ts";
import { widgetRows } from "./widget-rows.ts";

/** Multi-user mode, in this order; `admin` signs in with the first row. */
export const multiRows: AccessRow[] = [
  ...accountRows,
  ...developerRows,
  ...widgetRows,
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
  row(
    "gateway.extension.upload-content",
    "brx",
    () => [
      "POST",
      "/browser-extension/upload-content",
      { textContent: "Warm.", metadata: { title: "Heat", url: "https://a.example/" } },
    ],
    { success: true },
  ),
  row(
    "gateway.extension.embed-content",
    "brx",
    () => [
      "POST",
      "/browser-extension/embed-content",
      { workspaceId: 1, textContent: "Warm.", metadata: { title: "Heat" } },
    ],
    { success: true },
  ),
  row(
    "gateway.extension.embed-content",
    "brx",
    () => [
      "POST",
      "/browser-extension/embed-content",
      { workspaceId: 99, textContent: "Warm.", metadata: { title: "Heat" } },
    ],
    { error: "Workspace not found" },
    { status: 404 },
  ),
  row(
    "gateway.extension.upload-content",
    "brx",
    () => [
      "POST",
      "/browser-extension/upload-content",
      { textContent: " ", metadata: { title: "" } },
    ],
    { success: false },
    { status: 422 },
  ),
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
    "auth.session.confirm",
    "user",
    () => ["POST", "/system/confirm-session", { password: `${password}!` }],
    outcome,
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
