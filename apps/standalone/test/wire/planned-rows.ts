import { json, row, type Row } from "./wire-row.ts";

const sentences = {
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

/**
 * Features that existing clients offer and Carrel doesn't have (wire-contract 5.9, 13.1).
 */
export const plannedRows: Row[] = [
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
