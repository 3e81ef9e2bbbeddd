import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "@jest/globals";

const root = resolve(import.meta.dirname, "..");
const folders = ["apps", "bench", "e2e", "libs", "services", "tools"];
const files = globSync(`{${folders.join(",")}}/**/*.{ts,tsx}`, {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|dist|dist\.next)$/.test(String(name)),
}).map((file) => join(root, file));
const known = new Set(files);
const imported = /\b(?:from|import\(|import)\s*["'](\.[^"']+)["']/g;

/** The files that each file imports, types and dynamic imports included. */
const imports = new Map(
  files.map((file) => [
    file,
    [...readFileSync(file, "utf8").matchAll(imported)].flatMap(([, path]) => {
      const target = resolve(dirname(file), path!);
      return [target, `${target}.ts`, `${target}.tsx`].find((one) => known.has(one)) ?? [];
    }),
  ]),
);

/** One cycle per import that closes it, found depth-first. */
function findCycles(): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const start = path.indexOf(file);
    if (start >= 0)
      cycles.push([...path.slice(start), file].map((one) => relative(root, one)).join(" → "));
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of imports.get(file)!) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of files) visit(file);
  return cycles;
}

// Knip reports other cycles, but not those that involve types.
it("no file imports itself, not even through types", () => {
  expect(files.length).toBeGreaterThan(1_000);
  expect(findCycles()).toEqual([]);
});
