import { z } from "zod";

/*
 * Items of a community hub, as its servers and clients know them (wire-contract 13.1,
 * docs/decisions/hub.md).
 */

export const hubItemTypes = [
  "system-prompt",
  "slash-command",
  "agent-flow",
  "agent-skill",
] as const;
export const hubItemType = z.enum(hubItemTypes);
export type HubItemType = z.infer<typeof hubItemType>;

/** What the lists of items are called. */
export const hubListNames = {
  "system-prompt": "systemPrompts",
  "slash-command": "slashCommands",
  "agent-flow": "agentFlows",
  "agent-skill": "agentSkills",
} as const satisfies Record<HubItemType, string>;

export const publishedTypes = ["system-prompt", "slash-command", "agent-flow"] as const;
export type PublishedType = (typeof publishedTypes)[number];

export const hubVisibilities = ["public", "private"] as const;

const importPrefix = "allm-community-id";
/** It is also the name of a folder. */
export const hubItemId = z.string().regex(/^[A-Za-z0-9][\w-]{0,127}$/);

export const toImportId = (type: HubItemType, id: string): string =>
  `${importPrefix}:${type}:${id}`;

/** Null if it isn't an import ID. */
export function readImportId(text: string): { type: HubItemType; id: string } | null {
  const [prefix, given, id, ...rest] = text.trim().split(":");
  const type = hubItemType.safeParse(given?.trim());
  const isValid = prefix === importPrefix && rest.length === 0 && type.success;
  return isValid && hubItemId.safeParse(id?.trim()).success
    ? { type: type.data, id: id!.trim() }
    : null;
}

/** What the lists show of an item. Its texts may be cut, and are never HTML. */
export const hubCard = z.object({
  id: z.string(),
  importId: z.string(),
  itemType: hubItemType,
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  visibility: z.enum(hubVisibilities),
  /** Whether those who run the hub have checked it. */
  verified: z.boolean(),
  creatorUsername: z.string().nullable(),
  /** Of system prompts and slash commands. */
  prompt: z.string().optional(),
  command: z.string().optional(),
  /** JSON with `steps`, of flows. */
  flow: z.string().optional(),
  /** Of agent skills. */
  manifest: z
    .object({ files: z.array(z.object({ name: z.string(), content: z.string() })) })
    .optional(),
});
export type HubCard = z.infer<typeof hubCard>;

export const hubList = z.object({
  items: z.array(hubCard),
  /** Whether the hub has more than it lists. */
  hasMore: z.boolean(),
  totalCount: z.number().int(),
});
export type HubList = z.infer<typeof hubList>;

/** The lists of all types. */
export const hubLists = z.object({
  agentSkills: hubList,
  systemPrompts: hubList,
  slashCommands: hubList,
  agentFlows: hubList,
});
export type HubLists = z.infer<typeof hubLists>;

const flowBlockPreview = z.object({
  type: z.string(),
  title: z.string().nullable(),
  /** 0 for blocks that aren't inside others. */
  depth: z.number().int(),
});

const skillFile = z.object({
  path: z.string(),
  bytes: z.number().int(),
  /** Null if it is binary, or too long to be shown. */
  text: z.string().nullable(),
});

/** What an import will do; the item comes with `digest`, which a later import may insist on. */
export const hubPreview = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("system-prompt"),
    prompt: z.string(),
    /** The one whose prompt would be replaced; null if none was named. */
    workspace: z
      .object({
        slug: z.string(),
        name: z.string(),
        currentPrompt: z.string(),
        /** Whether that is the instance's, because the workspace has none. */
        usesDefault: z.boolean(),
      })
      .nullable(),
  }),
  z.object({
    type: z.literal("slash-command"),
    command: z.string(),
    prompt: z.string(),
    description: z.string(),
    /** taken: the person has this command with another prompt, which is in `current`. */
    state: z.enum(["new", "same", "taken", "reserved"]),
    current: z.string().nullable(),
  }),
  z.object({
    type: z.literal("agent-flow"),
    name: z.string(),
    description: z.string(),
    blocks: z.array(flowBlockPreview),
    /** Origins, or addresses whose host is only known when the flow runs. */
    sendsTo: z.array(z.object({ method: z.string(), address: z.string() })),
    /** Whether agents' models get text from it. */
    usesModel: z.boolean(),
    /** Names of the credentials that it refers to. They aren't part of it. */
    credentials: z.array(z.string()),
    /** Those of them that this instance doesn't have. */
    missingCredentials: z.array(z.string()),
    /** Flows that it runs and this instance doesn't have. */
    missingFlows: z.array(z.string()),
    state: z.enum(["new", "same", "changed"]),
  }),
  z.object({
    type: z.literal("agent-skill"),
    /** Null as long as the files may not be downloaded. */
    bundle: z
      .object({
        files: z.array(skillFile),
        name: z.string(),
        version: z.string(),
        /** What it asks for, which an admin confirms before it can run; null if it doesn't say. */
        permissions: z
          .object({
            hosts: z.array(z.string()),
            storage: z.boolean(),
            secrets: z.array(z.string()),
          })
          .nullable(),
      })
      .nullable(),
  }),
]);
export type HubPreview = z.infer<typeof hubPreview>;
