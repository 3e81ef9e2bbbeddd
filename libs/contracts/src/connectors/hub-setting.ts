import { z } from "zod";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { byHubAdmin } from "./hub-access.ts";
import { repositoryPlatform } from "./repository-address.ts";

/* Which community hub the instance uses (wire-contract 13.1, docs/decisions/hub.md). */

export const defaultHubAddress = "https://hub.external.anythingllm.com/v1";

/** Where the items come from. */
export const hubSource = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("off") }),
  /** A server with the API of the AnythingLLM Community Hub. */
  z.object({ kind: z.literal("server"), address: z.string().trim().max(1_000) }),
  z.object({ kind: z.literal("folder"), path: z.string().trim().max(4_000) }),
  z.object({
    kind: z.literal("repository"),
    platform: repositoryPlatform,
    repo: z.string().trim().max(1_000),
    /** The default branch if empty. */
    branch: z.string().trim().max(250).default(""),
  }),
]);
export type HubSource = z.infer<typeof hubSource>;

export const hubDownloads = ["off", "verified", "all"] as const;
export type HubDownloads = (typeof hubDownloads)[number];

const hubSettings = z.object({
  source: hubSource,
  /** Which skills may be downloaded: none, verified and private ones, or all. */
  downloads: z.enum(hubDownloads),
  /** Masked; null if there is none for this source. */
  connectionKey: z.string().nullable(),
  /** Folders of the server that an admin may choose from. */
  folders: z.array(z.string()),
});
export type HubSettings = z.infer<typeof hubSettings>;

export const getHubSettings = defineOperation({
  ...byHubAdmin,
  name: "connectors.hub.settings",
  routes: [
    {
      method: "GET",
      path: "/community-hub/configuration",
      summary: "Get the community hub's set-up",
    },
    {
      name: "connectors.hub.settings-legacy",
      method: "GET",
      path: "/community-hub/settings",
      summary: "Get the community hub's connection key, masked",
      output: z.object({ success: z.literal(true), connectionKey: z.string().nullable() }),
      mapReply: ({ connectionKey }) => ({ success: true, connectionKey }),
    },
  ],
  input: z.object({}),
  output: hubSettings,
});

/** What starts with it stands for the stored key, and changes nothing. */
export const hubKeyMask = "********";
const hubKey = z.string().trim().max(2_000);

/** Fields that are left out stay as they are. An empty key removes the stored one. */
export const updateHubSettings = defineOperation({
  ...byHubAdmin,
  access: { who: "admin", proof: "handler" },
  name: "connectors.hub.update-settings",
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/community-hub/configuration",
      summary: "Choose the community hub, its key and what may be downloaded",
    },
    {
      name: "connectors.hub.update-settings-legacy",
      method: "POST",
      path: "/community-hub/settings",
      summary: "Save the community hub's connection key",
      input: z
        .object({ hub_api_key: hubKey.nullish() })
        .transform(({ hub_api_key: connectionKey }) => ({
          ...(connectionKey !== undefined && { connectionKey: connectionKey ?? "" }),
        })),
      output: z.object({ success: z.literal(true), error: z.null() }),
      mapReply: () => ({ success: true, error: null }),
    },
  ],
  input: z.object({
    source: hubSource.optional(),
    downloads: z.enum(hubDownloads).optional(),
    connectionKey: hubKey.optional(),
  }),
  output: hubSettings,
});

/** Tries a source before it is saved, with the given key or the one that is stored for it. */
export const checkHub = defineOperation({
  ...byHubAdmin,
  name: "connectors.hub.check",
  idempotency: "natural",
  routes: [{ method: "POST", path: "/community-hub/check", summary: "Try a community hub" }],
  input: z.object({ source: hubSource, connectionKey: hubKey.optional() }),
  output: z.object({
    success: z.boolean(),
    fault: faultWire.nullable(),
    /** How many items it lists. */
    items: z.number().int(),
    /** Why some of its items aren't listed. */
    faults: z.array(z.object({ item: z.string(), fault: faultWire })),
  }),
});

export const hubSettingContracts: Contracts = {
  operations: [getHubSettings, updateHubSettings, checkHub],
};
