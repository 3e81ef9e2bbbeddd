import { z } from "zod";
import { scopeSchema } from "../access.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { toolSwitches } from "./conversation.ts";
import { storedAttachment } from "./turn.ts";

/**
 * Internal: hands a message over to an agent's session, if the workspace has a model that can call
 * tools. `uuid` is the session's only credential and isn't stored; null: answer as usual.
 */
export const createInvocation = defineOperation({
  name: "chat.invocation.create",
  service: "chat",
  access: { who: "internal", workspace: true },
  calls: ["workspace"],
  input: z.object({
    threadSlug: z.string().nullable(),
    message: z.string(),
    attachments: z.array(storedAttachment).default([]),
    timeZone: z.string().max(64).nullish(),
    locale: z.string().max(35).nullish(),
  }),
  output: z.object({ uuid: z.uuid().nullable() }),
});

/** A session as its connection needs it. */
export const openedInvocation = z.object({
  id: z.number().int(),
  scope: scopeSchema,
  threadSlug: z.string().nullable(),
  prompt: z.string(),
  attachments: z.array(storedAttachment),
  timeZone: z.string().nullable(),
  locale: z.string().nullable(),
  /** The newest answer; null: the prompt hasn't been asked yet. */
  generationId: z.string().nullable(),
  /** How many questions have been asked. */
  turns: z.number().int(),
  // Older replicas of chat don't know them.
  toolSwitches: toolSwitches.default({}),
});
export type OpenedInvocation = z.infer<typeof openedInvocation>;

/** Internal: makes `connection` the only one of a session. */
export const openInvocation = defineOperation({
  name: "chat.invocation.open",
  service: "chat",
  access: { who: "internal" },
  input: z.object({
    uuid: z.string().max(100),
    connection: z.uuid(),
    /** Who the connection proves to be, if it does; sessions of others look like missing ones. */
    person: z.object({ userId: z.number().int().nullable() }).nullable(),
  }),
  output: z.discriminatedUnion("state", [
    z.object({ state: z.literal("open"), invocation: openedInvocation }),
    z.object({ state: z.enum(["missing", "closed", "in-use"]) }),
  ]),
});

/** Internal: a session's connection is still there, has asked or switched something, or has gone. */
export const keepInvocation = defineOperation({
  name: "chat.invocation.keep",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    id: z.number().int(),
    connection: z.uuid(),
    asked: z.object({ generationId: z.uuid(), turns: z.number().int() }).optional(),
    /** A skill or tool that has been switched, for the session's next questions. */
    toolSwitch: z.object({ name: z.string().max(200), isOn: z.boolean() }).optional(),
    hasLeft: z.boolean().optional(),
  }),
  /** Whether the session is open and the connection is still its own. */
  output: z.object({ isOwner: z.boolean() }),
});

/** Internal: ends a session. */
export const closeInvocation = defineOperation({
  name: "chat.invocation.close",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ id: z.number().int() }),
  output: z.object({}),
});

export const invocationContracts: Contracts = {
  operations: [createInvocation, openInvocation, keepInvocation, closeInvocation],
};
