import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { bundleFolder, bundleServers } from "./bundle.ts";
import { root } from "./checkout.ts";
import { withFileLock } from "./file-lock.ts";
import { digestOf, filesBelow, isTest, packages, type Package } from "./sources.ts";
import { PlainError, withProgress } from "./terminal.ts";

interface Part {
  name: string;
  folder: string;
  files: string[];
  digest: string;
}

/** libs/testing never runs outside tests. */
const isServer = ({ name, kind }: Package): boolean => kind !== "web" && name !== "@carrel/testing";
const shared = [".swcrc", "package-lock.json", "tools/build.ts", "tools/bundle.ts"].map((file) =>
  join(root, file),
);
const buildLock = join(root, "node_modules", ".carrel-build.lock");
const isStamped = (folder: string, digest: string): boolean =>
  existsSync(join(folder, ".digest")) && readFileSync(join(folder, ".digest"), "utf8") === digest;
const isCurrent = (part: Part): boolean => isStamped(join(part.folder, "dist"), part.digest);
const backup = join(root, "tools", "backup", "main.ts");
/** The bundle contains all packages, and the backup program for container images. */
const bundleDigest = (servers: Part[]): string =>
  createHash("sha256")
    .update(servers.map(({ digest }) => digest).join())
    .update(digestOf([...filesBelow(dirname(backup)), ...globSync(join(root, "tools", "*.ts"))]))
    .digest("hex");

/** The files that a package is built from. */
const sourcesOf = ({ folder, kind }: Package): string[] =>
  (kind === "web"
    ? [...filesBelow(folder), ...filesBelow(join(root, "libs", "contracts", "src"))]
    : filesBelow(join(folder, "src"))
  ).filter((file) => !isTest(file));

function parts(): { servers: Part[]; browser: Part[] } {
  const all = packages();
  const sharedDigest = digestOf(shared);
  const describe = (one: Package): Part => {
    const { name, folder, kind } = one;
    const files = sourcesOf(one);
    const digest = digestOf(kind === "web" ? files : [...files, join(folder, "package.json")]);
    return { name, folder, files, digest: digest + sharedDigest };
  };
  return {
    servers: all.filter(isServer).map(describe),
    browser: all.filter(({ kind }) => kind === "web").map(describe),
  };
}

/**
 * Compiles one package from src to dist and copies other files. Swaps in the finished folder in one
 * step.
 */
async function compile(part: Part): Promise<void> {
  const { transformFile } = await import("@swc/core");
  const next = join(part.folder, "dist.next");
  rmSync(next, { recursive: true, force: true });
  await Promise.all(
    part.files.map(async (file) => {
      const target = join(next, relative(join(part.folder, "src"), file));
      mkdirSync(dirname(target), { recursive: true });
      if (!/\.tsx?$/.test(file)) return copyFileSync(file, target);
      if (file.endsWith(".d.ts")) return;
      const { code, map } = await transformFile(file, {
        configFile: join(root, ".swcrc"),
        cwd: root,
        sourceFileName: relative(dirname(target.replace(`${join("dist.next")}`, "dist")), file),
      });
      const output = target.replace(/\.tsx?$/, ".js");
      writeFileSync(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
      if (map) writeFileSync(`${output}.map`, map);
    }),
  );
  mkdirSync(next, { recursive: true });
  writeFileSync(join(next, ".digest"), part.digest);
  const dist = join(part.folder, "dist");
  rmSync(dist, { recursive: true, force: true });
  renameSync(next, dist);
}

async function bundleForBrowsers(part: Part): Promise<void> {
  const vite = join(
    dirname(createRequire(join(part.folder, "package.json")).resolve("vite/package.json")),
    "bin",
    "vite.js",
  );
  const { code, output } = await new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, [vite, "build", "--logLevel", "warn"], {
      cwd: part.folder,
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
    });
    child.stderr.on("data", (data) => {
      text += data;
    });
    child.once("close", (status) => resolve({ code: status, output: text }));
  });
  if (code !== 0) throw new PlainError(`Couldn't build ${part.name}:\n${output.trimEnd()}`);
  writeFileSync(join(part.folder, "dist", ".digest"), part.digest);
}

