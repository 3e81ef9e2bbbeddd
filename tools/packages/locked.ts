// What package-lock.json says about the packages for this machine. Runs before any is installed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `start`: what `npm start` needs, to build and to run. `all`: also what tests and checks need. */
export type Kind = "start" | "all";

interface Entry {
  name?: string;
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}
interface Lock {
  packages: Record<string, Entry>;
}

const readLock = (file: string): Lock => JSON.parse(readFileSync(file, "utf8")) as Lock;
const isPackage = (path: string, entry: Entry): boolean =>
  path.includes("node_modules/") && entry.link !== true;
const isOfKind = (kind: Kind, entry: Entry): boolean => kind === "all" || entry.dev !== true;

/** `["linux"]`, or `["!win32"]` for all others. */
function fits(wanted: string[] | undefined, own: string): boolean {
  if (wanted === undefined || wanted.includes(own)) return true;
  return wanted.every((one) => one.startsWith("!")) && !wanted.includes(`!${own}`);
}

/** Which C library Linux uses here, in npm's words. */
function findLibc(): string {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? "musl" : "glibc";
}

/** The paths of the packages that npm installs here. */
export function listPackages(root: string, kind: Kind): string[] {
  const { platform, arch } = process;
  const libc = platform === "linux" ? findLibc() : null;
  return Object.entries(readLock(join(root, "package-lock.json")).packages)
    .filter(
      ([path, entry]) =>
        isPackage(path, entry) &&
        isOfKind(kind, entry) &&
        fits(entry.os, platform) &&
        fits(entry.cpu, arch) &&
        (libc === null || fits(entry.libc, libc)),
    )
    .map(([path]) => path);
}

/**
 * Whether the packages of this kind are in place, for example after `npm ci` by hand: npm keeps a
 * copy of the lock that it installed.
 */
export function isInstalled(root: string, kind: Kind): boolean {
  const copy = join(root, "node_modules/.package-lock.json");
  if (!existsSync(copy)) return false;
  const there = readLock(copy).packages;
  return Object.entries(readLock(join(root, "package-lock.json")).packages).every(
    ([path, entry]) => {
      const found = there[path];
      if (entry.link === true) return found !== undefined;
      if (!isPackage(path, entry) || !isOfKind(kind, entry)) return true;
      // Of an optional package only another version is wrong.
      if (entry.optional === true || entry.devOptional === true)
        return found === undefined || found.version === entry.version;
      return (
        found?.version === entry.version &&
        (entry.integrity === undefined || found?.integrity === entry.integrity)
      );
    },
  );
}

/**
 * The lock with the address of each package, as npm's registries and their mirrors form it. Without
 * addresses, npm first downloads the list of all versions of every package, which takes half of the
 * time. What it downloads must have the lock's hash either way.
 */
export function addAddresses(lock: Lock, registry: string): Lock {
  const packages = Object.entries(lock.packages).map(([path, entry]): [string, Entry] => {
    const isKnown = entry.resolved !== undefined || entry.integrity === undefined;
    if (!isPackage(path, entry) || isKnown) return [path, entry];
    const name = entry.name ?? path.slice(path.lastIndexOf("node_modules/") + 13);
    const file = `${name.slice(name.lastIndexOf("/") + 1)}-${entry.version}.tgz`;
    return [path, { ...entry, resolved: `${registry.replace(/\/*$/, "/")}${name}/-/${file}` }];
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}
