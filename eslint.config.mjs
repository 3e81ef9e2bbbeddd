import { readdirSync } from "node:fs";
import { join } from "node:path";
import js from "@eslint/js";
import boundaries from "eslint-plugin-boundaries";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";
import { unbuiltContracts } from "./tools/lint-contracts.mjs";
import { arrows, libraries, places } from "./tools/lint-packages.mjs";
import { sqlStyle } from "./tools/lint-sql.ts";
import {
  http,
  noEnvironment,
  noFetch,
  noHash,
  redis,
  tooEarly,
  tooManyDependencies,
} from "./tools/lint-restrictions.mjs";

const root = import.meta.dirname;

const tests = [
  "**/*.spec.ts",
  "**/*.spec.tsx",
  "**/*.int-spec.ts",
  "**/*.e2e-spec.ts",
  "**/*.install-spec.ts",
  "**/*.pw.ts",
  "playwright.config.ts",
  "**/test/**",
  "**/bench/**",
  "libs/testing/**",
  "e2e/**",
  "tools/**",
  "**/*.mjs",
  "**/*.cjs",
  "**/vite.config.ts",
];
/**
 * The layers of a service, lowest first; each lists the folders of `src` (slices) in it. A slice
 * imports itself and slices of lower layers, never one in the same layer or above. The files
 * directly in `src` (module, configuration, database) compose the slices and may import all of
 * them. `database`, `access`, `connector`, `event-chain`, `link` and `parsing` have no providers and
 * therefore no Nest module: they hold migrations, rules, interfaces and functions for the slices above.
 */
const layers = {
  auth: [
    ["database"],
    ["access", "event-log", "secret"],
    ["throttle", "user"],
    ["key", "one-time-code", "recovery-code", "sign-in-token"],
    ["session"],
    ["credential", "password"],
    ["account", "invite", "mode", "openid", "recovery", "second-factor"],
    ["sign-in"],
  ],
  chat: [
    ["database"],
    ["event-log", "setting", "thread", "webhook"],
    ["usage"],
    ["model", "turn"],
    ["budget", "memory", "prompt", "retrieval"],
    ["attachment", "dictation", "inspection", "speech"],
    ["answer"],
    ["generation"],
    ["share", "widget"],
    ["export", "search", "title", "trash"],
    ["deletion", "record"],
  ],
  connectors: [["connector", "database"], ["link"], ["import"]],
  ingest: [
    ["database", "parsing"],
    ["work-pool"],
    ["setting", "blob", "usage", "webhook"],
    ["transcription"],
    ["document"],
    ["chunking"],
    ["embedding"],
    ["index"],
    ["intake"],
    ["parsed-file", "reranking", "context"],
    ["library", "passage"],
    ["workspace-document"],
  ],
  workspace: [
    ["database"],
    ["access", "event-chain"],
    ["user", "workspace"],
    ["event", "member", "picture"],
    ["preference", "webhook"],
    ["preset", "prompt-history", "setting", "suggestion", "variable", "widget"],
    ["audit", "lifecycle", "prompt", "provider", "system-preference"],
    ["membership"],
  ],
};

/**
 * The web app: routes combine features; a feature imports components/ and lib/, never another
 * feature; components/ and lib/ import neither.
 */
const features = readdirSync(join(root, "apps/web/src/features"));
const featureRules = [
  ...features.map((feature) => {
    const others = features.filter((other) => other !== feature);
    return {
      files: [`apps/web/src/features/${feature}/**`],
      regex: `^(\\.\\./)+(routes|(features/)?(${others.join("|")}))/`,
      message: "Features never import each other or a route: a route joins them.",
    };
  }),
  {
    files: ["apps/web/src/components/**", "apps/web/src/lib/**"],
    regex: "^(\\.\\./)+(features|routes)/",
    message: "What features share knows none of them.",
  },
].map(({ files, regex, message }) => ({
  files,
  rules: {
    "no-restricted-imports": [
      "error",
      { paths: [unbuiltContracts], patterns: [...redis, { regex, message }] },
    ],
  },
}));

