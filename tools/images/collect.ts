// Copies what a process needs at run time into a folder, for its image: its part of the bundle, and of `node_modules`
// only the files that it loads. `node tools/images/collect.ts <folder> <process>…`
import { cpSync, globSync, mkdirSync } from "node:fs";
import { basename, dirname, join, matchesGlob, relative } from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import { root } from "../checkout.ts";
import { isUnneeded } from "../packages/unneeded.ts";
import { contents } from "./contents.ts";
import { describeContents } from "./sbom.ts";

/** Packages that only the launcher needs, to build; the image is built already. */
const buildOnly = [
  "rolldown",
  "vite",
  // Not its helpers, which packages import at run time.
  "@swc/{core,core-*,counter,jest,types}",
  "@vercel/nft",
  "jest",
  "typescript",
].map((name) => `node_modules/${name}/**`);

/** What `npm start` deletes from packages, and their builds for another C library. */
function isLeftOut(path: string): boolean {
  const at = path.lastIndexOf("node_modules/");
  if (at < 0) return false;
  return /-linux-\w+-musl\//.test(path) || isUnneeded(path.slice(at + "node_modules/".length));
}

/** TypeORM loads it by a computed name. */
const driver = ["node_modules/pg/lib/index.js"];

async function collect(name: string, target: string): Promise<void> {
  const { entries = [], data = [], unused = [] } = contents[name]!;
  const start = [`dist/${name}.js`, ...driver, ...globSync(entries, { cwd: root })];
  const { fileList } = await nodeFileTrace(start, {
    base: root,
    ignore: (path) =>
      isLeftOut(path) || [...unused, ...buildOnly].some((pattern) => matchesGlob(path, pattern)),
    cache,
  });
  const found = data.flatMap((pattern) => {
    const paths = globSync(pattern, { cwd: root }).filter((path) => !isLeftOut(path));
    if (paths.length === 0) throw new Error(`${name}: nothing matches ${pattern}`);
    return paths;
  });
  for (const path of new Set([...fileList, ...found])) {
    const to = join(target, path);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(root, path), to, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) =>
        !/\.(map|d\.[mc]?ts)$/.test(source) &&
        basename(source) !== ".digest" &&
        !isLeftOut(relative(root, source)),
    });
  }
  describeContents(target);
}

const cache = {};
const [folder = "", ...names] = process.argv.slice(2);
for (const name of names) await collect(name, join(folder, name));
