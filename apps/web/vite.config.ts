import { cpSync, existsSync, readdirSync, createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { earlyStart } from "./vite/early-start.ts";
import { languageFiles } from "./vite/language-files.ts";

const require = createRequire(import.meta.url);
const pdfjs = dirname(require.resolve("pdfjs-dist/package.json"));
const pdfjsFolders = ["cmaps", "standard_fonts", "wasm"];

/**
 * Workers have no document, and this library's variant for browsers needs one to decode entities.
 */
function withoutDom(): Plugin {
  const name = "decode-named-character-reference";
  return {
    name: "carrel-without-dom",
    enforce: "pre",
    resolveId: (source) => (source === name ? require.resolve(name) : null),
  };
}

/**
 * Serves the character maps, fallback fonts and decoders that pdf.js requests by name from our own
 * origin.
 */
function pdfjsFiles(): Plugin {
  let outDir = "";
  return {
    name: "carrel-pdfjs-files",
    configResolved: (config) => {
      outDir = resolve(config.root, config.build.outDir);
    },
    configureServer: (server) => {
      server.middlewares.use("/pdfjs", (request, response, next) => {
        const file = join(pdfjs, decodeURIComponent((request.url ?? "").split("?")[0] ?? ""));
        if (
          !pdfjsFolders.some((folder) => file.startsWith(join(pdfjs, folder))) ||
          !existsSync(file)
        )
          return next();
        createReadStream(file).pipe(response);
      });
    },
    closeBundle: () => {
      for (const folder of pdfjsFolders)
        cpSync(join(pdfjs, folder), join(outDir, "pdfjs", folder), { recursive: true });
    },
  };
}

/**
 * Writes .br and .gz next to compressible files so that the gateway can serve them as they are.
 * Only files that every first page loads are worth maximum compression, which takes six times as
 * long for 8 % fewer bytes; large files, which are rarely fetched, get less than the others.
 */
function precompressed(): Plugin {
  let outDir = "";
  const compressible = /\.(js|mjs|css|svg|json|wasm)$/; // the gateway compresses index.html
  const compress = async (path: string, isFirst: boolean): Promise<void> => {
    const bytes = await readFile(path);
    if (bytes.length < 1024) return;
    const big = bytes.length > 1_000_000;
    await Promise.all([
      promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: big ? 5 : isFirst ? 11 : 9,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }).then((packed) => writeFile(`${path}.br`, packed)),
      promisify(gzip)(bytes, { level: big ? 6 : 9 }).then((packed) =>
        writeFile(`${path}.gz`, packed),
      ),
    ]);
  };
  return {
    name: "carrel-precompressed",
    apply: "build",
    enforce: "post",
    configResolved: (config) => {
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: "post",
      sequential: true,
      handler: async () => {
        const firstPage = await readFile(join(outDir, "index.html"), "utf8");
        await Promise.all(
          readdirSync(outDir, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile() && compressible.test(entry.name))
            .map(({ parentPath, name }) =>
              compress(join(parentPath, name), firstPage.includes(name)),
            ),
        );
      },
    },
  };
}

/**
 * Routes whose components are in the entry chunk, because most visits start there; every other
 * route has its own chunk.
 */
const entryRoutes = [
  "/_app",
  "/_app/",
  "/_app/workspace/$workspaceSlug/",
  "/_app/workspace/$workspaceSlug/t/$threadSlug",
];

/**
 * Stops a build whose routes weren't split: the router's plugin only logs its own faults, and the
 * app doesn't start as one chunk.
 */
const splitRoutes: Plugin = {
  name: "carrel-split-routes",
  generateBundle(_, bundle) {
    const isSplit = Object.values(bundle).some(
      (chunk) => chunk.type === "chunk" && chunk.moduleIds.some((id) => id.includes("tsr-split")),
    );
    if (!isSplit) this.error("The router's plugin split no routes. See its error above.");
  },
};

/** Packages that only Mermaid needs. */
const mermaidPackages =
  /node_modules[\\/](?:mermaid|@mermaid-js|@iconify|@braintree|@upsetjs|d3(?:-[a-z-]+)?|dagre-d3-es|cytoscape[a-z-]*|cose-base|layout-base|khroma|roughjs|hachure-fill|path-data-parser|points-on-(?:curve|path)|delaunator|internmap|robust-predicates|stylis|marked|dayjs|es-toolkit|fastdom|ts-dedent|uuid)[\\/]/;
/** What the palette searches in addition to names: the settings pages and the texts about them. */
const palette =
  /src[\\/](?:lib[\\/]settings-texts|features[\\/](?:account|workspace-settings)[\\/]texts|features[\\/]shell[\\/]state[\\/]hits|features[\\/]workspace-settings[\\/]state[\\/]tabs|routes[\\/]-settings-pages)\.ts$|locales[\\/]en[\\/](?:account|settings|workspace)\.json$/;
const shared = { minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 6_000 };

const languages = languageFiles(import.meta.dirname);

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      routesDirectory: "src/routes",
      generatedRouteTree: "src/routeTree.gen.ts",
      codeSplittingOptions: {
        splitBehavior: ({ routeId }) => (entryRoutes.includes(routeId) ? [] : undefined),
      },
    }), // must precede react()
    splitRoutes,
    react(),
    tailwindcss(),
    earlyStart(languages.define),
    languages.plugin,
    pdfjsFiles(),
    precompressed(),
  ],
  resolve: {
    conditions: [
      "@carrel/browser",
      "@carrel/source",
      "module",
      "browser",
      "development|production",
    ],
  },
  server: {
    host: "127.0.0.1",
    port: 5180,
    strictPort: true,
    proxy: Object.fromEntries(
      ["/api", "/embed/"].map((path) => [
        path,
        { target: process.env.CARREL_DEV_GATEWAY ?? "http://127.0.0.1:3001" },
      ]),
    ),
  },
  // The document converter loads a format's library with its first file.
  worker: { format: "es", plugins: () => [withoutDom()] },
  build: {
    target: "es2022",
    sourcemap: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // Operations are strings: each is loaded with the page that uses it.
      optimization: { inlineConst: { mode: "all" } },
      output: {
        // Names of chunks are in the first script, and don't compress.
        hashCharacters: "hex",
        // The names of shared chunks list all of their importers.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, "")}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: "entry", tags: ["$initial"], priority: 2 },
            // Only one dialog needs zod, which probes whether it may compile code; that would be
            // reported as a violation of the content security policy.
            { name: "zod", test: /node_modules[\\/]zod[\\/]/, priority: 3 },
            // Merged with parts of the app, Mermaid's would be loaded with the first menu.
            { name: "diagrams", test: mermaidPackages, priority: 1, ...shared },
            // Merged with parts of the app, these would be loaded with them on first use.
            { name: "palette", test: palette, priority: 1 },
            // An icon would be merged with the part of the app that uses it first.
            { name: "icons", test: /node_modules[\\/]lucide-react[\\/]/, priority: 1, ...shared },
            // Administration shows chats too: merged with it, these would load it with an answer.
            {
              name: "chat",
              test: /src[\\/](?:features[\\/]chat[\\/]|lib[\\/]source-places\.ts$)/,
              priority: 1,
              ...shared,
            },
            { name: "parts", ...shared },
          ],
        },
      },
    },
  },
});
