import {
  addSkillPermission,
  answerStep,
  beginOutlookSignIn,
  checkDatabase,
  checkSkillAvailable,
  decideStep,
  getAgentModel,
  getSkillReach,
  listSkillPermissions,
  readStep,
  removeSkillPermission,
} from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const permissions = [{ skillName: "sql-query", createdAt: "2026-11-21T00:00:00.000Z" }];
const done = { success: true, error: null };
const skills = ["rag-memory", "document-summarizer", "web-scraping"].map((id) => ({
  id,
  isOn: true,
}));

export function answerAgentRows({ chat }: TestInstance): void {
  chat
    .answer(addSkillPermission, done)
    .answer(listSkillPermissions, { permissions })
    .answer(removeSkillPermission, done)
    .answer(checkSkillAvailable, ({ skill }) => ({ available: skill === "create-files-agent" }))
    .answer(getSkillReach, { folders: ["/srv/shared"], callsTools: null })
    .answer(getAgentModel, { callsTools: false })
    .answer(decideStep, { success: true })
    .answer(answerStep, { success: true })
    .answer(readStep, { input: "{}", result: null })
    .answer(beginOutlookSignIn, { url: "https://a.example/authorize", sealed: "v1:x" })
    .answer(checkDatabase, ({ engine }) => ({
      fault: engine === "mysql" ? { code: "sql.login-rejected", params: { database: "b" } } : null,
    }));
}

const step = "/generation/00000000-0000-4000-8000-000000000001/step/1";

/** Steps, skills and permissions of agents. */
export const agentRows: Row[] = [
  row("chat.step.decide", ["POST", `${step}/decision`, { decision: "once" }], 200, json, {
    body: { success: true },
  }),
  row("chat.step.answer", ["POST", `${step}/answers`, { answers: ["1999", null] }], 200, json, {
    body: { success: true },
  }),
  row("chat.step.read", ["GET", step], 200, json, { body: { input: "{}", result: null } }),
  row(
    "gateway.generated-file.download",
    ["GET", "/agent-skills/generated-files/not-a-file.txt"],
    400,
    json,
  ),
  // wire-contract 5.5: "`{skillName}` → 200 `{success:true,error:null}`".
  row(
    "chat.skill-permission.add",
    ["POST", "/agent-skills/whitelist/add", { skillName: "sql-query" }],
    200,
    json,
    { body: done },
  ),
  ...[{}, { skillName: "" }, { skillName: 7 }].map((body) =>
    row("chat.skill-permission.add", ["POST", "/agent-skills/whitelist/add", body], 400, json, {
      body: { success: false, error: "Missing skillName" },
    }),
  ),
  row("chat.skill-permission.list", ["GET", "/agent-skills/whitelist"], 200, json, {
    body: { permissions },
  }),
  row("chat.skill-permission.remove", ["DELETE", "/agent-skills/whitelist/sql-query"], 200, json, {
    body: done,
  }),
  // wire-contract 5.7: "(ANY) → `{available:bool}`".
  ...["filesystem-agent", "create-files-agent"].map((skill) =>
    row("chat.skill.available", ["GET", `/agent-skills/${skill}/is-available`], 200, json, {
      body: { available: skill === "create-files-agent" },
    }),
  ),
  row("chat.skill.reach", ["GET", "/system/agent-reach"], 200, json, {
    body: { folders: ["/srv/shared"], callsTools: null },
  }),
  // wire-contract 2.2.
  ...[{}, { engine: "postgresql" }, { engine: "oracle", connectionString: "x" }].map((body) =>
    row(
      "gateway.sql-connection.validate",
      ["POST", "/system/validate-sql-connection", body],
      400,
      json,
      { body: { success: false, error: "Both engine and connection details are required." } },
    ),
  ),
  row(
    "gateway.sql-connection.validate",
    [
      "POST",
      "/system/validate-sql-connection",
      { engine: "mysql", connectionString: "mysql://a/b" },
    ],
    200,
    json,
    {
      body: {
        success: false,
        error: "Unable to connect to mysql. Please verify your connection details.",
      },
    },
  ),
  row(
    "gateway.sql-connection.validate",
    [
      "POST",
      "/system/validate-sql-connection",
      { engine: "postgresql", connectionString: "postgresql://a/b" },
    ],
    200,
    json,
    { body: done },
  ),
  row("chat.agent-model.get", ["GET", "/workspace/w/agent-model"], 200, json, {
    body: { callsTools: false },
  }),
  // wire-contract 7.
  ...["gmail", "google-calendar", "outlook"].map((skill) =>
    row(
      "workspace.agent-settings.get-setup",
      ["GET", `/admin/agent-skills/${skill}/status`],
      200,
      json,
      {
        body: {
          success: true,
          error: null,
          isConfigured: false,
          isAuthenticated: false,
          config: {},
        },
      },
    ),
  ),
  row(
    "gateway.outlook.start-sign-in",
    ["POST", "/admin/agent-skills/outlook/auth-url", {}],
    200,
    json,
    { body: { success: true, url: "https://a.example/authorize", error: null } },
  ),
  row(
    "workspace.agent-settings.revoke-outlook",
    ["POST", "/admin/agent-skills/outlook/revoke", {}],
    200,
    json,
    { body: done },
  ),
  row("workspace.agent-settings.get-skills", ["GET", "/workspace/w/agent-skills"], 200, json, {
    body: { skills },
  }),
  row(
    "workspace.agent-settings.set-skills",
    ["PUT", "/workspace/w/agent-skills", { off: ["rag-memory"] }],
    200,
    json,
    { body: { success: true } },
  ),
];
