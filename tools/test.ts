import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./build.ts";
import { root } from "./checkout.ts";
import { ensureChroma } from "./chroma.ts";
import { ensureChromium } from "./chromium.ts";
import { redisProgram } from "./redis-program.ts";
import { runCommand } from "./process.ts";
import { say, withProgress } from "./terminal.ts";

interface Outcome {
  passed: number;
  failed: number;
  failures: string[];
  skipped: string[];
  unsteady: string[];
}

/** Each command of a check counts as one test. */
async function check(
  name: string,
  commands: { what: string; args: string[]; cwd: string }[],
): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failed: 0, failures: [], skipped: [], unsteady: [] };
  const waiting = [...commands];
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const { code, output } = await runCommand(process.execPath, one.args, {
        cwd: one.cwd,
        env: { ...process.env, NODE_OPTIONS: "" },
      });
      if (code === 0) outcome.passed++;
      else {
        outcome.failed++;
        outcome.failures.push(`${name} of ${one.what}`);
        process.stdout.write(`\n${name} of ${one.what} failed:\n${output.trimEnd()}\n`);
      }
    }
  };
  await withProgress(`Checking: ${name}`, () => Promise.all([next(), next()]));
  return outcome;
}

/** Three programs, not one for each package: what packages share is read once. */
function typecheck(): Promise<Outcome> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return check(
    "types",
    ["tsconfig.server.json", "apps/web/tsconfig.json", "e2e/tsconfig.json"].map((what) => ({
      what,
      args: [tsc, "-p", what],
      cwd: root,
    })),
  );
}

/** One ESLint run over all: it reads its configuration and the type-less rules once. */
const lint = (): Promise<Outcome> =>
  check("lint", [
    {
      what: "the repository",
      args: [join(root, "node_modules/eslint/bin/eslint.js"), "--max-warnings=0", "."],
      cwd: root,
    },
  ]);

const format = (): Promise<Outcome> =>
  check("format", [
    {
      what: "the repository (npm run format fixes it)",
      args: [
        join(root, "node_modules/prettier/bin/prettier.cjs"),
        "--check",
        "--log-level=warn",
        ".",
      ],
      cwd: root,
    },
  ]);

/** Unused files, exports and dependencies, undeclared dependencies and import cycles: knip.jsonc. */
const unusedCode = (): Promise<Outcome> =>
  check("unused code", [
    {
      what: "the repository",
      args: [
        join(root, "node_modules/knip/bin/knip.js"),
        "--no-progress",
        "--treat-config-hints-as-errors",
      ],
      cwd: root,
    },
  ]);

/** One run of Jest over the given tiers. */
async function jest(
  tiers: string[],
  workers: number,
  options: string[],
  folder: string,
): Promise<Outcome> {
  const file = join(folder, `${tiers.join("-")}.jsonl`);
  writeFileSync(file, "");
  const args = [
    "--experimental-vm-modules",
    "--disable-warning=ExperimentalWarning",
    join(root, "node_modules/jest/bin/jest.js"),
    "-c",
    join(root, "jest.config.mjs"),
    "--passWithNoTests",
    ...options,
  ];
  const code = await new Promise<number>((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: {
        ...process.env,
        NODE_OPTIONS: "",
        CARREL_TEST_TIERS: tiers.join(","),
        CARREL_TEST_WORKERS: String(workers),
        CARREL_TEST_SUMMARY: file,
        CARREL_TEST_RETRIES: process.env.CARREL_TEST_RETRIES ?? "1",
      },
      stdio: ["ignore", "inherit", "inherit"],
    });
    // A terminal's Ctrl-C reaches Jest by itself; a runner's SIGTERM reaches only us. Its servers
    // end with it.
    const pass = (name: NodeJS.Signals) => child.kill(name);
    process.on("SIGTERM", pass).on("SIGHUP", pass);
    child.once("exit", (status) => {
      process.off("SIGTERM", pass).off("SIGHUP", pass);
      resolve(status ?? 1);
    });
  });
  const outcomes = readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Outcome);
  if (outcomes.length === 0)
    return {
      passed: 0,
      failed: 1,
      failures: [`the ${tiers.join(" and ")} tests ended without a result (exit code ${code})`],
      skipped: [],
      unsteady: [],
    };
  const sum = add(outcomes);
  return code !== 0 && sum.failed === 0
    ? {
        ...sum,
        failed: 1,
        failures: [`the ${tiers.join(" and ")} run ended with exit code ${code}`],
      }
    : sum;
}

const add = (outcomes: Outcome[]): Outcome =>
  outcomes.reduce(
    (a, b) => ({
      passed: a.passed + b.passed,
      failed: a.failed + b.failed,
      failures: [...a.failures, ...b.failures],
      skipped: [...a.skipped, ...b.skipped],
      unsteady: [...a.unsteady, ...b.unsteady],
    }),
    { passed: 0, failed: 0, failures: [], skipped: [], unsteady: [] },
  );

/**
 * Everything a change must pass: types, lint, unit, integration and end-to-end tests, after its own
 * set-up. With
 * arguments (paths or Jest options) only the tests they name. The last line is `N passed, N
 * failed`.
 */
export async function test(options: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "carrel-test-summary-"));
  const outcomes: Outcome[] = [];
  try {
    await redisProgram();
    await ensureChromium();
    await ensureChroma();
    await ensureBuilt();
    if (options.length === 0)
      outcomes.push(await format(), await typecheck(), await lint(), await unusedCode());
    say("Unit and integration tests");
    outcomes.push(await jest(["unit", "integration"], 2, options, folder));
    say("End-to-end tests");
    // One at a time: each starts the whole product, and some measure it.
    outcomes.push(await jest(["e2e"], 1, options, folder));
  } catch (error) {
    outcomes.push({
      passed: 0,
      failed: 1,
      failures: [`the set-up: ${error instanceof Error ? error.message : String(error)}`],
      skipped: [],
      unsteady: [],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { passed, failed, failures, skipped, unsteady } = add(outcomes);
  const short = (line: string) => `  ${line.replaceAll(`${root}/`, "")}\n`;
  if (skipped.length > 0) process.stdout.write(`\nSkipped:\n${skipped.map(short).join("")}`);
  if (unsteady.length > 0)
    process.stdout.write(
      `\nPassed only on the second try (a race in the test or in Carrel; see above for the first):\n${unsteady.map(short).join("")}`,
    );
  if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.map(short).join("")}`);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
