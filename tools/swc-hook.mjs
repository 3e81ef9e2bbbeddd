// node --import ./tools/swc-hook.mjs : compiles .ts/.tsx on the fly with swc (legacy decorators +
// metadata), without type checking. Processes and threads share the output: a test run starts
// hundreds, each of which would compile the same files again.
import { hash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import {
  createRequire,
  enableCompileCache,
  registerHooks,
  setSourceMapsSupport,
} from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { threadId } from "node:worker_threads";

setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));
const options = {
  ...JSON.parse(readFileSync(new URL("../.swcrc", import.meta.url), "utf8")),
  swcrc: false,
  sourceMaps: "inline",
};
delete options.$schema;
delete options.jsc.rewriteRelativeImportExtensions; // keep .ts specifiers: this hook loads them

const version = `${JSON.stringify(options)} ${require("@swc/core/package.json").version}`;
const cache = join(root, ".tools/swc-cache");
mkdirSync(cache, { recursive: true });
enableCompileCache(join(root, ".tools/compile-cache"));

const digestLength = 40;
/** The compiled text of this source, from the cache or new. */
function compile(filename, source) {
  const entry = join(cache, encodeURIComponent(relative(root, filename)));
  const digest = hash("sha1", `${version}\0${filename}\0${source}`);
  try {
    const kept = readFileSync(entry, "utf8");
    if (kept.startsWith(digest)) return kept.slice(digestLength);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  const { code } = require("@swc/core").transformSync(source, { ...options, filename });
  const draft = `${entry}.${process.pid}.${threadId}`;
  writeFileSync(draft, digest + code);
  renameSync(draft, entry);
  return code;
}

registerHooks({
  load(url, context, next) {
    if (!url.startsWith("file:") || !/\.tsx?(\?|$)/.test(url) || url.includes("/node_modules/"))
      return next(url, context);
    const filename = fileURLToPath(url);
    return {
      format: "module",
      shortCircuit: true,
      source: compile(filename, readFileSync(filename, "utf8")),
    };
  },
});
