import { json, row, type Row } from "./wire-row.ts";

const sentences = {
  flows: "This server doesn't support agent flows yet.",
  skills: "This server doesn't support this agent skill yet.",
  hub: "This server doesn't support the community hub yet.",
};
const refusal = (error: string, more: object = {}) => ({
  body: { success: false, error, ...more },
});
const noItems = { items: [], hasMore: false, totalCount: 0 };
const hub = (verb: string, method: string, path: string, more: object = {}): Row =>
  row(
    `gateway.hub.${verb}`,
    [method, `/community-hub/${path}`, ...(method === "GET" ? [] : [{ importId: "x" }])] as never,
    422,
    json,
    refusal(sentences.hub, more),
  );
const id = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c10";

/**
 * Features that existing clients offer and Carrel does not have (wire-contract 5.8, 5.9, 13.1).
 */
export const plannedRows: Row[] = [
  // wire-contract 5.8: "200 `{success:true, flows:[…]}`".
  row("gateway.flow.list", ["GET", "/agent-flows/list"], 200, json, {
    body: { success: true, flows: [] },
  }),
  row("gateway.flow.save", ["POST", "/agent-flows/save", { name: "A", config: {} }], 200, json, {
    body: { success: false, error: sentences.flows, flow: null },
  }),
  row("gateway.flow.get", ["GET", `/agent-flows/${id}`], 404, json, refusal(sentences.flows)),
  row("gateway.flow.delete", ["DELETE", `/agent-flows/${id}`], 404, json, refusal(sentences.flows)),
  row(
    "gateway.flow.toggle",
    ["POST", `/agent-flows/${id}/toggle`, { active: true }],
    404,
    json,
    refusal(sentences.flows),
  ),
  row(
    "gateway.skill.toggle",
    ["POST", "/experimental/agent-plugins/a/toggle", { active: true }],
    404,
    json,
    refusal(sentences.skills),
  ),
  row(
    "gateway.skill.configure",
    ["POST", "/experimental/agent-plugins/a/config", { updates: {} }],
    404,
    json,
    refusal(sentences.skills),
  ),
  row(
    "gateway.skill.delete",
    ["DELETE", "/experimental/agent-plugins/a"],
    404,
    json,
    refusal(sentences.skills),
  ),
  hub("settings", "GET", "settings", { connectionKey: null }),
  hub("update-settings", "POST", "settings"),
  hub("explore", "GET", "explore", {
    result: {
      agentSkills: noItems,
      systemPrompts: noItems,
      slashCommands: noItems,
      agentFlows: noItems,
    },
  }),
  hub("items", "GET", "items", { createdByMe: {}, teamItems: [] }),
  hub("item", "POST", "item", { item: null }),
  hub("apply", "POST", "apply"),
  hub("import", "POST", "import"),
  hub("create", "POST", "system-prompt/create", { item: null }),
];
