import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { basename, join, relative } from "node:path";
import { ensureBuilt } from "./build.ts";
import { root } from "./checkout.ts";
import { printProfiles } from "./profile-report.ts";
import { PlainError, say } from "./terminal.ts";

/**
 * What a benchmark script prints, one JSON line per row; other lines go through to the terminal.
 */
interface Row {
  what: string;
  how: string;
  figure: string;
  reach: string;
  goal: string;
}

const isRow = (value: unknown): value is Row =>
  typeof value === "object" &&
  value !== null &&
  ["what", "how", "figure"].every(
    (key) => typeof (value as Record<string, unknown>)[key] === "string",
  );

/**
 * bench/*.ts and the bench folders of packages. Files that export something, and
 * `<script>-<part>.ts` next to `<script>.ts`, are modules of scripts.
 */
function scripts(): string[] {
  const folders = [
    join(root, "bench"),
    ...["libs", "services", "apps"].flatMap((kind) =>
      readdirSync(join(root, kind)).map((name) => join(root, kind, name, "bench")),
    ),
  ];
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => {
      const names = readdirSync(folder)
        .filter(
          (name) =>
            name.endsWith(".ts") &&
            !name.endsWith(".spec.ts") &&
            !name.endsWith(".d.ts") &&
            !/^export /m.test(readFileSync(join(folder, name), "utf8")),
        )
        .sort();
      return names
        .filter(
          (name) =>
            !names.some((other) => other !== name && name.startsWith(`${basename(other, ".ts")}-`)),
        )
        .map((name) => join(folder, name));
    });
}

/** @param profiles folder for the CPU profiles of the script and the product it starts */
function run(
  script: string,
  options: string[],
  profiles?: ProfileFolders,
): Promise<{ rows: Row[]; code: number }> {
  return new Promise((resolve) => {
    const rows: Row[] = [];
    const child = spawn(
      process.execPath,
      [
        ...(profiles ? profilerOptions(profiles.script) : []),
        "--disable-warning=ExperimentalWarning",
        "--import",
        join(root, "tools/swc-hook.mjs"),
        "--conditions=@carrel/source",
        script,
        ...options,
      ],
      {
        cwd: root,
        env: {
          ...process.env,
          NODE_OPTIONS: "",
          ...(profiles && { CARREL_NODE_OPTIONS: profilerOptions(profiles.product).join(" ") }),
        },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    // Otherwise the script, its product and its servers would outlive a stopped benchmark.
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
    process.once("SIGTERM", pass);
    let rest = "";
    const take = (line: string) => {
      let parsed: unknown;
      try {
        parsed = JSON.parse(line);
      } catch {
        parsed = null;
      }
      if (isRow(parsed)) rows.push(parsed);
      else process.stdout.write(`${line}\n`);
    };
    child.stdout.on("data", (data: Buffer) => {
      const lines = (rest + data.toString()).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(take);
    });
    child.once("close", (code) => {
      process.off("SIGTERM", pass);
      if (rest) take(rest);
      resolve({ rows, code: code ?? 1 });
    });
  });
}

function print(rows: Row[]): void {
  const table = [
    ["what", "figure", "reach", "goal", "how"],
    ...rows.map((row) => [row.what, row.figure, row.reach ?? "", row.goal ?? "", row.how]),
  ];
  const widths = table[0]!.map((_, column) =>
    Math.max(...table.map((cells) => cells[column]!.length)),
  );
  for (const [i, cells] of table.entries()) {
    process.stdout.write(
      `${cells.map((cell, column) => (column === 4 ? cell : cell.padEnd(widths[column]!))).join("  ")}\n`,
    );
    if (i === 0)
      process.stdout.write(
        `${widths
          .slice(0, 4)
          .map((width) => "-".repeat(width))
          .join("  ")}  ---\n`,
      );
  }
}

interface ProfileFolders {
  script: string;
  product: string;
}
const profilerOptions = (folder: string): string[] => ["--cpu-prof", `--cpu-prof-dir=${folder}`];

/**
 * Runs a script with the product under Node's CPU profiler and prints where the time went, per
 * thread of the product, or in the script itself if it starts no product.
 */
async function profile(script: string, options: string[]): ReturnType<typeof run> {
  const folder = mkdtempSync(join(tmpdir(), "carrel-profile-"));
  const folders = { script: join(folder, "script"), product: join(folder, "product") };
  for (const each of Object.values(folders)) mkdirSync(each);
  const result = await run(script, options, folders);
  const hasProduct = readdirSync(folders.product).length > 0;
  printProfiles(hasProduct ? folders.product : folders.script);
  return result;
}

/**
 * `npm run bench [name …]`: runs the benchmark scripts (all, or those whose file name starts with a
 * given name) in sequence and prints a table after each. `bench profile <name …>` also prints their
 * CPU profiles. `bench corpus <folder>` reads the files of a folder.
 */
export async function bench(args: string[]): Promise<void> {
  const isProfiled = args[0] === "profile";
  const names = isProfiled ? args.slice(1) : args;
  // The corpus run takes a folder.
  const takesFolder = names[0] === "corpus";
  const options = takesFolder ? names.slice(1) : names.filter((name) => name.startsWith("-"));
  const wanted = takesFolder ? ["corpus"] : names.filter((name) => !name.startsWith("-"));
  const known = scripts();
  const list = known.map((script) => basename(script, ".ts")).join(", ");
  if (options.includes("--help")) {
    process.stdout.write(`bench [profile] [name …] [--options of the benchmark]\nNames: ${list}\n`);
    return;
  }
  // Only on request: the retrieval benchmarks take minutes and their own data, the soak takes an
  // hour, and a corpus is anybody's.
  const chosen =
    wanted.length === 0
      ? known.filter((script) => !/^(retrieval|soak|corpus)/.test(basename(script)))
      : known.filter((script) => wanted.some((name) => basename(script).startsWith(name)));
  if (chosen.length === 0)
    throw new PlainError(`There is no benchmark called ${wanted.join(", ")}.\nThere are: ${list}`);
  await ensureBuilt();
  let failed = 0;
  process.stdout.write(
    `\nNode ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GB, ${new Date().toISOString().slice(0, 10)}\n\n`,
  );
  for (const script of chosen) {
    say(relative(root, script));
    const result = isProfiled ? await profile(script, options) : await run(script, options);
    if (result.rows.length > 0) print(result.rows);
    if (result.code !== 0) {
      failed++;
      say(`${relative(root, script)} ended with exit code ${result.code}`);
    }
  }
  if (failed > 0) process.exitCode = 1;
}
