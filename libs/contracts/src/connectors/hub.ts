import { z } from "zod";
import { yesOrNo } from "../coercion.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { byHubAdmin, refuseHub } from "./hub-access.ts";
import {
  hubCard,
  hubItemType,
  hubLists,
  hubPreview,
  hubVisibilities,
  publishedTypes,
} from "./hub-item.ts";

/*
 * A community hub: where prompts, commands, flows and skills are found, imported and published
 * (wire-contract 13.1, docs/decisions/hub.md).
 */

const noItems = { items: [], hasMore: false, totalCount: 0 };

export const exploreHub = defineOperation({
  ...byHubAdmin,
  name: "connectors.hub.explore",
  routes: [
    {
      method: "GET",
      path: "/community-hub/explore",
      summary: "List what the community hub has",
      output: z.object({ success: z.literal(true), result: hubLists }),
      mapReply: (result) => ({ success: true, result }),
      errors: refuseHub({
        result: {
          agentSkills: noItems,
          systemPrompts: noItems,
          slashCommands: noItems,
          agentFlows: noItems,
        },
      }),
    },
  ],
  input: z.object({}),
  output: hubLists,
});

/** Number of items per page. */
export const hubPageSize = 24;

export const searchHub = defineOperation({
  ...byHubAdmin,
  name: "connectors.hub.search",
  routes: [
    {
      method: "GET",
      path: "/community-hub/search",
      summary: "Search the community hub's items of one type",
    },
  ],
  input: z.object({
    type: hubItemType,
    search: z.string().trim().max(200).default(""),
    offset: z.coerce.number().int().min(0).max(100_000).default(0),
    /** Asks the hub again, instead of searching what it listed in the last minute. */
    refresh: yesOrNo.default(false),
  }),
  output: z.object({
    items: z.array(hubCard),
    /** Number of items found. */
    total: z.number().int(),
    /** Whether the hub has items that it doesn't list; they are imported by their ID. */
    hasUnlisted: z.boolean(),
  }),
});

/** The items of the connection key's account, and of its teams. */
export const listOwnHubItems = defineOperation({
  ...byHubAdmin,
  name: "connectors.hub.items",
  routes: [
    {
      method: "GET",
      path: "/community-hub/items",
      summary: "List your items in the community hub",
      errors: refuseHub({ createdByMe: {}, teamItems: [] }),
    },
  ],
  input: z.object({}),
  output: z.object({
    success: z.literal(true),
    createdByMe: hubLists.partial(),
    teamItems: z.array(
      z.object({ teamId: z.string(), teamName: z.string(), items: hubLists.partial() }),
    ),
  }),
});

/** Checked by the handler, for the texts that existing clients know. */
const importId = z.string().max(400).nullish();

export const getHubItem = defineOperation({
  ...byHubAdmin,
  name: "connectors.hub.item",
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/community-hub/item",
      summary: "Get an item of the community hub",
      errors: refuseHub({ item: null }),
    },
  ],
  input: z.object({ importId }),
  output: z.object({ success: z.literal(true), item: hubCard, error: z.null() }),
});

export const previewHubItem = defineOperation({
  ...byHubAdmin,
  access: { who: "admin", proof: "none" },
  name: "connectors.hub.preview",
  idempotency: "natural",
  calls: ["workspace", "chat"],
  routes: [
    {
      method: "POST",
      path: "/community-hub/preview",
      summary: "See what importing an item of the community hub would do",
    },
  ],
  input: z.object({ importId, workspaceSlug: z.string().max(255).optional() }),
  output: z.object({
    item: hubCard.omit({ prompt: true, flow: true, manifest: true }),
    /** SHA-256 of all that would be imported. */
    digest: z.string(),
    preview: hubPreview,
    /** Why it can't be imported. */
    fault: faultWire.nullable(),
  }),
});

/** unchanged: it was imported before, and is the same. */
const applied = z.enum(["created", "updated", "unchanged"]);
const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .optional();

