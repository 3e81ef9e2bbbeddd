import { z } from "zod";
import { rowId } from "../coercion.ts";
import { refusedKey } from "../error-reply.ts";
import { defineEvent, defineOperation, type Contracts, type ErrorReplies } from "../operation.ts";
import { changedWidgetFields, newWidgetFields, widgetWire } from "./widget-fields.ts";
import { workspaceWire } from "./workspace.ts";

/*
 * Management of chat widgets (wire-contract 8.1, 9.7). The wire calls them embeds.
 */

const listedWidget = widgetWire.extend({
  workspace: workspaceWire,
  _count: z.object({ embed_chats: z.number().int() }),
});

/** A widget as the developer API lists it (wire-contract 9.7). */
const developerWidget = z.object({
  id: z.number().int(),
  uuid: z.string(),
  enabled: z.boolean(),
  chat_mode: z.string(),
  createdAt: z.string(),
  workspace: z.object({ id: z.number().int(), name: z.string() }),
  chat_count: z.number().int(),
});

/** A view: widgets and the numbers of their chats (chat). */
export const listWidgets = defineOperation({
  name: "gateway.widget.list",
  service: "gateway",
  access: { who: "admin" },
  mount: "custom",
  routes: [
    { method: "GET", path: "/embeds", summary: "List the chat widgets, newest first" },
    {
      name: "gateway.developer.widgets",
      method: "GET",
      path: "/v1/embed",
      summary: "List the chat widgets",
      access: { who: "key", scope: "read" },
      errors: refusedKey,
      output: z.object({ embeds: z.array(developerWidget) }),
      mapReply: ({ embeds }) => ({
        embeds: embeds.map(({ id, uuid, enabled, chat_mode, createdAt, workspace, _count }) => ({
          id,
          uuid,
          enabled,
          chat_mode,
          createdAt,
          workspace: { id: workspace.id, name: workspace.name },
          chat_count: _count.embed_chats,
        })),
      }),
    },
  ],
  input: z.object({}),
  output: z.object({
    embeds: z.array(listedWidget),
    /** Carrel-specific: without a list of sites, no site may use a widget. */
    allowlist_required: z.boolean(),
  }),
});

/** Internal: all widgets, newest first, or only the given ones. */
export const readWidgets = defineOperation({
  name: "workspace.widget.read",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ uuid: z.string().max(64).optional() }),
  output: z.object({ widgets: z.array(widgetWire.extend({ workspace: workspaceWire })) }),
});

/** Internal: which of these widgets don't exist. */
export const findMissingWidgets = defineOperation({
  name: "workspace.widget.find-missing",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ ids: z.array(z.number().int()).max(10_000) }),
  output: z.object({ ids: z.array(z.number().int()) }),
});

const byName: ErrorReplies = {
  ...refusedKey,
  NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } },
};

export const createWidget = defineOperation({
  name: "workspace.widget.create",
  service: "workspace",
  access: { who: "admin", proof: "none" },
  idempotency: "keyed",
  errors: {
    REFUSED: { status: 400, kind: "json", body: { embed: null, error: "$message" } },
    WORKSPACE_NOT_FOUND: {
      status: 404,
      kind: "json",
      body: { embed: null, error: "$message" },
    },
  },
  routes: [
    { method: "POST", path: "/embeds/new", summary: "Create a chat widget" },
    {
      name: "workspace.developer.create-widget",
      method: "POST",
      path: "/v1/embed/new",
      summary: "Create a chat widget",
      access: { who: "key", scope: "admin" },
      errors: {
        ...refusedKey,
        REFUSED: { status: 400, kind: "json", body: { error: "$message" } },
        WORKSPACE_NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } },
      },
    },
  ],
  input: newWidgetFields,
  output: z.object({ embed: widgetWire.nullable(), error: z.string().nullable() }),
});

/** `{}` if the update has no valid field (wire-contract 8.1). */
const updated = z.object({
  success: z.boolean().optional(),
  error: z.string().nullable().optional(),
});

/**
 * Clients also send the rest of the row, such as another `uuid`; only the address names the widget.
 */
const byId = z.object({ id: rowId });
const byUuid = z.object({ uuid: z.string().max(64) });

export const updateWidget = defineOperation({
  name: "workspace.widget.update",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "natural",
  errors: {
    NOT_FOUND: { status: 404, kind: "text", text: "Not Found" },
    REFUSED: { status: 400, kind: "json", body: { success: false, error: "$message" } },
  },
  routes: [
    {
      method: "POST",
      path: "/embed/update/:id",
      summary: "Change a chat widget; absent fields are unchanged",
      input: changedWidgetFields.extend(byId.shape),
    },
    {
      name: "workspace.developer.update-widget",
      method: "POST",
      path: "/v1/embed/:uuid",
      summary: "Change a chat widget; absent fields are unchanged",
      input: changedWidgetFields.extend(byUuid.shape),
      access: { who: "key", scope: "admin" },
      errors: byName,
    },
  ],
  input: changedWidgetFields.extend({ id: rowId.optional(), uuid: z.string().max(64).optional() }),
  output: updated,
});

/** Its chats are deleted too. */
export const deleteWidget = defineOperation({
  name: "workspace.widget.delete",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "keyed",
  errors: { NOT_FOUND: { status: 404, kind: "text", text: "Not Found" } },
  routes: [
    {
      method: "DELETE",
      path: "/embed/:id",
      summary: "Delete a chat widget and its chats",
      input: byId,
    },
    {
      name: "workspace.developer.delete-widget",
      method: "DELETE",
      path: "/v1/embed/:uuid",
      summary: "Delete a chat widget and its chats",
      input: byUuid,
      access: { who: "key", scope: "admin" },
      errors: byName,
    },
  ],
  input: z.object({ id: rowId.optional(), uuid: z.string().max(64).optional() }),
  output: z.object({ success: z.boolean(), error: z.string().nullable() }),
});

/**
 * Carrel-specific: the secret with which the site's server signs visitors' identities. It can't be
 * read again, so the result isn't kept either.
 */
export const createWidgetSecret = defineOperation({
  name: "workspace.widget.create-secret",
  service: "workspace",
  access: { who: "admin", proof: "recent" },
  idempotency: "none",
  routes: [
    {
      method: "POST",
      path: "/embeds/:id/identity-secret",
      summary: "Create the secret for signed identities, or replace it",
    },
  ],
  input: z.object({ id: rowId }),
  output: z.object({ secret: z.string() }),
});

/** Carrel-specific: identities are refused once it is deleted. */
export const deleteWidgetSecret = defineOperation({
  name: "workspace.widget.delete-secret",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/embeds/:id/identity-secret",
      summary: "Delete the secret for signed identities",
    },
  ],
  input: z.object({ id: rowId }),
  output: z.object({ success: z.boolean() }),
});

/** The chats of a deleted widget must be deleted too. */
export const widgetDeleted = defineEvent({
  name: "widget.deleted",
  service: "workspace",
  consumers: ["chat"],
  payload: z.object({ widgetId: z.number().int() }),
});

export const widgetContracts: Contracts = {
  operations: [
    listWidgets,
    readWidgets,
    findMissingWidgets,
    createWidget,
    updateWidget,
    deleteWidget,
    createWidgetSecret,
    deleteWidgetSecret,
  ],
  events: [widgetDeleted],
};
