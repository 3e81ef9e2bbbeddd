import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace, outcomeWire } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/*
 * Tools that a person has allowed once and for all ("always for me"; wire-contract 5.5), and what
 * agents can reach.
 */

/** As models and existing clients know the tool. */
const skillName = z.string().trim().min(1).max(128);

/** How many tools a person can allow. */
export const maxSkillPermissions = 500;

/** Adding one that exists does nothing. */
export const addSkillPermission = defineOperation({
  name: "chat.skill-permission.add",
  service: "chat",
  access: { who: "session" },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/agent-skills/whitelist/add",
      summary: "Allow an agent's tool for you without further approvals",
    },
  ],
  input: z.object({ skillName }),
  output: outcomeWire,
  errors: {
    BAD_INPUT: {
      status: 400,
      kind: "json",
      body: { success: false, error: "Missing skillName" },
    },
  },
});

/** Carrel-specific. */
export const listSkillPermissions = defineOperation({
  name: "chat.skill-permission.list",
  service: "chat",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/agent-skills/whitelist",
      summary: "List the agents' tools that you allowed without further approvals",
    },
  ],
  input: z.object({}),
  output: z.object({
    /** By name. */
    permissions: z.array(z.object({ skillName: z.string(), createdAt: z.string() })),
  }),
});

/** Carrel-specific: removing one that doesn't exist does nothing. */
export const removeSkillPermission = defineOperation({
  name: "chat.skill-permission.remove",
  service: "chat",
  access: { who: "session" },
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/agent-skills/whitelist/:skillName",
      summary: "Ask again before an agent's tool runs for you",
    },
  ],
  input: z.object({ skillName }),
  output: outcomeWire,
});

/** wire-contract 5.7: whether the server can offer the skill at all. */
export const checkSkillAvailable = defineOperation({
  name: "chat.skill.available",
  service: "chat",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/agent-skills/:skill/is-available",
      summary: "Check whether the server offers an agent skill",
    },
  ],
  input: z.object({ skill: z.string().max(128) }),
  output: z.object({ available: z.boolean() }),
});

/** Carrel-specific: what the server's configuration lets agents reach. */
export const getSkillReach = defineOperation({
  name: "chat.skill.reach",
  service: "chat",
  access: { who: "admin" },
  routes: [
    {
      method: "GET",
      path: "/system/agent-reach",
      summary: "Get the folders that agents may use, and whether the model calls tools",
    },
  ],
  input: z.object({}),
  output: z.object({
    /** Absolute paths on the server. */
    folders: z.array(z.string()),
    /** Whether the instance's model calls tools natively; null: unknown, or there is no model. */
    callsTools: z.boolean().nullable(),
  }),
});

/** Carrel-specific. */
export const getAgentModel = defineOperation({
  name: "chat.agent-model.get",
  service: "chat",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/agent-model",
      summary: "Check whether the model of a workspace's agents calls tools",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    /** Natively; null: unknown, or there is no model. */
    callsTools: z.boolean().nullable(),
  }),
});

export const skillPermissionContracts: Contracts = {
  operations: [
    addSkillPermission,
    listSkillPermissions,
    removeSkillPermission,
    checkSkillAvailable,
    getSkillReach,
    getAgentModel,
  ],
};
