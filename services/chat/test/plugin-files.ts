import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { installPlugin, type PluginSummary, type Scope } from "@carrel/contracts";
import JSZip from "jszip";
import type { ChatInstance } from "./chat-instance.ts";

interface Written {
  hubId: string;
  /** handler.js, or the body of its handler. */
  code?: string;
  manifest?: Readonly<Record<string, unknown>>;
  files?: Readonly<Record<string, string>>;
}

/** The files of a plugin, as its author writes them. */
export function pluginFiles({ hubId, code = 'return "ok"', manifest, files }: Written) {
  return {
    "plugin.json": JSON.stringify({
      active: true,
      hubId,
      name: `The ${hubId}`,
      schema: "skill-1.0.0",
      version: "1.0.0",
      description: `Describes ${hubId}.`,
      author: "@someone",
      author_url: "https://author.example",
      license: "MIT",
      setup_args: {},
      examples: [],
      entrypoint: {
        file: "handler.js",
        params: { city: { description: "Where", type: "string" } },
      },
      imported: true,
      ...manifest,
    }),
    "handler.js": code.includes("module.exports")
      ? code
      : `module.exports.runtime = { handler: async function (input) { ${code} } };`,
    ...files,
  };
}

export async function installFiles(
  chat: ChatInstance,
  scope: Scope,
  files: Readonly<Record<string, string>>,
): Promise<PluginSummary> {
  const zip = new JSZip();
  for (const [path, text] of Object.entries(files)) zip.file(path, text, { createFolders: false });
  const blobKey = `tmp/${randomUUID()}`;
  await chat.blobs.put(blobKey, Readable.from([await zip.generateAsync({ type: "nodebuffer" })]));
  return chat.request(installPlugin, { blobKey }, scope as never);
}
