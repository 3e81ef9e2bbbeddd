import { spawnSync } from "node:child_process";
import { globSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../tools/process.ts";
import { cpuByProgram, total } from "./memory-processes.ts";
import { startCheckout, type Started } from "./start-checkout.ts";

/** What the files take on the disk, as `du` counts it. */
function diskMb(path: string): number {
  const status = lstatSync(path);
  const own = (status.blocks * 512) / 1e6;
  if (!status.isDirectory()) return own;
  return readdirSync(path).reduce((sum, name) => sum + diskMb(join(path, name)), own);
}

const isScope = (name: string): boolean => name.startsWith("@");

function describePackages(checkout: string): { count: number; mb: number; largest: string } {
  const folders = globSync("{.,apps/*,libs/*,services/*}/node_modules", { cwd: checkout });
  const packages = folders
    .flatMap((folder) =>
      readdirSync(join(checkout, folder)).flatMap((name) =>
        isScope(name)
          ? readdirSync(join(checkout, folder, name)).map((inner) => join(folder, name, inner))
          : [join(folder, name)],
      ),
    )
    .filter((path) => lstatSync(join(checkout, path)).isDirectory())
    .map((path) => ({ path, mb: diskMb(join(checkout, path)) }))
    .sort((one, other) => other.mb - one.mb);
  const nested = globSync("**/node_modules/{*,@*/*}/package.json", {
    cwd: checkout,
    exclude: ["**/dist/**"],
  });
  return {
    count: nested.length,
    mb: folders.reduce((sum, folder) => sum + diskMb(join(checkout, folder)), 0),
    largest: packages
      .slice(0, 15)
      .map(({ path, mb }) => `${mb.toFixed(0).padStart(6)} MB  ${path}\n`)
      .join(""),
  };
}

/** How long each step took that the launcher announced; Redis is downloaded beside the build. */
function describePhases({ said, seconds }: Started): string {
  const steps = said.filter(({ text }) => /^(Downloading (Node|the)|Building)/.test(text));
  return steps
    .map(({ text, seconds: from }, index) => {
      const until = steps[index + 1]?.seconds ?? seconds;
      return `${text.replace(/ \(.*/, "")} ${(until - from).toFixed(0)} s`;
    })
    .join(", ");
}

/**
 * The first start of a clone of what is committed here, with an empty npm cache and then with what
 * that has downloaded.
 */
export async function measureFreshStarts(root: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "carrel-bench-fresh-"));
  try {
    for (const cache of ["empty", "full"]) {
      const checkout = join(folder, cache);
      spawnSync("git", ["clone", "--quiet", root, checkout], { stdio: "inherit" });
      const started = await startCheckout(checkout, {
        home: join(folder, `data-${cache}`),
        port: await freePort(),
        env: { npm_config_cache: join(folder, "npm"), NODE_COMPILE_CACHE: "" },
      });
      const cpuSeconds = total(cpuByProgram(started.pid)) / 1000;
      await started.stop();
      const { count, mb, largest } = describePackages(checkout);
      process.stdout.write(`\nLargest of ${count} packages:\n${largest}\n`);
      console.log(
        JSON.stringify({
          what: `first start, ${cache} npm cache`,
          how: `clone, ./carrel start until /api/ping answers, CPU ${cpuSeconds.toFixed(0)} s; ${describePhases(started)}`,
          figure: `${started.seconds.toFixed(0)} s, ${mb.toFixed(0)} MB`,
          reach: "",
          goal: "75 s, 900 MB",
        }),
      );
      rmSync(checkout, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
