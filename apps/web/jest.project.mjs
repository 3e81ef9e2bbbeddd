import { project } from "../../jest.base.mjs";

/** Logic runs in jsdom; pages run in a real Chromium under Playwright (`test/*.pw.ts`). */
export default (tier) => {
  if (tier !== "unit") return null;
  const base = project(import.meta.dirname, "unit");
  const [, options] = base.transform["^.+\\.tsx?$"];
  return {
    ...base,
    runtime: undefined, // jsdom's globals need a context
    testEnvironment: "jest-environment-jsdom",
    testEnvironmentOptions: {
      customExportConditions: ["@carrel/browser", "@carrel/source", "browser", "import", "default"],
    },
    setupFiles: ["<rootDir>/testing/globals.ts"],
    setupFilesAfterEnv: ["<rootDir>/testing/missing-in-jsdom.ts"],
    moduleNameMapper: {
      "\\.(css|svg)$": "<rootDir>/testing/style-stub.ts",
      "\\?(url|inline)$": "<rootDir>/testing/style-stub.ts",
    },
    transform: {
      "^.+\\.tsx?$": [
        "@swc/jest",
        {
          ...options,
          jsc: {
            ...options.jsc,
            parser: { syntax: "typescript", tsx: true, dynamicImport: true },
            transform: { react: { runtime: "automatic" } },
          },
        },
      ],
    },
  };
};