export const applyHubItem = defineOperation({
  ...byHubAdmin,
  access: { who: "admin", proof: "handler" },
  name: "connectors.hub.apply",
  idempotency: "natural",
  calls: ["workspace", "chat"],
  routes: [
    {
      method: "POST",
      path: "/community-hub/apply",
      summary: "Import a prompt, command or flow of the community hub",
    },
  ],
  input: z.object({
    importId,
    options: z
      .object({
        workspaceSlug: z.string().max(255).nullish(),
        /** Whether a command that the person has with another prompt is replaced. */
        replace: z.boolean().default(false),
        /** Of the preview; the import is refused if the item is another now. */
        digest,
      })
      .nullish()
      .transform((options) => options ?? { replace: false }),
  }),
  output: z.object({
    success: z.literal(true),
    error: z.null(),
    state: applied,
    /** The flow's ID, or the command. */
    target: z.string(),
  }),
});

export const importHubItem = defineOperation({
  ...byHubAdmin,
  access: { who: "admin", proof: "handler" },
  name: "connectors.hub.import",
  idempotency: "natural",
  calls: ["chat"],
  routes: [
    {
      method: "POST",
      path: "/community-hub/import",
      summary: "Install an agent skill of the community hub, switched off",
    },
  ],
  input: z.object({ importId, digest }),
  output: z.object({
    success: z.literal(true),
    error: z.null(),
    state: applied,
    target: z.string(),
  }),
});

/** Existing clients send a flow as JSON text. */
const publication = z.object({
  type: z.string().max(100),
  name: z.string().trim().max(200).default(""),
  description: z.string().trim().max(2_000).default(""),
  tags: z.array(z.string().trim().max(50)).max(20).default([]),
  visibility: z.enum(hubVisibilities).default("public"),
  prompt: z.string().max(100_000).optional(),
  command: z.string().max(255).optional(),
  flow: z.union([z.string().max(220_000), z.record(z.string(), z.unknown())]).optional(),
  /**
   * What it is made of: a workspace's slug, or the ID of a command or flow. Publishing it to the same
   * folder again updates its item there.
   */
  source: z.string().min(1).max(255).optional(),
});
export type HubPublication = z.input<typeof publication>;

export const preparePublication = defineOperation({
  ...byHubAdmin,
  access: { who: "admin", proof: "none" },
  name: "connectors.hub.prepare",
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/community-hub/:type/prepare",
      summary: "See what would be published to the community hub",
    },
  ],
  input: publication,
  output: z.object({
    type: z.enum(publishedTypes),
    /** Where it would go; repository: it is to be committed there as `path`. */
    target: z.enum(["server", "folder", "repository"]),
    path: z.string(),
    itemId: z.string(),
    /** There is such a file already. */
    replaces: z.boolean(),
    /** The file with the item, as JSON. */
    content: z.string(),
    /** Where something looks like a password or key. */
    secrets: z.array(z.string()),
  }),
});

export const publishHubItem = defineOperation({
  ...byHubAdmin,
  access: { who: "admin", proof: "none" },
  name: "connectors.hub.publish",
  routes: [
    {
      method: "POST",
      path: "/community-hub/:type/create",
      summary: "Publish a prompt, command or flow to the community hub",
      errors: refuseHub({ item: null }),
    },
  ],
  input: publication.extend({
    /** A person has looked at what seems to be a secret. */
    secretsSeen: z.boolean().default(false),
    /** What `prepare` said; refused if it would get another one now. */
    itemId: z.string().max(128).optional(),
  }),
  output: z.object({
    success: z.literal(true),
    error: z.null(),
    item: z.object({ id: z.string() }),
  }),
});

export const hubContracts: Contracts = {
  operations: [
    exploreHub,
    searchHub,
    listOwnHubItems,
    getHubItem,
    previewHubItem,
    applyHubItem,
    importHubItem,
    preparePublication,
    publishHubItem,
  ],
};
