import { defineConfig } from "@playwright/test";
import { findChromium } from "./tools/chromium.ts";

/** Installs Debian's full Chromium, so only `npm run test:extension` runs it. */
const extension = "extension.pw.ts";
const isExtensionOnly = process.env.CARREL_TEST_TIERS === "extension";

/** Tests in a real browser: the web app on a fake gateway, and the whole product. */
export default defineConfig({
  globalSetup: "./tools/playwright-setup.ts",
  // Emptied by each run.
  outputDir: process.env.CARREL_TEST_ARTIFACTS ?? ".cache/playwright",
  snapshotPathTemplate: "{testDir}/screenshots/{arg}{ext}",
  timeout: 60_000 * Number(process.env.CARREL_TEST_SLOWDOWN ?? 1),
  expect: {
    timeout: 30_000, // a page may take this long to load on a busy machine
    toHaveScreenshot: { maxDiffPixelRatio: 0.01, animations: "disabled" },
  },
  retries: 0,
  forbidOnly: true,
  // On two cores: tests also wait for the page. End-to-end tests have ended by then, or end soon.
  workers: 3,
  reporter: process.env.CARREL_TEST_SUMMARY
    ? [["list"], ["./tools/playwright-summary.ts", { file: process.env.CARREL_TEST_SUMMARY }]]
    : [["list"]],
  use: {
    viewport: { width: 1440, height: 900 },
    colorScheme: "dark",
    locale: "en-US",
    launchOptions: {
      executablePath: findChromium(),
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    },
    screenshot: "only-on-failure",
    // The actions only. Recording requests and the page before and after each action would add a
    // fifth to the cost of loading it; `--trace retain-on-failure` does.
    trace: { mode: "retain-on-failure", snapshots: false, screenshots: false, sources: false },
  },
  projects: [
    { name: "extension", testDir: "e2e/src", testMatch: extension },
    // Each worker starts the whole product, and two cores can run one at a time. Runs first,
    // because at the end the other worker would be idle.
    {
      name: "product",
      testDir: "e2e/src",
      testMatch: "*.pw.ts",
      testIgnore: extension,
      workers: 1,
    },
    {
      name: "web",
      testDir: "apps/web/test",
      testMatch: "*.pw.ts",
      // Saves 0.05 s of CPU time per test, as V8 keeps the app compiled (docs/decisions/testing.md).
      // The fixtures keep screenshots of failures.
      use: { reuseContext: true, screenshot: "off" as const },
    },
    {
      name: "widget",
      testDir: "apps/widget/test",
      testMatch: "*.pw.ts",
      use: { screenshot: "off" as const },
    },
  ].filter(({ name }) => isExtensionOnly === (name === "extension")),
});
