import {
  CarrelError,
  parseJson,
  type HubDownloads,
  type HubPreview,
  type KnownFault,
} from "@carrel/contracts";
import { z } from "zod";
import type { BundleFile } from "./bundle-files.ts";
import type { HubItem, SkillItem } from "./hub-item.ts";

type Bundle = NonNullable<Extract<HubPreview, { type: "agent-skill" }>["bundle"]>;

/** Bytes of one file, and of all, that a preview shows as text. */
const shownBytes = 60_000;
const shownInAll = 400_000;
export const manifestFile = "plugin.json";

/** What a preview shows of `plugin.json`; installing it checks the rest. */
const shownManifest = z.object({
  name: z.string().max(200).catch(""),
  version: z.coerce.string().max(50).catch(""),
  permissions: z
    .object({
      hosts: z.array(z.string().max(300)).max(100),
      storage: z.boolean(),
      secrets: z.array(z.string().max(100)).max(100),
    })
    .nullable()
    .catch(null),
});

/** Why a skill may not be downloaded; null if it may. */
export function refusalOf(item: HubItem, downloads: HubDownloads): KnownFault | null {
  if (downloads === "off") return { code: "hub.downloads-off" };
  const isTrusted = item.verified || item.visibility === "private";
  return downloads === "all" || isTrusted ? null : { code: "hub.downloads-verified" };
}

/** Throws `hub.bundle-file-refused` if it isn't a JSON object. */
export function readManifest(files: readonly BundleFile[]): Record<string, unknown> {
  const { content } = files.find(({ path }) => path === manifestFile)!;
  try {
    const given = parseJson(content.toString("utf8"));
    if (typeof given === "object" && given !== null && !Array.isArray(given))
      return given as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw new CarrelError("hub.bundle-file-refused", { path: manifestFile });
}

export function describeSkill(item: SkillItem, files: readonly BundleFile[]): Bundle {
  const { name, version, permissions } = shownManifest.parse(readManifest(files));
  let left = shownInAll;
  return {
    name: name || item.name,
    version,
    permissions,
    files: files.map(({ path, content }) => {
      const text = content.length <= Math.min(shownBytes, left) ? readText(content) : null;
      if (text !== null) left -= content.length;
      return { path, bytes: content.length, text };
    }),
  };
}

/** Null if it isn't text. */
function readText(content: Buffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
