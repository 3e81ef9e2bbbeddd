import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Sbom } from "../images/cyclonedx.ts";
import { readDebianPackages } from "../images/debian-packages.ts";
import { findUsedPackages, nameOf, packages } from "../notice.ts";
import type { PlacedPackage } from "./debian-tracker.ts";
import type { InstalledPackage } from "./findings.ts";

/** Every package in the lock file, those that only development needs marked. */
export function listLocked(): InstalledPackage[] {
  const used = findUsedPackages();
  const all = Object.entries(packages).flatMap(([path, { version, link }]) =>
    path.includes("node_modules/") && version !== undefined && link !== true
      ? [
          {
            name: nameOf(path),
            version,
            place: "package-lock.json",
            isDevelopment: !used.has(path),
          },
        ]
      : [],
  );
  // One entry per version, as shipped if any of its places is.
  const unique = new Map<string, InstalledPackage>();
  for (const each of all) {
    const key = `${each.name} ${each.version}`;
    if (unique.get(key)?.isDevelopment !== false) unique.set(key, each);
  }
  return [...unique.values()];
}

/** What a release's list of an image (CycloneDX) names. */
export function readSbom(file: string): { npm: InstalledPackage[]; debian: PlacedPackage[] } {
  const { components } = JSON.parse(readFileSync(file, "utf8")) as Sbom;
  const place = basename(file);
  return {
    npm: components
      .filter(({ purl }) => purl.startsWith("pkg:npm/"))
      .map(({ name, version }) => ({ name, version, place, isDevelopment: false })),
    debian: components.flatMap(({ name, version, purl }) => {
      if (!purl.startsWith("pkg:deb/debian/")) return [];
      const qualifiers = new URLSearchParams(purl.slice(purl.indexOf("?") + 1));
      const upstream = qualifiers.get("upstream") ?? `${name}@${version}`;
      const end = upstream.lastIndexOf("@");
      return [
        {
          name,
          version,
          architecture: qualifiers.get("arch") ?? "",
          source: upstream.slice(0, end),
          sourceVersion: upstream.slice(end + 1),
          place,
        },
      ];
    }),
  };
}

/** The packages of a `dpkg` status file or folder, as in an image. */
export const readDpkg = (path: string): PlacedPackage[] =>
  readDebianPackages(path).map((each) => ({ ...each, place: path }));
