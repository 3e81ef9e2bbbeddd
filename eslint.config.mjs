import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import js from "@eslint/js";
import boundaries from "eslint-plugin-boundaries";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

const root = import.meta.dirname;

/** Every package with the kind and name from its Nx tags. */
const packages = ["libs", "services", "apps", "."]
  .flatMap((parent) =>
    parent === "." ? ["e2e"] : readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  )
  .filter((folder) => existsSync(join(root, folder, "package.json")))
  .map((folder) => {
    const tags =
      JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).nx?.tags ?? [];
    const tag = (key) => tags.find((one) => one.startsWith(`${key}:`))?.slice(key.length + 1);
    return { folder, kind: tag("kind"), name: tag("name") };
  });
const named = (kind) => packages.filter((one) => one.kind === kind).map((one) => one.name);
const services = named("service");
const libraries = named("lib").filter((name) => name !== "testing");

/**
 * Which packages each may import (docs/architecture: contracts import nothing; a service never
 * imports a service, nor does the gateway; the web app imports only contracts).
 */
const serviceLibraries = libraries;
const arrows = {
  contracts: [],
  config: [],
  observability: ["config"],
  storage: ["config", "contracts", "observability"],
  egress: ["config", "contracts", "observability"],
  picture: ["contracts"],
  database: ["config", "contracts", "observability"],
  messaging: ["config", "contracts", "observability", "database"],
  providers: ["contracts", "egress"],
  "vector-store": ["config", "contracts", "observability", "egress"],
  retrieval: ["contracts", "vector-store"],
  runtime: ["config", "contracts", "observability", "database", "messaging"],
  testing: ["config", "contracts", "database", "messaging", "runtime", "tools"],
  ...Object.fromEntries(services.map((name) => [name, serviceLibraries])),
  gateway: ["config", "contracts", "observability", "messaging", "runtime", "storage", "picture"],
  web: ["contracts"],
  standalone: [
    "config",
    "contracts",
    "observability",
    "database",
    "messaging",
    "runtime",
    "gateway",
    ...services,
  ],
  e2e: ["contracts", "testing", "tools"],
  // Not packages: the launcher's tools (which the test harness uses for its servers) and the
  // benchmarks.
  tools: ["standalone"],
  bench: ["contracts", "testing", "tools", "chat", "ingest", ...libraries],
};
const places = [
  ...packages,
  { folder: "tools", name: "tools" },
  { folder: "bench", name: "bench" },
];

const tests = [
  "**/*.spec.ts",
  "**/*.spec.tsx",
  "**/*.int-spec.ts",
  "**/*.e2e-spec.ts",
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
const noEnvironment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: "Only libs/config reads the environment; take the value from the configuration.",
};
const noFetch = {
  selector: "CallExpression[callee.name='fetch']",
  message: "Only libs/egress leaves the instance; use its content client or provider fetch.",
};
/** Pages update asynchronously, so a single read comes too early on some machine. */
const looks =
  "count|title|textContent|allTextContents|innerText|allInnerTexts|inputValue|getAttribute|isVisible|isDisabled|isEnabled|isChecked|boundingBox";
const pageAssertions =
  "toBeVisible|toBeHidden|toBeAttached|toBeEnabled|toBeDisabled|toBeChecked|toBeFocused|toContainText|toHaveAttribute|toHaveCount|toHaveScreenshot|toHaveText|toHaveTitle|toHaveURL|toHaveValue";
