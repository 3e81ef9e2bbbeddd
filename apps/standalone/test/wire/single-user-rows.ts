import { row, type AccessRow } from "./access-row.ts";

export const outcome = { success: true, error: null };

export const password = "correct horse battery";

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
    "auth.key.update-instance",
    "none",
    (world) => ["PUT", `/system/api-key/${world.instanceKey}`, { scopes: ["read"] }],
    { apiKey: { name: "first", scopes: ["read"] }, error: null },
  ),
  row(
    "auth.key.delete-instance",
    "none",
    (world) => ["DELETE", `/system/api-key/${world.instanceKey}`],
    "",
    { kind: "empty" },
  ),
  // A workspace exists.
  row("workspace.onboarding.get", "none", () => ["GET", "/onboarding"], {
    onboardingComplete: true,
  }),
  row("workspace.onboarding.complete", "none", () => ["POST", "/onboarding", {}], "OK", {
    kind: "text",
  }),
  row("workspace.branding.app-name", "none", () => ["GET", "/system/custom-app-name"], {
    customAppName: null,
  }),
  row("workspace.branding.page", "none", () => ["GET", "/system/page-branding"], {
    title: null,
    name: null,
    favicon: null,
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
  row(
    "gateway.mcp-server.finish-sign-in",
    "none",
    () => ["GET", "/mcp-servers/callback"],
    undefined,
    {
      status: 302,
      kind: "empty",
    },
  ),
  row(
    "gateway.outlook.finish-sign-in",
    "none",
    () => ["GET", "/agent-skills/outlook/auth-callback"],
    undefined,
    { status: 302, kind: "empty" },
  ),
  row("gateway.mcp-server.client", "none", () => ["GET", "/mcp-servers/client"], {
    client_name: "Carrel",
    token_endpoint_auth_method: "none",
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
