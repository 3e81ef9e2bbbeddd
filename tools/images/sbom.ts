// Third-party software in an image: the list for scanners (CycloneDX) and the licence texts.
// Debian's packages have theirs where scanners look for them (copy-programs.sh).
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { root } from "../checkout.ts";
import { findPackages, findUsedPackages, nameOf, packages } from "../notice.ts";
import { buildSbom, nodeComponent, npmComponent } from "./cyclonedx.ts";

/** The lock's path of the package that a file of the checkout belongs to; null for Carrel's own files. */
function packageOf(file: string): string | null {
  for (let folder = dirname(file); folder.includes("node_modules/"); folder = dirname(folder))
    if (packages[folder] !== undefined) return folder;
  return null;
}

/** Packages with files in the image, in the parts of the bundle that are there, and in the browser apps. */
function findContained(image: string): string[] {
  const files = globSync("**", { cwd: image, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(image, join(entry.parentPath, entry.name)));
  const bundled = files
    .filter((file) => /^dist\/[^/]+\.js$/.test(file))
    .flatMap((file) => {
      const map = join(root, `${file}.map`);
      if (!existsSync(map)) return []; // only re-exports another part
      const { sources } = JSON.parse(readFileSync(map, "utf8")) as { sources: string[] };
      return sources.map((source) => relative(root, resolve(dirname(map), source)));
    });
  const apps = ["apps/web", "apps/widget"].filter((app) => existsSync(join(image, app, "dist")));
  return [
    ...new Set([
      ...[...files, ...bundled].map(packageOf).filter((path) => path !== null),
      // Native builds and the like are for programs.
      ...[...findPackages(apps).keys()].filter((path) => packages[path]!.optional !== true),
    ]),
  ]
    .filter((path) => existsSync(join(root, path)))
    .sort();
}

/** Writes `sbom.cdx.json` and `licenses` into the image's folder. */
export function describeContents(image: string): void {
  const licenses = findUsedPackages();
  const contained = findContained(image);
  for (const path of contained) copyLicences(path, image);
  const { version } = packages[""]!;
  const sbom = buildSbom(`carrel-${basename(image)}`, version!, [
    nodeComponent(process.versions.node),
    ...contained.map((path) =>
      npmComponent(path, licenses.get(path) ?? packages[path]!.license ?? ""),
    ),
  ]);
  writeFileSync(join(image, "sbom.cdx.json"), `${JSON.stringify(sbom, null, 1)}\n`);
}

function copyLicences(path: string, image: string): void {
  const target = join(image, "licenses", `${nameOf(path)}-${packages[path]!.version}`);
  for (const file of readdirSync(join(root, path)))
    if (/^(licen[cs]e|notice|copying|third.?party)/i.test(file)) {
      mkdirSync(target, { recursive: true });
      cpSync(join(root, path, file), join(target, file), { recursive: true });
    }
}
