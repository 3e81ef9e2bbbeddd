import { readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "oxlint";
import { layerRules } from "./tools/lint-layers.mjs";
import { arrows, libraries, places } from "./tools/lint-packages.mjs";
import {
  cutTexts,
  http,
  noEnvironment,
  noFetch,
  noHash,
  noTexts,
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
  "**/*.thorough-spec.ts",
  "**/*.sources-spec.ts",
  "**/*.office-spec.ts",
  "**/*.sql-spec.ts",
  "**/*.fixture.ts",
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
    "no-restricted-imports": ["error", { patterns: [...redis, { regex, message }] }],
  },
}));

const element = (one) => ({ type: one.name, pattern: one.folder });
const isTestFile = (names) => ({ file: { categories: names } });
/** Options of the rule that finds syntax by ESLint's selectors; none turns it off. */
const syntax = (...found) => ({
  "carrel/restricted-syntax": found.length === 0 ? "off" : ["error", ...found],
});
const imports = (options) => ({
  "no-restricted-imports": options === null ? "off" : ["error", options],
});

/** Those of eslint-plugin-react-hooks, except those for the React Compiler, which isn't used. */
const reactRules = [
  "error-boundaries",
  "exhaustive-deps",
  "globals",
  "immutability",
  "preserve-manual-memoization",
  "purity",
  "refs",
  "rules-of-hooks",
  "set-state-in-effect",
  "set-state-in-render",
  "static-components",
  "unsupported-syntax",
  "use-memo",
];

export default defineConfig({
  options: { denyWarnings: true, reportUnusedDisableDirectives: "error" },
  ignorePatterns: [
    "**/dist/**",
    "**/dist.next/**",
    "**/node_modules/**",
    "**/*.gen.ts",
    ".tools/**",
    ".carrel/**",
    "**/coverage/**",
    "**/public/**",
    "clients/typescript/src/generated/**",
  ],
  plugins: ["typescript"],
  jsPlugins: ["./tools/lint-plugin.ts", "eslint-plugin-boundaries"],
  settings: {
    "boundaries/root-path": root,
    "boundaries/elements": places.map(element),
    "boundaries/files": [{ category: "test", pattern: tests }],
    "import/resolver": { [join(root, "tools/import-resolver.cjs")]: {} },
  },
  categories: { correctness: "error" },
  rules: {
    "max-lines": ["error", 400], // a longer file usually has a second responsibility
    "no-array-constructor": "error",
    "no-case-declarations": "error",
    "no-empty": "error",
    "no-fallthrough": "error",
    "no-prototype-builtins": "error",
    "no-redeclare": "error",
    "no-regex-spaces": "error",
    "no-unexpected-multiline": "error",
    "no-unused-expressions": "error",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    "no-useless-assignment": "error",
    "no-var": "error",
    "prefer-const": "error",
    "prefer-rest-params": "error",
    "prefer-spread": "error",
    "preserve-caught-error": "error",
    "typescript/ban-ts-comment": "error",
    "typescript/no-empty-object-type": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-namespace": "error",
    "typescript/no-require-imports": "error",
    "typescript/no-unnecessary-type-constraint": "error",
    "typescript/no-unsafe-function-type": "error",
    "typescript/parameter-properties": ["error", { prefer: "parameter-property" }],
  },
  overrides: [
    {
      files: ["apps/web/src/**/*.ts", "apps/web/src/**/*.tsx"],
      plugins: ["typescript", "react"],
      rules: Object.fromEntries(reactRules.map((rule) => [`react/${rule}`, "error"])),
    },
    {
      files: ["**/*.ts", "**/*.tsx"],
      // Migrations are never edited after they land.
      excludeFiles: ["**/migrations/**", "tools/lint-sql.spec.ts"],
      rules: { "carrel/sql-style": "error" },
    },
    { files: ["**/*.cjs"], rules: { "typescript/no-require-imports": "off" } },
    {
      files: ["**/*.ts", "**/*.tsx"],
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
        ...imports({ patterns: [...redis, ...http] }),
        ...syntax(noEnvironment, noFetch, noHash, tooManyDependencies, ...cutTexts),
      },
    },
    { files: ["libs/config/**"], rules: syntax(noFetch, noHash) },
    // Terms of the search index are never shown.
    {
      files: ["libs/retrieval/**"],
      rules: syntax(noEnvironment, noFetch, noHash, tooManyDependencies),
    },
    { files: ["libs/messaging/**"], rules: imports({ patterns: http }) },
    {
      files: ["libs/egress/**"],
      rules: { ...imports({ patterns: redis }), ...syntax(noEnvironment, noHash) },
    },
    // Health and metrics servers, and the app's calls to its own gateway.
    { files: ["libs/observability/**", "apps/gateway/**"], rules: imports({ patterns: redis }) },
    {
      files: ["apps/{web,widget,extension}/**"],
      rules: {
        ...syntax(noEnvironment, noHash, ...cutTexts),
        ...imports({ patterns: redis }),
      },
    },
    {
      files: ["apps/{web,widget}/src/**/*.tsx"],
      rules: syntax(noEnvironment, noHash, ...cutTexts, ...noTexts),
    },
    // Keys, which no log or error may show: `private` is gone at run time.
    {
      files: [
        "libs/config/src/secret.ts",
        "libs/database/src/secret-box.ts",
        "libs/messaging/src/message-cipher.ts",
      ],
      rules: syntax(noEnvironment, noFetch),
    },
    ...layerRules,
    ...featureRules,
    { files: tests, rules: { ...imports(null), ...syntax(noHash) } },
    // JavaScript has no other way, and clients run in other people's programs.
    { files: ["**/*.mjs", "clients/**"], rules: syntax() },
    {
      files: ["apps/{web,widget}/test/**/*.ts", "e2e/**/*.ts"],
      rules: syntax(noHash, ...tooEarly),
    },
  ],
});
