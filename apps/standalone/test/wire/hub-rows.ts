import {
  applyHubItem,
  CarrelError,
  checkHub,
  exploreHub,
  getHubItem,
  getHubSettings,
  importHubItem,
  listOwnHubItems,
  preparePublication,
  previewHubItem,
  publishHubItem,
  searchHub,
  updateHubSettings,
  type HubCard,
  type HubLists,
  type HubSettings,
} from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const settings: HubSettings = {
  source: { kind: "server", address: "https://hub.example.com/v1" },
  downloads: "verified",
  connectionKey: "********abcd",
  folders: [],
};
const importId = "allm-community-id:slash-command:c1";
const item: HubCard = {
  id: "c1",
  importId,
  itemType: "slash-command",
  name: "Sum up",
  description: "Sums it up",
  tags: [],
  visibility: "public",
  verified: false,
  creatorUsername: "anna",
  command: "/sum-up",
  prompt: "Sum it up",
};
const noItems = { items: [], hasMore: false, totalCount: 0 };
const lists: HubLists = {
  agentSkills: noItems,
  systemPrompts: noItems,
  slashCommands: { items: [item], hasMore: true, totalCount: 7 },
  agentFlows: noItems,
};
const applied = { success: true, error: null, state: "created", target: "/sum-up" } as const;
const published = { success: true, error: null, item: { id: "c2" } } as const;
const skill = "allm-community-id:agent-skill:s1";

export function answerHubRows({ connectors }: TestInstance): void {
  const requireId = (given: string | null | undefined): void => {
    if (!given) throw new CarrelError("hub.import-id-missing");
    if (given === "x") throw new CarrelError("hub.import-id-invalid");
  };
  connectors
    .answer(getHubSettings, settings)
    .answer(updateHubSettings, settings)
    .answer(checkHub, { success: true, fault: null, items: 7, faults: [] })
    .answer(exploreHub, lists)
    .answer(searchHub, { items: [item], total: 1, hasUnlisted: false })
    .answer(listOwnHubItems, { success: true, createdByMe: {}, teamItems: [] })
    .answer(getHubItem, (input: { importId?: string }) => {
      requireId(input.importId);
      return { success: true as const, item, error: null };
    })
    .answer(previewHubItem, (input: { importId?: string }) => {
      requireId(input.importId);
      const { prompt = "", command = "", ...card } = item;
      const preview = { type: "slash-command", command, prompt, description: "" } as const;
      return {
        item: card,
        digest: "0".repeat(64),
        preview: { ...preview, state: "new" as const, current: null },
        fault: null,
      };
    })
    .answer(applyHubItem, (input: { importId?: string; options: { workspaceSlug?: string } }) => {
      requireId(input.importId);
      if (input.importId === skill) throw new CarrelError("hub.nothing-to-apply");
      if (input.options.workspaceSlug === "missing") throw new CarrelError("workspace.not-found");
      return applied;
    })
    .answer(importHubItem, (input: { importId?: string }) => {
      requireId(input.importId);
      if (input.importId === importId) throw new CarrelError("hub.downloads-off");
      return { ...applied, target: "s1" };
    })
    .answer(preparePublication, {
      type: "slash-command",
      target: "server",
      itemId: "sum-up",
      path: "slash-command/sum-up/item.json",
      replaces: false,
      content: "{}",
      secrets: [],
    })
    .answer(publishHubItem, (input: { type: string }) => {
      if (input.type === "agent-skill")
        throw new CarrelError("hub.publish-type", { type: input.type });
      return published;
    });
}

const hub = (
  name: string,
  [method, path, sent]: [string, string, object?],
  status: number,
  body: unknown,
): Row =>
  row(
    `connectors.hub.${name}`,
    [method, `/community-hub/${path}`, ...(sent === undefined ? [] : [sent])] as never,
    status,
    json,
    { body },
  );
const refused = (error: string, more: object = {}) => ({ success: false, error, ...more });

/** The community hub (wire-contract 13.1). */
export const hubRows: Row[] = [
  hub("settings", ["GET", "configuration"], 200, settings),
  // Masked, where other servers return the key itself.
  hub("settings-legacy", ["GET", "settings"], 200, {
    success: true,
    connectionKey: "********abcd",
  }),
  hub("update-settings", ["PUT", "configuration", { downloads: "off" }], 200, settings),
  hub("update-settings-legacy", ["POST", "settings", { hub_api_key: "********abcd" }], 200, {
    success: true,
    error: null,
  }),
  hub("update-settings-legacy", ["POST", "settings", { footer_data: "[]" }], 200, {
    success: true,
    error: null,
  }),
  hub("check", ["POST", "check", { source: { kind: "off" } }], 200, {
    success: true,
    fault: null,
    items: 7,
    faults: [],
  }),
  hub("explore", ["GET", "explore"], 200, { success: true, result: lists }),
  hub("search", ["GET", "search?type=slash-command"], 200, {
    items: [item],
    total: 1,
    hasUnlisted: false,
  }),
  hub("items", ["GET", "items"], 200, { success: true, createdByMe: {}, teamItems: [] }),
  hub("item", ["POST", "item", { importId }], 200, { success: true, item, error: null }),
  hub("item", ["POST", "item", {}], 400, refused("Import ID is required", { item: null })),
  hub(
    "item",
    ["POST", "item", { importId: "x" }],
    400,
    refused("Invalid import ID", { item: null }),
  ),
  row("connectors.hub.preview", ["POST", "/community-hub/preview", { importId }], 200, json, {
    keys: ["item", "digest", "preview", "fault"],
  }),
  hub("apply", ["POST", "apply", { importId, options: {} }], 200, applied),
  hub("apply", ["POST", "apply", { importId }], 200, applied),
  hub("apply", ["POST", "apply", {}], 400, refused("Import ID is required")),
  hub(
    "apply",
    ["POST", "apply", { importId: skill }],
    400,
    refused("Unsupported item type. Nothing to apply."),
  ),
  hub(
    "apply",
    ["POST", "apply", { importId, options: { workspaceSlug: "missing" } }],
    404,
    refused("Workspace not found"),
  ),
  hub("import", ["POST", "import", { importId: skill }], 200, { ...applied, target: "s1" }),
  hub(
    "import",
    ["POST", "import", { importId }],
    422,
    refused(
      "Community Hub bundle downloads are not enabled. An admin can allow them in Settings > Community hub > Connection.",
    ),
  ),
  row(
    "connectors.hub.prepare",
    ["POST", "/community-hub/slash-command/prepare", { name: "Sum up" }],
    200,
    json,
    { keys: ["type", "target", "itemId", "path", "replaces", "content", "secrets"] },
  ),
  hub("publish", ["POST", "slash-command/create", { name: "Sum up" }], 200, published),
  hub(
    "publish",
    ["POST", "agent-skill/create", { name: "Sum up" }],
    400,
    refused("Items of type agent-skill can't be published.", { item: null }),
  ),
];
