// node --import ./tools/swc-hook.mjs : compiles .ts/.tsx on the fly with swc (legacy decorators +
// metadata), without type checking.
import { registerHooks } from "node:module";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transformSync } from "@swc/core";
process.setSourceMapsEnabled(true);
const options = {
  ...JSON.parse(readFileSync(new URL("../.swcrc", import.meta.url), "utf8")),
  swcrc: false,
  sourceMaps: "inline",
};
delete options.$schema;
delete options.jsc.rewriteRelativeImportExtensions; // keep .ts specifiers: this hook loads them
registerHooks({
  load(url, context, next) {
    if (!url.startsWith("file:") || !/\.tsx?(\?|$)/.test(url) || url.includes("/node_modules/"))
      return next(url, context);
    const filename = fileURLToPath(url);
    return {
      format: "module",
      shortCircuit: true,
      source: transformSync(readFileSync(filename, "utf8"), { ...options, filename }).code,
    };
  },
});
