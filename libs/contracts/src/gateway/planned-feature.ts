import { z } from "zod";
import type { ErrorReply } from "../error-reply.ts";
import { defineOperation, type Contracts, type HttpRoute } from "../operation.ts";

/*
 * Features that existing clients offer and Carrel doesn't have yet: requests fail in the
 * shape that each client shows (wire-contract 5.9, 13.1).
 */

const admin = { who: "admin" } as const;
const anything = z.object({});
const refusal = z.object({ success: z.boolean(), error: z.string().nullable() });
const fails = (status: number, more: Record<string, unknown> = {}) => ({
  DISABLED: {
    status,
    kind: "json",
    body: { success: false, error: "$message", ...more },
  } satisfies ErrorReply,
});

const skill = (method: HttpRoute["method"], path: string, verb: string): HttpRoute => ({
  name: `gateway.skill.${verb}`,
  method,
  path,
  summary: "Change an imported agent skill (not available yet)",
});
export const changeImportedSkill = defineOperation({
  name: "gateway.skill.toggle",
  service: "gateway",
  access: admin,
  mount: "custom",
  errors: fails(404),
  routes: [
    skill("POST", "/experimental/agent-plugins/:hubId/toggle", "toggle"),
    skill("POST", "/experimental/agent-plugins/:hubId/config", "configure"),
    skill("DELETE", "/experimental/agent-plugins/:hubId", "delete"),
  ],
  input: anything,
  output: refusal,
});

const noItems = { items: [], hasMore: false, totalCount: 0 };
const hub = (
  method: HttpRoute["method"],
  path: string,
  verb: string,
  more: Record<string, unknown> = {},
): HttpRoute => ({
  name: `gateway.hub.${verb}`,
  method,
  path: `/community-hub/${path}`,
  summary: "Use the community hub (not available yet)",
  errors: fails(422, more),
});
/** These clients report a success for 200, whatever the body says. */
export const askHub = defineOperation({
  name: "gateway.hub.settings",
  service: "gateway",
  access: admin,
  mount: "custom",
  routes: [
    hub("GET", "settings", "settings", { connectionKey: null }),
    hub("POST", "settings", "update-settings"),
    hub("GET", "explore", "explore", {
      result: {
        agentSkills: noItems,
        systemPrompts: noItems,
        slashCommands: noItems,
        agentFlows: noItems,
      },
    }),
    hub("GET", "items", "items", { createdByMe: {}, teamItems: [] }),
    hub("POST", "item", "item", { item: null }),
    hub("POST", "apply", "apply"),
    hub("POST", "import", "import"),
    hub("POST", ":type/create", "create", { item: null }),
  ],
  input: anything,
  output: refusal,
});

export const plannedFeatureContracts: Contracts = {
  operations: [changeImportedSkill, askHub],
};
