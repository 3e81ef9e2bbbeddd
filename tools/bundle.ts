import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { Plugin } from "rolldown";
import { root } from "./checkout.ts";

/**
 * Holds the bundled processes: `standalone.js`, `gateway.js` and one file per service, and
 * `parsing-worker.js`.
 */
export const bundleFolder = join(root, "dist");

/** Loaded from `node_modules`: native code, or packages that find workers or data by their path. */
const external =
  /^(@huggingface|@img|@lancedb|@napi-rs|@node-rs|apache-arrow|brotli-wasm|msgpackr-extract|onnxruntime-|pdfjs-dist|playwright-core|sharp|tesseract\.js)\b/;

/** Declared in each file of the bundle: where a file of the checkout is, wherever that is now. */
const locate = `
function locateUrl(path) { return new URL(path, new URL("../", import.meta.url)).href; }
function locateFile(path) { return process.getBuiltinModule("node:url").fileURLToPath(locateUrl(path)); }
`;

/** Bundled modules find their workers, data files and packages where they were before. */
const keepLocations: Plugin = {
  name: "keep-locations",
  transform(code, id) {
    if (!isAbsolute(id)) return null; // Rolldown's own modules
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

/** Connectors are found by their folders, which a bundle no longer has. */
const importConnectors: Plugin = {
  name: "import-connectors",
  load(id) {
    if (!id.endsWith("/services/connectors/dist/registry/load-connectors.js")) return null;
    const names = readdirSync(join(dirname(id), "../source")).sort();
    const imports = names.map(
      (name, n) => `import { connector as c${n} } from "../source/${name}/${name}.connector.js";`,
    );
    const all = names.map((_, n) => `c${n}`).join(", ");
    return `${imports.join("\n")}\nexport const loadConnectors = async () => [${all}];`;
  },
};

/**
 * The program of the threads that parse files. It is bundled apart from the processes, so that a
 * thread loads a few files with only what it needs; most uploads come alone, and start one.
 */
const parsingWorker = "parsing-worker";
const useParsingWorker: Plugin = {
  name: "use-parsing-worker",
  load(id) {
    return id.endsWith("/services/ingest/dist/work-pool/worker-file.js")
      ? `export const workerFile = locateFile("dist/${parsingWorker}.js");`
      : null;
  },
};

/** Lists the bundle's files, so that the next build can keep them. */
const manifestFile = join(bundleFolder, ".files.json");

/**
 * Bundles compiled packages and their dependencies, because reading 3,000 files took two thirds of a
 * start. Nothing is minified, so stack traces stay readable.
 *
 * @param input the module that each process starts from, by the process's name
 * @param digest identifies the sources
 */
export async function bundleServers(input: Record<string, string>, digest: string): Promise<void> {
  const next = `${bundleFolder}.next`;
  rmSync(next, { recursive: true, force: true });
  await writeBundle(input, next);
  const worker = join(root, "services/ingest/dist/work-pool/worker.js");
  await writeBundle({ [parsingWorker]: worker }, next);
  publish(next, digest);
}

async function writeBundle(input: Record<string, string>, folder: string): Promise<void> {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    input,
    platform: "node",
    treeshake: false, // decorators and registrations are side effects
    external,
    plugins: [importConnectors, useParsingWorker, keepLocations],
    onLog(level, log, report) {
      // Dependencies try optional packages (TypeORM's other drivers, Nest's other transports).
      if (log.code === "UNRESOLVED_IMPORT" && !log.id?.includes("/node_modules/"))
        throw new Error(log.message);
      if (level !== "warn") report(level, log);
    },
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    sourcemap: "hidden", // for `./carrel bench profile`
    sourcemapExcludeSources: true,
    chunkFileNames: "[name]-[hash].js",
    keepNames: true, // TypeORM and Nest name tables, columns and providers after classes
    intro: locate,
    // A file with characters beyond Latin-1 takes twice its size in memory.
    charset: "ascii",
    comments: false,
  });
  await bundle.close();
}

/**
 * Moves a finished bundle into place, files before those that import them: the processes' own files
 * come last, as only their names don't depend on their contents. Files of the previous bundle stay
 * until the next build, because running processes load some only when they need them.
 */
function publish(next: string, digest: string): void {
  mkdirSync(bundleFolder, { recursive: true });
  const previous = existsSync(manifestFile)
    ? (JSON.parse(readFileSync(manifestFile, "utf8")) as string[])
    : [];
  rmSync(join(bundleFolder, ".digest"), { force: true });
  const isEntry = (file: string): boolean => !/-[\w-]{8}\.js(\.map)?$/.test(file);
  const files = readdirSync(next).sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)));
  for (const file of files) renameSync(join(next, file), join(bundleFolder, file));
  const kept = new Set([...files, ...previous]);
  for (const file of readdirSync(bundleFolder))
    if (!file.startsWith(".") && !kept.has(file)) rmSync(join(bundleFolder, file));
  rmSync(next, { recursive: true });
  writeFileSync(manifestFile, JSON.stringify(files));
  writeFileSync(join(bundleFolder, ".digest"), digest);
}
