import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { root } from "./checkout.ts";

/** `web` is built for browsers, `app` and `service` run on servers. */
type Kind = "lib" | "service" | "app" | "web";

export interface Package {
  /** With its scope: `@carrel/chat`. */
  name: string;
  folder: string;
  kind: Kind;
}

const kinds: Record<string, Kind> = { libs: "lib", services: "service", apps: "app" };

/** Every package that is built, in folder order. */
export function packages(): Package[] {
  return Object.entries(kinds).flatMap(([parent, kind]) =>
    readdirSync(join(root, parent))
      .sort()
      .map((name) => join(root, parent, name))
      .filter((folder) => existsSync(join(folder, "package.json")))
      .map((folder) => ({
        name: `@carrel/${basename(folder)}`,
        folder,
        kind: existsSync(join(folder, "vite.config.ts")) ? "web" : kind,
      })),
  );
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
  /\.(spec|int-spec|e2e-spec|install-spec|thorough-spec|sources-spec|office-spec|sql-spec|fixture|pw)\.tsx?$|\/test\//.test(
    file,
  );

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
