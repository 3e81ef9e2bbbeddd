import { cpSync, existsSync, readdirSync, createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import react from "@vitejs/plugin-react";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import tailwindcss from "@tailwindcss/vite";
import { earlyStart } from "./vite/early-start.ts";

const require = createRequire(import.meta.url);
const pdfjs = dirname(require.resolve("pdfjs-dist/package.json"));
const pdfjsFolders = ["cmaps", "standard_fonts", "wasm"];

/** Workers have no document; this library's variant for browsers decodes entities with one. */
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
 * Writes .br and .gz next to compressible files so that the gateway can serve them as they are. Only
 * what every first page loads is worth maximum compression, which takes six times as long for 8 %
 * fewer bytes, and large files, which are fetched rarely, get less than the others.
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

/** Whether a constant can be written as JSON: no schema or function anywhere inside. */
const isPlainData = (value: unknown): boolean =>
  value === null ||
  ["string", "number", "boolean"].includes(typeof value) ||
  (Array.isArray(value) && value.every(isPlainData)) ||
  (typeof value === "object" &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.values(value).every(isPlainData));

/**
 * In the built app `@carrel/contracts` is each operation's method, path and kind, and constants, in
 * a module each. The schemas (and with them zod, 28 kB of the first page) stay on the server, which
 * has already validated its replies; page and server come from the same build. In development and
 * tests the app uses the contracts themselves and validates every reply.
 */
function contractTable(): Plugin {
  const id = "\0carrel-contract-table";
  return {
    name: "carrel-contract-table",
    apply: "build",
    enforce: "pre",
    resolveId: (source) =>
      source === "@carrel/contracts" ? id : source.startsWith(`${id}/`) ? source : null,
    // Imported by name, so that a page's operations are loaded with the page.
    transform: (code) =>
      code.includes('from "@carrel/contracts"')
        ? code.replace(/^import \{([^}]*)\} from "@carrel\/contracts";/gm, (_, names: string) =>
            names
              .split(",")
              .map((name) => name.trim())
              .filter((name) => name !== "" && !name.startsWith("type "))
              .map((name) => {
                const source = JSON.stringify(`${id}/${name.replace(/ as .*/, "")}`);
                return `import { ${name} } from ${source};`;
              })
              .join(" "),
          )
        : null,
    load: async (wanted) => {
      if (!wanted.startsWith(id)) return null;
      if (wanted === `${id}/operation`)
        return {
          code: [
            "const output = { safeParse: (data) => ({ success: true, data }) };",
            "export const operation = (method, path, kind) => ({",
            "  name: path, routes: method ? [{ method, path }] : [], success: { kind }, output",
            "});",
          ].join("\n"),
          moduleSideEffects: false,
        };
      // Vite's own loader gives up after a minute, which a busy machine may need.
      const module = (await import(
        pathToFileURL(require.resolve("@carrel/contracts")).href
      )) as Record<string, unknown>;
      const only = wanted.slice(id.length + 1);
      const lines = Object.entries(module).flatMap(([name, value]) => {
        if (only !== "" && name !== only) return [];
        if (isPlainData(value)) return [`export const ${name} = ${JSON.stringify(value)};`];
        if (
          typeof value !== "object" ||
          value === null ||
          !("routes" in value) ||
          !("success" in value)
        )
          return [];
        const { routes, success } = value as {
          routes: { method: string; path: string }[];
          success: { kind: string };
        };
        const [route] = routes; // the web app's own; the others are for other clients
        const parts = [route?.method ?? null, route?.path ?? null, success.kind].map((part) =>
          JSON.stringify(part),
        );
        if (only === "") return [`export { ${name} } from ${JSON.stringify(`${id}/${name}`)};`];
        return [`export const ${name} = /* @__PURE__ */ operation(${parts.join(", ")});`];
      });
      return {
        code: [
          ...(only === ""
            ? []
            : [`import { operation } from ${JSON.stringify(`${id}/operation`)};`]),
          ...lines,
        ].join("\n"),
        moduleSideEffects: false,
      };
    },
  };
}

/** Packages that only Mermaid needs. */
const mermaidPackages =
  /node_modules[\\/](?:mermaid|@mermaid-js|@iconify|@braintree|@upsetjs|d3(?:-[a-z-]+)?|dagre-d3-es|cytoscape[a-z-]*|cose-base|layout-base|khroma|roughjs|hachure-fill|path-data-parser|points-on-(?:curve|path)|delaunator|internmap|robust-predicates|stylis|marked|dayjs|es-toolkit|fastdom|ts-dedent|uuid)[\\/]/;
/** What the palette searches besides names: the settings pages and the texts about them. */
const palette =
  /src[\\/](?:lib[\\/]settings-texts|features[\\/](?:account|workspace-settings)[\\/]texts|features[\\/]shell[\\/]state[\\/]hits|features[\\/]workspace-settings[\\/]state[\\/]tabs|routes[\\/]-settings-pages)\.ts$|locales[\\/]en[\\/](?:account|settings|workspace)\.json$/;
const shared = { minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 6_000 };

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
    react(),
    tailwindcss(),
    contractTable(),
    earlyStart(() => [contractTable()]),
    pdfjsFiles(),
    precompressed(),
  ],
  resolve: { conditions: ["@carrel/source", "module", "browser", "development|production"] },
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
  // The converter of documents loads a format's library with its first file.
  worker: { format: "es", plugins: () => [withoutDom()] },
  build: {
    target: "es2022",
    sourcemap: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
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
            // Merged with parts of the app, these would bring them along on first use.
            { name: "palette", test: palette, priority: 1 },
            { name: "parts", ...shared },
          ],
        },
      },
    },
  },
});