const withoutAwait = "Without await it checks nothing.";
const tooEarly = [
  {
    selector: `CallExpression[callee.name='expect'] > AwaitExpression.arguments > CallExpression[callee.property.name=/^(${looks})$/]`,
    message: "Use an assertion that waits, like await expect(locator).toHaveText(…).",
  },
  {
    selector: "CallExpression[callee.property.name='waitForTimeout']",
    message: "Wait for what is to come, not for a time.",
  },
  {
    selector: `ExpressionStatement > CallExpression[callee.property.name=/^(${pageAssertions})$/]`,
    message: withoutAwait,
  },
  {
    selector:
      "ExpressionStatement > CallExpression > MemberExpression > CallExpression[callee.object.name='expect'][callee.property.name='poll']",
    message: withoutAwait,
  },
  {
    selector:
      "ExpressionStatement > CallExpression > MemberExpression > CallExpression[callee.name='poll']",
    message: withoutAwait,
  },
];
const onlyIn = (names, message) => names.map((name) => ({ regex: `^${name}(/|$)`, message }));
const redis = onlyIn(["ioredis", "bullmq"], "Only libs/messaging knows Redis.");
const http = [
  ...onlyIn(["undici", "axios", "got", "node-fetch"], "Only libs/egress leaves the instance."),
  ...onlyIn(
    ["(node:)?https?", "(node:)?http2"],
    "Clients that leave the instance live in libs/egress.",
  ),
];

/**
 * The layers of a service, lowest first; each lists the folders of `src` (slices) in it. A slice
 * imports itself and slices of lower layers, never one in the same layer or above. The files
 * directly in `src` (module, configuration, database) compose the slices and may import all of
 * them.
 */
const layers = {
  auth: [
    ["access", "event-log", "secret"],
    ["throttle", "user"],
    ["key", "recovery-code", "sign-in-token"],
    ["session"],
    ["credential", "password"],
    ["account", "invite", "mode", "openid", "recovery", "second-factor"],
    ["sign-in"],
    ["database"],
  ],
  chat: [
    ["database"],
    ["setting", "thread"],
    ["model", "turn"],
    ["memory", "prompt", "retrieval"],
    ["attachment", "inspection"],
    ["answer"],
    ["generation"],
    ["export", "search", "title", "trash"],
    ["deletion"],
  ],
  connectors: [["link"]],
  ingest: [
    ["database", "parsing"],
    ["work-pool"],
    ["setting", "blob"],
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
    ["access"],
    ["user", "workspace"],
    ["event", "member", "picture"],
    ["preference"],
    ["preset", "prompt-history", "setting", "suggestion", "variable"],
    ["lifecycle", "prompt", "provider", "system-preference"],
    ["membership"],
    ["database"],
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
  rules: { "no-restricted-imports": ["error", { patterns: [...redis, { regex, message }] }] },
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
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    languageOptions: { globals: { ...globals.node } },
    rules: {
      "no-undef": "off",
      "@typescript-eslint/no-explicit-any": "error",
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
            "{{from.element.types}} may not import {{to.element.types}} (see the arrows in eslint.config.mjs).",
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
      "no-restricted-syntax": ["error", noEnvironment, noFetch],
    },
  },
  { files: ["libs/config/**"], rules: { "no-restricted-syntax": ["error", noFetch] } },
  {
    files: ["libs/messaging/**"],
    rules: { "no-restricted-imports": ["error", { patterns: http }] },
  },
  {
    files: ["libs/egress/**"],
    rules: {
      "no-restricted-imports": ["error", { patterns: redis }],
      "no-restricted-syntax": ["error", noEnvironment],
    },
  },
  // Health and metrics servers, and the app's calls to its own gateway.
  {
    files: ["libs/observability/**", "apps/gateway/**"],
    rules: { "no-restricted-imports": ["error", { patterns: redis }] },
  },
  {
    files: ["apps/web/**"],
    rules: {
      "no-restricted-syntax": ["error", noEnvironment],
      "no-restricted-imports": ["error", { patterns: redis }],
    },
  },
  ...layerRules,
  ...featureRules,
  { files: tests, rules: { "no-restricted-imports": "off", "no-restricted-syntax": "off" } },
  {
    files: ["apps/web/test/**/*.ts", "e2e/**/*.ts"],
    rules: { "no-restricted-syntax": ["error", ...tooEarly] },
  },
);
