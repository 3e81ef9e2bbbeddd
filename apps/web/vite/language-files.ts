import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { firstAreas } from "../src/lib/language-files.ts";

/** Content of the files by path, such as `de/settings.json`; the first page's areas are one file. */
function readLanguageFiles(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const language of readdirSync(folder, { withFileTypes: true })) {
    // English is bundled with the code that shows it.
    if (!language.isDirectory() || language.name === "en") continue;
    const first: Record<string, unknown> = {};
    for (const name of readdirSync(join(folder, language.name)).toSorted()) {
      const area = name.replace(".json", "");
      const texts: unknown = JSON.parse(readFileSync(join(folder, language.name, name), "utf8"));
      if ((firstAreas as readonly string[]).includes(area)) first[area] = texts;
      else files.set(`${language.name}/${name}`, JSON.stringify(texts));
    }
    files.set(`${language.name}/first.json`, JSON.stringify(first));
  }
  return files;
}

/** Where the files are below the app's address. Their content is part of it, so they are cached. */
function folderOf(files: Map<string, string>): string {
  const hash = createHash("sha256");
  for (const [path, content] of files) hash.update(`${path}\n${content}\n`);
  return `assets/languages-${hash.digest("hex").slice(0, 8)}`;
}

/** The plugin, and the address of the folder for code that is compiled without it. */
export function languageFiles(root: string): { plugin: Plugin; define: Record<string, string> } {
  const source = join(root, "src/locales");
  const files = readLanguageFiles(source);
  const folder = folderOf(files);
  const define = { languageFolder: JSON.stringify(`/${folder}`) };
  const plugin: Plugin = {
    name: "carrel-language-files",
    config: () => ({ define }),
    configureServer: (server) => {
      server.middlewares.use(`/${folder}`, (request, response, next) => {
        const content = readLanguageFiles(source).get((request.url ?? "").slice(1));
        if (content === undefined) return next();
        response.setHeader("content-type", "application/json").end(content);
      });
    },
    generateBundle() {
      for (const [path, content] of files)
        this.emitFile({ type: "asset", fileName: `${folder}/${path}`, source: content });
    },
  };
  return { plugin, define };
}
