import { row, type AccessRow } from "./access-row.ts";
import { developerDocumentRows } from "./developer-document-rows.ts";
import { developerWorkspaceRows } from "./developer-workspace-rows.ts";
import { developerFlowRows } from "./flow-run-rows.ts";
import { mcpEndpointRows } from "./mcp-endpoint-rows.ts";
import { openAiRows } from "./openai-rows.ts";
import { developerScheduleRows } from "./schedule-rows.ts";
import { outcome, password } from "./single-user-rows.ts";
import { webhookRows } from "./webhook-rows.ts";

/** The developer API, with the key created by the account rows. */
export const developerRows: AccessRow[] = [
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
    { success: false, error: "Invite not found or already disabled" },
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
    () => ["POST", "/v1/admin/workspaces/w/manage-users", {}],
    { success: false, error: "The field userIds is missing.", users: [] },
    { status: 400 },
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
  // A row for each kind of search reply, wire-contract 9.4.
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
  ...developerScheduleRows,
  ...webhookRows,
  ...developerFlowRows,
  ...developerWorkspaceRows,
  ...openAiRows,
  ...mcpEndpointRows,
  row(
    "gateway.developer.chats",
    "key",
    () => ["POST", "/v1/admin/workspace-chats", { offset: 0 }],
    { chats: [], hasPages: false },
  ),
  row(
    "gateway.developer.export-chats",
    "key",
    () => ["GET", "/v1/system/export-chats?type=json"],
    "[]",
    {
      kind: "bytes",
    },
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
    "gateway.developer.delete-user",
    "key",
    () => ["DELETE", "/v1/admin/users/99999"],
    { success: false, error: "User not found" },
    { status: 404 },
  ),
];
