/**
 * JavaScript of the first page as transferred: what index.html loads (scripts and module preloads,
 * followed through static imports), compressed.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const dist = resolve(import.meta.dirname, "../apps/web/dist");
const page = readFileSync(join(dist, "index.html"), "utf8");
const queue = [...page.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map((match) =>
  join(dist, match[1]!.replace(/^\//, "")),
);
const seen = new Set<string>();
for (let file = queue.shift(); file; file = queue.shift()) {
  if (seen.has(file) || !existsSync(file)) continue;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  for (const match of text.matchAll(/(?:from|import)\s*["'](\.{1,2}\/[^"']+\.js)["']/g))
    queue.push(resolve(dirname(file), match[1]!));
}
// The build writes .br and .gz next to each file and the gateway serves them unchanged.
const size = (file: string, kind: "br" | "gz"): number =>
  (existsSync(`${file}.${kind}`)
    ? readFileSync(`${file}.${kind}`)
    : kind === "br"
      ? brotliCompressSync(readFileSync(file))
      : gzipSync(readFileSync(file))
  ).length;
const total = (kind: "br" | "gz"): string =>
  `${([...seen].reduce((sum, file) => sum + size(file, kind), 0) / 1000).toFixed(1)} kB`;
console.log(
  JSON.stringify({
    what: "web",
    how: `JavaScript of the first page as browsers fetch it (brotli; gzip ${total("gz")}), ${seen.size} files reached by static imports from index.html`,
    figure: total("br"),
    reach: "≤ 250 kB",
    goal: "160 kB",
  }),
);
