import { z } from "zod";
import type { ErrorReply } from "../error-reply.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";
import { flowSteps } from "./flow-step.ts";

/*
 * Agent flows: built by admins, offered to agents as tools (wire-contract 5.8,
 * docs/decisions/flows.md).
 */

const flowId = z.uuid().transform((id) => id.toLowerCase());
/** The tool's name is made of it. */
export const longestFlowName = 200;
const name = z.string().trim().min(1).max(longestFlowName);
export const longestFlowDescription = 10_000;
const description = z.string().max(longestFlowDescription);

/** A flow without its blocks. */
export const flowSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  /** Whether agents can call it. */
  active: z.boolean(),
  /** Whether members can, not only admins. */
  shared: z.boolean(),
  /** Of its name, description and blocks; increases with each save. */
  version: z.number().int(),
  /** ISO 8601. */
  updatedAt: z.string(),
  /** Number of blocks, with those inside of others. */
  stepCount: z.number().int(),
  /** Whether it has blocks that only Carrel's builder can save. */
  hasOwnBlocks: z.boolean(),
  /** Whether it sends data to others, so that runs with untrusted content need an approval. */
  sends: z.boolean(),
});
export type FlowSummary = z.infer<typeof flowSummary>;

export const flowWire = flowSummary.extend({ steps: flowSteps });
export type FlowWire = z.infer<typeof flowWire>;

const content = { name, description: description.default(""), steps: flowSteps };

/** How existing clients read a flow. */
const legacyFlow = z.object({
  success: z.literal(true),
  flow: z.object({
    name: z.string(),
    uuid: z.string(),
    config: z.object({
      name: z.string(),
      description: z.string(),
      active: z.boolean(),
      steps: flowSteps,
    }),
  }),
});
const toLegacyFlow = (flow: FlowWire): z.infer<typeof legacyFlow> => ({
  success: true,
  flow: {
    name: flow.name,
    uuid: flow.id,
    config: {
      name: flow.name,
      description: flow.description,
      active: flow.active,
      steps: flow.steps,
    },
  },
});

const refuse = (status: number, error = "$message"): ErrorReply => ({
  status,
  kind: "json",
  body: { success: false, error },
});
const noFlow = { NOT_FOUND: refuse(404, "Flow not found") };
/** An id that is none names no flow. */
const noLegacyFlow = { ...noFlow, BAD_INPUT: noFlow.NOT_FOUND };
const refused = {
  BAD_INPUT: refuse(400),
  NOT_FOUND: refuse(404),
  CONFLICT: refuse(409),
  REFUSED: refuse(400),
};
const byAdmin = { service: "chat", access: { who: "admin" }, errors: refused } as const;
/** A flow keeps sending data to its addresses after the session has ended. */
const byProvenAdmin = { ...byAdmin, access: { who: "admin", proof: "handler" } } as const;

const byUuid = z.object({ uuid: flowId }).transform(({ uuid }) => ({ id: uuid }));

export const listFlows = defineOperation({
  ...byAdmin,
  name: "chat.flow.list",
  routes: [
    { method: "GET", path: "/flows", summary: "List agent flows" },
    {
      name: "chat.flow.list-legacy",
      method: "GET",
      path: "/agent-flows/list",
      summary: "List agent flows, as existing clients read them",
      output: z.object({
        success: z.literal(true),
        flows: z.array(
          z.object({
            name: z.string(),
            uuid: z.string(),
            description: z.string(),
            active: z.boolean(),
          }),
        ),
      }),
      mapReply: ({ flows }) => ({
        success: true,
        flows: flows.map(({ id, name, description, active }) => ({
          name,
          uuid: id,
          description,
          active,
        })),
      }),
    },
  ],
  input: z.object({}),
  /** By name. */
  output: z.object({ flows: z.array(flowSummary) }),
});

export const getFlow = defineOperation({
  ...byAdmin,
  name: "chat.flow.get",
  routes: [
    { method: "GET", path: "/flows/:id", summary: "Get an agent flow with its blocks" },
    {
      name: "chat.flow.get-legacy",
      method: "GET",
      path: "/agent-flows/:uuid",
      summary: "Get an agent flow, as existing clients read it",
      input: byUuid,
      output: legacyFlow,
      mapReply: toLegacyFlow,
      errors: noLegacyFlow,
    },
  ],
  input: z.object({ id: flowId }),
  output: flowWire,
});

export const createFlow = defineOperation({
  ...byProvenAdmin,
  name: "chat.flow.create",
  idempotency: "keyed",
  routes: [{ method: "POST", path: "/flows", summary: "Create an agent flow" }],
  input: z.object({ ...content, active: z.boolean().default(true) }),
  output: z.object({ id: z.uuid(), version: z.number().int() }),
});

