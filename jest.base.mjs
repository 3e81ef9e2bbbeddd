import { readFileSync } from "node:fs";
import { join } from "node:path";

const swcrc = JSON.parse(readFileSync(new URL("./.swcrc", import.meta.url), "utf8"));
delete swcrc.$schema;
delete swcrc.jsc.rewriteRelativeImportExtensions;

/** Time limit per test, in ms. A file that needs more says why. */
const testTimeouts = {
  unit: 30_000,
  integration: 60_000,
  e2e: 180_000,
  thorough: 180_000,
  install: 240_000,
  sources: 120_000,
  office: 240_000,
  sql: 120_000,
};

/**
 * One Jest project in native ESM mode; `tier` selects unit (.spec), integration (.int-spec),
 * end-to-end (.e2e-spec), installation (.install-spec) tests, those that only
 * `npm run test:thorough` runs (.thorough-spec), connectors on real servers (.sources-spec), files in
 * LibreOffice (.office-spec), or agents on real databases (.sql-spec).
 */
export const project = (rootDir, tier, extra = {}) => ({
  displayName: `${rootDir.split("/").slice(-2).join("/")} ${tier}`,
  rootDir,
  testEnvironment: join(import.meta.dirname, "libs/testing/environment.mjs"),
  runtime: join(import.meta.dirname, "libs/testing/native-runtime.mjs"),
  extensionsToTreatAsEsm: [".ts", ".tsx"],
  transform: { "^.+\\.tsx?$": ["@swc/jest", { ...swcrc, swcrc: false, module: { type: "es6" } }] },
  testEnvironmentOptions: {
    customExportConditions: ["@carrel/source", "node", "node-addons"],
    testTimeout: testTimeouts[tier],
  },
  testMatch: [
    {
      unit: "<rootDir>/**/*.spec.ts?(x)",
      integration: "<rootDir>/**/*.int-spec.ts",
      e2e: "<rootDir>/**/*.e2e-spec.ts",
      install: "<rootDir>/**/*.install-spec.ts",
      thorough: "<rootDir>/**/*.thorough-spec.ts",
      sources: "<rootDir>/**/*.sources-spec.ts",
      office: "<rootDir>/**/*.office-spec.ts",
      sql: "<rootDir>/**/*.sql-spec.ts",
    }[tier],
  ],
  testPathIgnorePatterns: ["/node_modules/", "/dist/"],
  setupFiles: ["reflect-metadata"],
  ...extra,
});