const layerRules = Object.entries(layers).flatMap(([service, ordered]) => {
  const src = join(root, "services", service, "src");
  const folders = readdirSync(src, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  const missing = folders.filter((folder) => !ordered.flat().includes(folder));
  const gone = ordered.flat().filter((folder) => !folders.includes(folder));
  if (missing.length + gone.length > 0)
    throw new Error(
      `Layers of ${service} in eslint.config.mjs: add ${missing.join(", ") || "nothing"}, remove ${gone.join(", ") || "nothing"}.`,
    );
  return ordered.flatMap((slices, level) =>
    slices.map((slice) => {
      const above = ordered
        .slice(level)
        .flat()
        .filter((other) => other !== slice);
      const patterns = [
        ...(above.length === 0
          ? []
          : [
              {
                regex: `^(\\.\\./)+(${above.join("|")})/`,
                message: `${slice} is below or beside this slice of ${service} (see the layers in eslint.config.mjs).`,
              },
            ]),
        {
          regex: "^(\\.\\./)+[^/]+\\.module\\.ts$",
          message: "The service's module imports its slices, never the other way round.",
        },
      ];
      return {
        files: [`services/${service}/src/${slice}/**/*.ts`],
        rules: {
          "no-restricted-imports": ["error", { patterns: [...redis, ...http, ...patterns] }],
        },
      };
    }),
  );
});

const element = (one) => ({ type: one.name, pattern: one.folder });
const isTestFile = (names) => ({ file: { categories: names } });

export default tseslint.config(
  {
    ignores: [
      "**/dist/**",
      "**/dist.next/**",
      "**/node_modules/**",
      "**/.nx/**",
      "**/routeTree.gen.ts",
      ".tools/**",
      ".carrel/**",
      "**/coverage/**",
      "**/public/**",
      "clients/typescript/src/generated/**",
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    languageOptions: { globals: { ...globals.node } },
    rules: {
      "no-undef": "off",
      "max-lines": ["error", 300], // a longer file usually has a second responsibility
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/parameter-properties": ["error", { prefer: "parameter-property" }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
    },
  },
  {
    files: ["apps/web/src/**/*.ts", "apps/web/src/**/*.tsx"],
    ...reactHooks.configs.flat.recommended,
    rules: {
      ...reactHooks.configs.flat.recommended.rules,
      "react-hooks/incompatible-library": "off",
    }, // for the React Compiler, which is not used
  },
  {
    files: ["**/*.ts", "**/*.tsx"],
    // Migrations are never edited after they land.
    ignores: ["**/migrations/**", "tools/lint-sql.spec.ts"],
    plugins: { carrel: sqlStyle },
    rules: { "carrel/sql-style": "error" },
  },
  { files: ["**/*.cjs"], rules: { "@typescript-eslint/no-require-imports": "off" } },
  {
    files: ["**/*.ts", "**/*.tsx"],
    plugins: { boundaries },
    settings: {
      "boundaries/root-path": root,
      "boundaries/elements": places.map(element),
      "boundaries/files": [{ category: "test", pattern: tests }],
      "import/resolver": { [join(root, "tools/eslint-resolver.cjs")]: {} },
    },
    rules: {
      "boundaries/dependencies": [
        "error",
        {
          default: "disallow",
          message:
            "{{from.element.types}} may not import {{to.element.types}} (see the arrows in tools/lint-packages.mjs).",
          policies: [
            { allow: { to: { module: { origin: ["external", "core"] } } } },
            ...places.map((one) => ({
              from: { element: { type: one.name } },
              allow: { to: { element: { type: [one.name, ...(arrows[one.name] ?? [])] } } },
            })),
            // Tests may use the test harness and any library, but nothing else of other services.
            {
              from: isTestFile("test"),
              allow: { to: { element: { type: ["testing", "tools", ...libraries] } } },
            },
          ],
        },
      ],
      "no-restricted-imports": ["error", { patterns: [...redis, ...http] }],
      "no-restricted-syntax": ["error", noEnvironment, noFetch, noHash, tooManyDependencies],
    },
  },
  { files: ["libs/config/**"], rules: { "no-restricted-syntax": ["error", noFetch, noHash] } },
  {
    files: ["libs/messaging/**"],
    rules: { "no-restricted-imports": ["error", { patterns: http }] },
  },
  {
    files: ["libs/egress/**"],
    rules: {
      "no-restricted-imports": ["error", { patterns: redis }],
      "no-restricted-syntax": ["error", noEnvironment, noHash],
    },
  },
  // Health and metrics servers, and the app's calls to its own gateway.
  {
    files: ["libs/observability/**", "apps/gateway/**"],
    rules: { "no-restricted-imports": ["error", { patterns: redis }] },
  },
  {
    files: ["apps/{web,widget,extension}/**"],
    rules: {
      "no-restricted-syntax": ["error", noEnvironment, noHash],
      "no-restricted-imports": ["error", { paths: [unbuiltContracts], patterns: redis }],
    },
  },
  // Keys, which no log or error may show: `private` is gone at run time.
  {
    files: [
      "libs/config/src/secret.ts",
      "libs/database/src/secret-box.ts",
      "libs/messaging/src/message-cipher.ts",
    ],
    rules: { "no-restricted-syntax": ["error", noEnvironment, noFetch] },
  },
  ...layerRules,
  ...featureRules,
  {
    files: tests,
    rules: { "no-restricted-imports": "off", "no-restricted-syntax": ["error", noHash] },
  },
  // JavaScript has no other way, and clients run in other people's programs.
  { files: ["**/*.mjs", "clients/**"], rules: { "no-restricted-syntax": "off" } },
  {
    files: ["apps/{web,widget}/test/**/*.ts", "e2e/**/*.ts"],
    rules: { "no-restricted-syntax": ["error", noHash, ...tooEarly] },
  },
);