/**
 * Builds what changed since the last build. Returns the names of the packages built. Processes that
 * build at the same time take turns, so a later one finds everything built.
 */
export const build = (): Promise<string[]> => withFileLock(buildLock, buildStale);

async function buildStale(): Promise<string[]> {
  const { servers, browser } = parts();
  const stale = servers.filter((part) => !isCurrent(part));
  const staleApps = browser.filter((part) => !isCurrent(part));
  await Promise.all([...staleApps.map(bundleForBrowsers), buildServers(servers, stale)]);
  return [...stale, ...staleApps].map((part) => part.name);
}

/** Builds one app for browsers if it changed. */
export const buildBrowserApp = (name: string): Promise<void> =>
  withFileLock(buildLock, async () => {
    const part = parts().browser.find((one) => one.name === name);
    if (part !== undefined && !isCurrent(part)) await bundleForBrowsers(part);
  });

async function buildServers(servers: Part[], stale: Part[]): Promise<void> {
  await Promise.all(
    stale.map((part) =>
      compile(part).catch((error: Error) => {
        throw new PlainError(`Couldn't build ${part.name}:\n${error.message}`);
      }),
    ),
  );
  const digest = bundleDigest(servers);
  if (isStamped(bundleFolder, digest)) return;
  const entries = servers.flatMap(({ folder, files }) => {
    const name = basename(folder);
    if (name === "standalone") return [[name, join(folder, "dist/index.js")]];
    return files.includes(join(folder, "src/main.ts"))
      ? [[name, join(folder, "dist/main.js")]]
      : [];
  });
  entries.push(["backup", backup]);
  await bundleServers(Object.fromEntries(entries) as Record<string, string>, digest);
}

/** Holds what `describeFiles` returned when the build was last found current. */
const seenFile = join(bundleFolder, ".seen");

/** Changes with any file that a build reads or stamps, without reading them. */
function describeFiles(): string {
  const all = packages();
  const stamps = [bundleFolder, ...all.map(({ folder }) => join(folder, "dist"))];
  const files = new Set([
    ...shared,
    ...all.flatMap((one) => [...sourcesOf(one), join(one.folder, "package.json")]),
    ...filesBelow(dirname(backup)),
    ...globSync(join(root, "tools", "*.ts")),
    ...stamps.map((folder) => join(folder, ".digest")),
  ]);
  const hash = createHash("sha256");
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false });
    hash.update(`${file}\0${found?.size}\0${found?.mtimeMs}\0${found?.ctimeMs}\0`);
  }
  return hash.digest("hex");
}

/**
 * Whether a start can use the existing build. Reading the sources takes a twentieth of a start, so
 * they are read only if their sizes or times differ from those of the last start.
 */
function isBuilt(): boolean {
  const files = describeFiles();
  if (existsSync(seenFile) && readFileSync(seenFile, "utf8") === files) return true;
  const { servers, browser } = parts();
  if (![...servers, ...browser].every(isCurrent)) return false;
  if (!isStamped(bundleFolder, bundleDigest(servers))) return false;
  try {
    writeFileSync(seenFile, files);
  } catch {
    // In a checkout that this user may not change, the sources are read at each start.
  }
  return true;
}

/** Builds in a separate process, so that the compilers' memory does not stay in the caller's. */
export async function ensureBuilt(): Promise<void> {
  // A container image has the build without its sources.
  if (!existsSync(join(root, ".swcrc")) || isBuilt()) return;
  await withProgress(
    "Building Carrel",
    () =>
      new Promise<void>((resolve, reject) => {
        const child = spawn(process.execPath, [join(root, "tools/carrel.ts"), "build", "--quiet"], {
          cwd: root,
          stdio: ["ignore", "inherit", "inherit"],
        });
        child
          .once("error", reject)
          .once("exit", (code) =>
            code === 0
              ? resolve()
              : reject(new PlainError("The build failed. See above for the reason.")),
          );
      }),
  );
}
