import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./build.ts";
import { changedFiles, relatedTests, type Changes } from "./changed-tests.ts";
import { root } from "./checkout.ts";
import { ensureChroma } from "./chroma.ts";
import { ensureChromium } from "./chromium.ts";
import { runCommand } from "./process.ts";
import { redisProgram } from "./redis-program.ts";
import { PlainError, say } from "./terminal.ts";
import { checkTypes, ownPrograms, programs } from "./types.ts";

/** `npm run test:thorough`: also what is slow for the faults it finds, and every sample. */
const isThorough = process.env.CARREL_TEST_THOROUGH === "1";

interface Outcome {
  passed: number;
  failed: number;
  failures: string[];
  skipped: string[];
  /** Duration of each check and test file. */
  files: { file: string; milliseconds: number }[];
}

const empty = (): Outcome => ({ passed: 0, failed: 0, failures: [], skipped: [], files: [] });
const failure = (what: string): Outcome => ({ ...empty(), failed: 1, failures: [what] });
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(0)} s`;

/** Processor time of this machine since it started, in ms. */
function processorTime(): { busy: number; all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const all = times.flatMap((one) => Object.values(one)).reduce((sum, one) => sum + one, 0);
  return { busy: all - times.reduce((sum, { idle }) => sum + idle, 0), all };
}

/** A command that passes or fails as a whole; it counts as one test. */
interface Check {
  name: string;
  args: string[];
}
const packageFile = (path: string): string => join(root, "node_modules", path);

const typesOf = (program: string): Check => ({
  name: `types of ${program}`,
  args: checkTypes(program),
});

const allChecks: Check[] = [
  { name: "lint", args: [packageFile("oxlint/bin/oxlint")] },
  {
    name: "formatting (npm run format fixes it)",
    args: [packageFile("oxfmt/bin/oxfmt"), "--check"],
  },
  ...programs.map(typesOf),
  {
    // Unused files, exports and dependencies, undeclared dependencies and import cycles.
    name: "unused code",
    args: [packageFile("knip/bin/knip.js"), "--no-progress", "--treat-config-hints-as-errors"],
  },
];

/** Runs with low priority, in the time that tests spend waiting. */
async function runChecks(checks: readonly Check[]): Promise<Outcome> {
  const outcome = empty();
  for (const { name, args } of checks) {
    const start = Date.now();
    const { code, output } = await runCommand("nice", ["-n", "10", process.execPath, ...args], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    outcome.files.push({ file: name, milliseconds: Date.now() - start });
    if (code === 0) outcome.passed++;
    else {
      outcome.failed++;
      outcome.failures.push(name);
      process.stdout.write(`\nFailed: ${name}\n${output.trimEnd()}\n`);
    }
  }
  return outcome;
}

/** Runs a test program whose reporter writes an outcome to the file in CARREL_TEST_SUMMARY. */
async function run(
  name: string,
  args: string[],
  environment: Record<string, string>,
  folder: string,
): Promise<Outcome> {
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, "");
  const code = await new Promise<number>((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: "", CARREL_TEST_SUMMARY: file, ...environment },
      stdio: ["ignore", "inherit", "inherit"],
    });
    // A terminal's Ctrl-C reaches the program directly; a runner's SIGTERM reaches only us. Its
    // servers end with it.
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
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
    return failure(`the ${name} tests produced no result (exit code ${code})`);
  const sum = add(outcomes);
  return code !== 0 && sum.failed === 0
    ? add([sum, failure(`the ${name} tests failed (exit code ${code})`)])
    : sum;
}

const jest = (
  name: string,
  tiers: string,
  workers: number,
  options: string[],
  folder: string,
): Promise<Outcome> =>
  run(
    name,
    [
      "--experimental-vm-modules",
      "--disable-warning=ExperimentalWarning",
      // Worker threads of the code under test inherit these flags, so they can load its sources.
      "--import",
      join(root, "tools/swc-hook.mjs"),
      "--conditions=@carrel/source",
      join(root, "node_modules/jest/bin/jest.js"),
      "-c",
      join(root, "jest.config.mjs"),
      "--passWithNoTests",
      ...options,
    ],
    { CARREL_TEST_TIERS: tiers, CARREL_TEST_WORKERS: String(workers) },
    folder,
  );

const playwright = (options: string[], folder: string): Promise<Outcome> =>
  run(
    "browser",
    [
      join(root, "node_modules/@playwright/test/cli.js"),
      "test",
      "-c",
      join(root, "playwright.config.ts"),
      "--pass-with-no-tests",
      ...options,
    ],
    {},
    folder,
  );

const add = (outcomes: Outcome[]): Outcome => ({
  passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
  failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
  failures: outcomes.flatMap(({ failures }) => failures),
  skipped: outcomes.flatMap(({ skipped }) => skipped),
  files: outcomes.flatMap(({ files }) => files),
});

/** Format and lint of the changed files, and the types of all programs that may contain them. */
function checksOf({ present, deleted }: Changes): Check[] {
  const code = present.filter((file) => /\.(ts|tsx|mjs|cjs)$/.test(file));
  const programs = [...code, ...deleted]
    .filter((file) => file.endsWith(".ts") || file.endsWith(".tsx"))
    .flatMap((file) => {
      const own = ownPrograms.find((folder) => file.startsWith(`${folder}/`));
      if (own !== undefined) return [`${own}/tsconfig.json`];
      const others = file.startsWith("libs/") ? ownPrograms : [];
      return ["tsconfig.server.json", ...others.map((folder) => `${folder}/tsconfig.json`)];
    });
  const format = [packageFile("oxfmt/bin/oxfmt"), "--check", "--no-error-on-unmatched-pattern"];
  return [
    { name: "formatting (npm run format fixes it)", args: [...format, ...present] },
    ...(code.length === 0
      ? []
      : [{ name: "lint", args: [packageFile("oxlint/bin/oxlint"), ...code] }]),
    ...[...new Set(programs)].map(typesOf),
  ];
}

/** Browser tests whose own imports changed; imports don't reveal what the built app contains. */
const isOfBrowserTests = (file: string): boolean => /^(apps\/\w+|libs\/testing)\/.*test/.test(file);

/**
 * All checks for a change: formatting, types, lint and all tests. With arguments (paths or options
 * of Jest and Playwright) only the tests they name; with `--changed` or `--changed=<commit>` those
 * that the imports say the change can touch. The last line is `N passed, N failed`.
 */
export async function test(options: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "carrel-test-summary-"));
  const outcomes: Outcome[] = [];
  const parts: string[] = [];
  const part = async (name: string, outcome: () => Promise<Outcome>): Promise<void> => {
    say(name);
    const [start, before] = [Date.now(), processorTime()];
    outcomes.push(await outcome());
    const { busy, all } = processorTime();
    const share = (100 * (busy - before.busy)) / Math.max(1, all - before.all);
    parts.push(`${name}: ${seconds(Date.now() - start)}, processors ${share.toFixed(0)} % busy`);
  };
  const change = /^--changed(?:=(.+))?$/.exec(options[0] ?? "");
  if (change !== null && options.length > 1)
    throw new PlainError("--changed takes no further options; write --changed=<commit>.");
  const isChange = change !== null;
  const commit = change?.[1];
  const changed = isChange ? changedFiles(commit) : { present: [], deleted: [] };
  /** Needs neither a build nor a server, so it can begin while these are prepared. */
  const check = async (): Promise<void> => {
    if (isChange)
      await part("Formatting, types and lint of the change", () => runChecks(checksOf(changed)));
    else if (options.length === 0)
      await part("Formatting, types, lint and unused code", () => runChecks(allChecks));
  };
  const runRelated = async (): Promise<void> => {
    const related = relatedTests(changed.present);
    if (related.length > 0) {
      await redisProgram();
      await part(`Unit and integration tests (${related.length} files)`, () =>
        jest("related", "unit,integration", 3, ["--runTestsByPath", ...related], folder),
      );
    }
    if (changed.present.some(isOfBrowserTests)) {
      await ensureChromium();
      await ensureBuilt();
      const only = commit === undefined ? "--only-changed" : `--only-changed=${commit}`;
      await part("Browser tests", () => playwright([only], folder));
    }
  };
  const runTests = async (): Promise<void> => {
    if (isChange) return runRelated();
    // Redis and Chromium take turns, because both are Debian packages.
    await Promise.all([redisProgram().then(ensureChromium), ensureChroma(), ensureBuilt()]);
    // Four at a time on two cores, because many tests wait for a lease, a timer or a server. One
    // of them, and later one of the browsers, runs the whole product.
    await Promise.all([
      part("End-to-end tests", () =>
        jest("end-to-end", isThorough ? "e2e,thorough" : "e2e", 1, options, folder),
      ),
      part("Unit and integration tests", () =>
        jest("unit and integration", "unit,integration", 3, options, folder),
      ).then(() => part("Browser tests", () => playwright(options, folder))),
    ]);
  };
  const ends = await Promise.allSettled([check(), runTests()]);
  rmSync(folder, { recursive: true, force: true });
  for (const end of ends)
    if (end.status === "rejected") {
      const error: unknown = end.reason;
      outcomes.push(
        failure(`the set-up: ${error instanceof Error ? error.message : String(error)}`),
      );
    }
  const { passed, failed, failures, skipped, files } = add(outcomes);
  const list = (title: string, lines: string[]): void => {
    if (lines.length > 0)
      process.stdout.write(
        `\n${title}:\n${lines.map((line) => `  ${line.replaceAll(`${root}/`, "")}\n`).join("")}`,
      );
  };
  const slowest = files.sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 20);
  list("Time", parts);
  list(
    "Slowest",
    slowest.map(({ file, milliseconds }) => `${seconds(milliseconds).padStart(6)}  ${file}`),
  );
  list("Skipped", skipped);
  list("Failed", failures);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
