import { createHash } from "node:crypto";
import {
  CarrelError,
  clipText,
  hubItemId,
  hubVisibilities,
  parseJson,
  toCommand,
  toImportId,
  type HubCard,
  type HubItemType,
} from "@carrel/contracts";
import { z } from "zod";
import type { BundleFile } from "./bundle-files.ts";

/** PostgreSQL's text can't contain U+0000. */
const clean = (text: string): string => text.replaceAll("\0", "").toWellFormed();
const text = (longest: number) => z.string().transform(clean).pipe(z.string().max(longest));
const needed = (longest: number) => text(longest).pipe(z.string().trim().min(1));
const optional = (longest: number) => text(longest).nullish().catch(null);

const common = {
  id: hubItemId,
  name: needed(200),
  description: text(5_000)
    .nullish()
    .transform((given) => given ?? ""),
  tags: z.array(needed(50)).max(50).catch([]),
  visibility: z.enum(hubVisibilities).catch("public"),
  verified: z.boolean().catch(false),
  creatorUsername: optional(100),
};

/** UTF-16 units; more than a flow may have. */
const longestFlow = 220_000;
/** Flows come as JSON, or as its text. */
const flow = z.preprocess(
  (given) => {
    if (typeof given !== "string") return given;
    try {
      return parseJson(given);
    } catch {
      return undefined;
    }
  },
  z
    .looseObject({ steps: z.array(z.unknown()).max(1_000) })
    .refine((given) => JSON.stringify(given).length <= longestFlow),
);

const manifest = z.object({
  files: z.array(z.object({ name: text(300), content: text(200_000) })).max(500),
});

/** An item as hubs describe it; what else they say of it is dropped. */
const hubItem = z.discriminatedUnion("itemType", [
  z.object({ ...common, itemType: z.literal("system-prompt"), prompt: needed(100_000) }),
  z.object({
    ...common,
    itemType: z.literal("slash-command"),
    command: text(255).refine((command) => toCommand(command) !== null),
    prompt: needed(20_000),
  }),
  z.object({ ...common, itemType: z.literal("agent-flow"), flow }),
  z.object({
    ...common,
    itemType: z.literal("agent-skill"),
    manifest: manifest.optional().catch(undefined),
    /** Of the archive with its files, in hex. */
    sha256: z
      .string()
      .toLowerCase()
      .regex(/^[0-9a-f]{64}$/)
      .nullish(),
  }),
]);
export type HubItem = z.output<typeof hubItem>;
export type SkillItem = Extract<HubItem, { itemType: "agent-skill" }>;

/**
 * An item that a hub was asked for. Throws `hub.item-invalid`, also if it is another item than
 * that.
 */
export function readItem(
  hub: string,
  given: unknown,
  wanted: { type: HubItemType; id?: string },
): HubItem {
  const object = typeof given === "object" && given !== null ? given : {};
  const parsed = hubItem.safeParse({ itemType: wanted.type, id: wanted.id, ...object });
  const field = parsed.success
    ? parsed.data.itemType !== wanted.type
      ? "itemType"
      : wanted.id !== undefined && parsed.data.id !== wanted.id
        ? "id"
        : null
    : (parsed.error.issues[0]?.path.join(".") ?? "");
  if (field !== null || !parsed.success)
    throw new CarrelError("hub.item-invalid", { hub, field: clipText(field || "content", 100) });
  return parsed.data;
}

const shownText = 1_000;
const shownFlow = 8_000;
/** UTF-16 units of the files of a skill. */
const shownFiles = 250_000;

/** An item as lists show it, or whole. */
export function toCard(item: HubItem, isWhole = false): HubCard {
  const { id, itemType, name, tags, visibility, verified, creatorUsername } = item;
  const cut = (given: string): string => (isWhole ? given : clipText(given, shownText));
  const card: HubCard = {
    id,
    importId: toImportId(itemType, id),
    itemType,
    name,
    description: cut(item.description),
    tags,
    visibility,
    verified,
    creatorUsername: creatorUsername ?? null,
  };
  switch (item.itemType) {
    case "system-prompt":
      return { ...card, prompt: cut(item.prompt) };
    case "slash-command":
      return { ...card, command: item.command, prompt: cut(item.prompt) };
    case "agent-flow":
      return { ...card, flow: toFlowText(item.flow, isWhole) };
    case "agent-skill":
      return {
        ...card,
        manifest: { files: isWhole ? cutFiles(item.manifest?.files ?? []) : [] },
      };
  }
}

function cutFiles(files: readonly { name: string; content: string }[]) {
  let left = shownFiles;
  return files.map(({ name, content }) => {
    left -= content.length;
    return { name, content: left >= 0 ? content : "" };
  });
}

/** Existing clients count the steps. */
function toFlowText(given: { steps: unknown[] }, isWhole: boolean): string {
  const json = JSON.stringify(given);
  if (isWhole || json.length <= shownFlow) return json;
  const types = given.steps.map((step) => ({ type: (step as { type?: unknown } | null)?.type }));
  return JSON.stringify({ steps: types });
}

/** Names all that would be imported. */
export function digestOf(item: HubItem, files: readonly BundleFile[] = []): string {
  const hash = createHash("sha256").update(JSON.stringify(item));
  for (const { path, content } of files)
    hash.update(`\0${path}\0${content.length}\0`).update(content);
  return hash.digest("hex");
}
