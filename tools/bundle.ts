import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Plugin } from "rolldown";
import { root } from "./checkout.ts";

/** Holds the bundled processes: `standalone.js`, `gateway.js` and one file per service. */
export const bundleFolder = join(root, "dist");

/** Loaded from `node_modules`: native code, or packages that find workers or data by their path. */
const external =
  /^(@huggingface|@img|@lancedb|@napi-rs|@node-rs|apache-arrow|brotli-wasm|msgpackr-extract|onnxruntime-|pdfjs-dist|sharp|tesseract\.js)\b/;

/** Declared in each file of the bundle: where a file of the checkout is, wherever that is now. */
const locate = `
function locateUrl(path) { return new URL(path, new URL("../", import.meta.url)).href; }
function locateFile(path) { return process.getBuiltinModule("node:url").fileURLToPath(locateUrl(path)); }
`;

/** Bundled modules find their workers, data files and packages where they were before. */
const keepLocations: Plugin = {
  name: "keep-locations",
  transform(code, id) {
    if (!id.startsWith(root)) return null; // Rolldown's own modules
    const path = relative(root, id);
    const url = `locateUrl(${JSON.stringify(path)})`;
    const file = `locateFile(${JSON.stringify(path)})`;
    const folder = `locateFile(${JSON.stringify(dirname(path))})`;
    if (/\bimport\.meta\.(url|dirname|filename)\b/.test(code))
      return code
        .replaceAll("import.meta.url", url)
        .replaceAll("import.meta.dirname", folder)
        .replaceAll("import.meta.filename", file);
    if (/\b__(dirname|filename)\b/.test(code) && !/^(import|export)\b/m.test(code))
      return `var __dirname = ${folder}, __filename = ${file};${code}`;
    return null;
  },
};

/** Each process and the compiled module it starts from. */
const entries = (): Record<string, string> => ({
  standalone: join(root, "apps/standalone/dist/index.js"),
  gateway: join(root, "apps/gateway/dist/main.js"),
  ...Object.fromEntries(
    readdirSync(join(root, "services")).map((name) => [
      name,
      join(root, "services", name, "dist/main.js"),
    ]),
  ),
});

/**
 * Bundles the compiled packages and their dependencies, because reading 3,000 files took two thirds
 * of a start. Nothing is minified, so stack traces stay readable. Swaps in the finished folder in
 * one step.
 */
export async function bundleServers(digest: string): Promise<void> {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    input: entries(),
    platform: "node",
    treeshake: false, // decorators and registrations are side effects
    external,
    plugins: [keepLocations],
    onLog(level, log, report) {
      // Dependencies try optional packages (TypeORM's other drivers, Nest's other transports).
      if (log.code === "UNRESOLVED_IMPORT" && !log.id?.includes("/node_modules/"))
        throw new Error(log.message);
      if (level !== "warn") report(level, log);
    },
  });
  const next = `${bundleFolder}.next`;
  rmSync(next, { recursive: true, force: true });
  await bundle.write({
    dir: next,
    format: "esm",
    sourcemap: "hidden", // for `./carrel bench profile`
    sourcemapExcludeSources: true,
    chunkFileNames: "[name]-[hash].js",
    keepNames: true, // TypeORM and Nest name tables, columns and providers after classes
    intro: locate,
  });
  await bundle.close();
  writeFileSync(join(next, ".digest"), digest);
  rmSync(bundleFolder, { recursive: true, force: true });
  renameSync(next, bundleFolder);
}
