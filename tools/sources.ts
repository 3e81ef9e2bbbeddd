import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./checkout.ts";

export interface Package {
  name: string;
  folder: string;
  scripts: Record<string, string>;
  tags: string[];
}

/** Every workspace package, in folder order. */
export function packages(): Package[] {
  const folders = ["libs", "services", "apps"].flatMap((kind) =>
    readdirSync(join(root, kind))
      .sort()
      .map((name) => join(root, kind, name)),
  );
  return [...folders, join(root, "e2e")]
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => {
      const description = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
        name: string;
        scripts?: Record<string, string>;
        nx?: { tags?: string[] };
      };
      return {
        name: description.name,
        folder,
        scripts: description.scripts ?? {},
        tags: description.nx?.tags ?? [],
      };
    });
}

/** Files below a folder, without build output. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      if (["node_modules", "dist", ".cache", "coverage"].includes(entry.name)) return [];
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
    })
    .sort();
}

export const isTest = (file: string): boolean =>
  /\.(spec|int-spec|e2e-spec|install-spec|thorough-spec|fixture|pw)\.tsx?$|\/test\//.test(file);

/** A digest of file contents, so that checkouts and copies with other timestamps match. */
export function digestOf(files: string[]): string {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  return hash.digest("hex");
}
