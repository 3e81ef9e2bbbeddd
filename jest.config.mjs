import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { project } from "./jest.base.mjs";

const root = import.meta.dirname;
const tiers = (process.env.CARREL_TEST_TIERS ?? "unit,integration,e2e").split(",");

/**
 * Every workspace folder is a Jest project for each tier; a package with special needs (the web
 * app's jsdom) overrides it in jest.project.mjs: `export default (tier) => project | null`.
 */
const folders = ["libs", "services", "apps"]
  .flatMap((kind) => readdirSync(join(root, kind)).map((name) => join(root, kind, name)))
  .concat(join(root, "clients/typescript"))
  .filter((folder) => existsSync(join(folder, "package.json")));

const projects = [];
for (const folder of folders) {
  const own = join(folder, "jest.project.mjs");
  const { default: describeProject } = existsSync(own)
    ? await import(pathToFileURL(own).href)
    : { default: (tier) => project(folder, tier) };
  for (const tier of tiers)
    if (tier !== "e2e" && tier !== "install") {
      const described =
        typeof describeProject === "function"
          ? describeProject(tier)
          : tier === "unit"
            ? describeProject
            : null;
      if (described) projects.push(described);
    }
}
for (const tier of tiers) projects.push(project(join(root, "e2e"), tier));
if (tiers.includes("unit")) projects.push(project(join(root, "tools"), "unit"));
for (const tier of ["integration", "thorough"])
  if (tiers.includes(tier)) projects.push(project(join(root, "tools"), tier));

export default {
  rootDir: root,
  projects,
  maxWorkers: Number(process.env.CARREL_TEST_WORKERS ?? 2),
  workerIdleMemoryLimit: "1500MB",
  // Unloading all modules takes longer than Jest's 500 ms on a busy machine.
  workerGracefulExitTimeout: 10_000,
  ...(process.env.CARREL_TEST_SUMMARY
    ? {
        reporters: [
          "default",
          [join(root, "tools/summary-reporter.mjs"), { file: process.env.CARREL_TEST_SUMMARY }],
        ],
      }
    : {}),
  // For the web app, whose environment is jsdom; the others' is in jest.base.mjs.
  testTimeout: 30_000,
  globalSetup: join(root, "libs/testing/global-setup.mjs"),
  globalTeardown: join(root, "libs/testing/global-teardown.mjs"),
};