export const updateFlow = defineOperation({
  ...byProvenAdmin,
  name: "chat.flow.update",
  routes: [{ method: "PUT", path: "/flows/:id", summary: "Change an agent flow" }],
  /** `version` is the one that the caller has read; refused if it is another now. */
  input: z.object({ id: flowId, ...content, version: z.number().int() }),
  output: z.object({ version: z.number().int() }),
});

export const shareFlow = defineOperation({
  ...byAdmin,
  name: "chat.flow.share",
  idempotency: "natural",
  routes: [
    { method: "PUT", path: "/flows/:id/sharing", summary: "Share an agent flow with members" },
  ],
  input: z.object({ id: flowId, shared: z.boolean() }),
  output: z.object({ success: z.literal(true) }),
});

export const listFlowVersions = defineOperation({
  ...byAdmin,
  name: "chat.flow.list-versions",
  routes: [
    { method: "GET", path: "/flows/:id/versions", summary: "List the versions of an agent flow" },
  ],
  input: z.object({ id: flowId }),
  /** The last 50, latest first. */
  output: z.object({
    versions: z.array(
      z.object({
        version: z.number().int(),
        name: z.string(),
        /** The account; null if there are none. */
        savedBy: z.number().int().nullable(),
        /** ISO 8601. */
        savedAt: z.string(),
        stepCount: z.number().int(),
      }),
    ),
  }),
});

export const getFlowVersion = defineOperation({
  ...byAdmin,
  name: "chat.flow.get-version",
  routes: [
    {
      method: "GET",
      path: "/flows/:id/versions/:version",
      summary: "Get a version of an agent flow",
    },
  ],
  input: z.object({ id: flowId, version: z.coerce.number().int().min(1).max(2_147_483_647) }),
  output: z.object({
    version: z.number().int(),
    name: z.string(),
    description: z.string(),
    steps: flowSteps,
  }),
});

const savedFlow = z.object({
  success: z.literal(true),
  flow: z.object({ success: z.literal(true), uuid: z.string() }),
});
const notSaved: ErrorReply = {
  status: 200,
  kind: "json",
  body: { flow: null, error: "$message" },
};
/** Existing clients read all that is refused with status 200. */
export const saveLegacyFlow = defineOperation({
  service: "chat",
  access: { who: "admin", proof: "handler" },
  errors: {
    BAD_INPUT: refuse(400, "Name and config are required"),
    REFUSED: notSaved,
    CONFLICT: notSaved,
    TOO_LARGE: notSaved,
  },
  name: "chat.flow.save-legacy",
  routes: [
    {
      method: "POST",
      path: "/agent-flows/save",
      summary: "Create or change an agent flow, as existing clients do",
      needsJsonType: true,
      output: z.union([savedFlow, z.object({ flow: z.null(), error: z.string() })]),
    },
  ],
  input: z.object({
    name: z.string().min(1),
    config: z.record(z.string(), z.unknown()),
    uuid: z.string().nullish(),
  }),
  output: savedFlow,
});

export const deleteFlow = defineOperation({
  ...byAdmin,
  name: "chat.flow.delete",
  idempotency: "natural",
  errors: {
    NOT_FOUND: refuse(404, "Failed to delete flow"),
    BAD_INPUT: refuse(404, "Failed to delete flow"),
  },
  routes: [
    {
      method: "DELETE",
      path: "/agent-flows/:uuid",
      summary: "Delete an agent flow with its versions",
      input: byUuid,
    },
  ],
  input: z.object({ id: flowId }),
  output: z.object({ success: z.literal(true) }),
});

export const toggleFlow = defineOperation({
  ...byAdmin,
  name: "chat.flow.toggle",
  idempotency: "natural",
  errors: { ...noFlow, BAD_INPUT: refuse(400) },
  routes: [
    {
      method: "POST",
      path: "/agent-flows/:uuid/toggle",
      summary: "Offer an agent flow to agents, or no longer",
      input: byUuid.in
        .extend({ active: z.boolean() })
        .transform(({ uuid, active }) => ({ id: uuid, active })),
      output: legacyFlow,
      mapReply: toLegacyFlow,
    },
  ],
  input: z.object({ id: flowId, active: z.boolean() }),
  output: flowWire,
});

/** A flow was deleted, turned off, or is no longer shared. */
export const flowWithdrawn = defineEvent({
  name: "flow.withdrawn",
  service: "chat",
  consumers: ["chat"],
  payload: z.object({ flowId: z.uuid() }),
});

export const flowContracts: Contracts = {
  operations: [
    listFlows,
    getFlow,
    createFlow,
    updateFlow,
    shareFlow,
    listFlowVersions,
    getFlowVersion,
    saveLegacyFlow,
    deleteFlow,
    toggleFlow,
  ],
  events: [flowWithdrawn],
};
