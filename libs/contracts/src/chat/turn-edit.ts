import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { inThread, inWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { feedbackReason } from "./turn.ts";

/*
 * The turns of a thread form a tree: editing a question or regenerating an answer creates a
 * sibling. Existing clients see only the active path; ids increase along every path.
 */

/**
 * Parks the active path from `startingId` on as a branch: the next question continues from the
 * previous turn. Existing clients, for whom these turns are deleted, never see them again; our app
 * offers them as earlier versions.
 */
export const deleteEditedChats = defineOperation({
  name: "chat.turn.park",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  idempotency: "natural",
  output: z.void(),
  success: { status: 200, kind: "text" },
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/delete-edited-chats",
      summary: "Move the default thread's turns from one on into an inactive branch",
    },
  ],
  input: z.object({ slug, startingId: rowId }),
});

export const deleteEditedThreadChats = defineOperation({
  name: "chat.turn.park-in-thread",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inThread,
  idempotency: "natural",
  output: z.void(),
  success: { status: 200, kind: "text" },
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/thread/:threadSlug/delete-edited-chats",
      summary: "Move a thread's turns from one on into an inactive branch",
    },
  ],
  input: z.object({ slug, threadSlug: slug, startingId: rowId }),
});

const refusedText = {
  BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } },
  NOT_FOUND: { status: 404, kind: "json", body: { error: "Chat not found." } },
} as const;

const newText = {
  chatId: rowId,
  newText: z.string().max(1_000_000),
  role: z.enum(["assistant", "user"]).catch("assistant").default("assistant"),
  /** Carrel-specific: keeps the answer's reasoning; otherwise, `newText` includes it. */
  keepReasoning: z.boolean().optional(),
};

/** Rewrites the question or the answer of a turn in place; blank text is BAD_INPUT. */
export const updateChat = defineOperation({
  name: "chat.turn.update",
  service: "chat",
  access: { who: "session", workspace: true, proof: "none" },
  errors: { ...inWorkspace, ...refusedText },
  idempotency: "natural",
  output: z.void(),
  success: { status: 200, kind: "text" },
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/update-chat",
      summary: "Edit the text of a question or an answer",
    },
  ],
  input: z.object({ slug, ...newText }),
});

export const updateThreadChat = defineOperation({
  name: "chat.turn.update-in-thread",
  service: "chat",
  access: { who: "session", workspace: true, proof: "none" },
  errors: { ...inThread, ...refusedText },
  idempotency: "natural",
  output: z.void(),
  success: { status: 200, kind: "text" },
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/thread/:threadSlug/update-chat",
      summary: "Edit the text of a question or an answer in a thread",
    },
  ],
  input: z.object({ slug, threadSlug: slug, ...newText }),
});

/** Only 1 and true mean good, and only 0 and false mean bad; null clears the rating. */
export const rateChat = defineOperation({
  name: "chat.turn.rate",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: { ...inWorkspace, NOT_FOUND: { status: 404, kind: "json", body: { success: false } } },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/chat-feedback/:chatId",
      summary: "Rate an answer",
    },
  ],
  input: z.object({
    slug,
    chatId: rowId,
    feedback: z
      .union([z.boolean(), z.literal([0, 1]), z.null()])
      .transform((value) => (value === null ? null : value === true || value === 1)),
  }),
  output: z.object({ success: z.boolean() }),
});

/**
 * Carrel-specific: rates an answer as bad and says why. Any other rating, even by an existing
 * client, removes the reason.
 */
export const explainRating = defineOperation({
  name: "chat.turn.explain-rating",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: { ...inWorkspace, NOT_FOUND: { status: 404, kind: "json", body: { success: false } } },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/turns/:chatId/feedback-reason",
      summary: "Rate an answer as bad and say why",
    },
  ],
  input: feedbackReason.extend({ slug, chatId: rowId }),
  output: z.object({ success: z.boolean() }),
});

export const hideChat = defineOperation({
  name: "chat.turn.hide",
  service: "chat",
  access: { who: "session" },
  errors: {
    NOT_FOUND: { status: 404, kind: "json", body: { success: false, error: "Chat not found." } },
  },
  idempotency: "natural",
  calls: ["workspace"],
  routes: [
    { method: "PUT", path: "/workspace/workspace-chats/:id", summary: "Hide one of your turns" },
  ],
  input: z.object({ id: rowId }),
  output: z.object({ success: z.boolean(), error: z.string().nullable() }),
});

/** Carrel-specific: activates the path through this turn, down to its newest leaf. */
export const activateTurn = defineOperation({
  name: "chat.turn.activate",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: {
    ...inWorkspace,
    NOT_FOUND: { status: 404, kind: "json", body: { error: "Chat not found." } },
  },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/turns/:chatId/activate",
      summary: "Activate the branch that contains this turn",
    },
  ],
  input: z.object({ slug, chatId: rowId }),
  output: z.object({ success: z.boolean() }),
});

export const turnEditContracts: Contracts = {
  operations: [
    deleteEditedChats,
    deleteEditedThreadChats,
    updateChat,
    updateThreadChat,
    rateChat,
    explainRating,
    hideChat,
    activateTurn,
  ],
};
