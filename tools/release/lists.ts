import {
  buildSbom,
  debianComponent,
  npmComponent,
  purlOf,
  type Sbom,
} from "../images/cyclonedx.ts";
import type { DebianPackage } from "../images/debian-packages.ts";
import { findNeeded, findUsedPackages } from "../notice.ts";

/** Every npm package that runs in production, on any platform, and what each needs: from the lock file. */
export function listNpmPackages(version: string, timestamp: string): Sbom {
  const used = findUsedPackages();
  const needs = new Map<string, Set<string>>();
  for (const path of used.keys()) {
    const known = needs.get(purlOf(path)) ?? new Set();
    for (const { location } of findNeeded(path))
      if (used.has(location)) known.add(purlOf(location));
    needs.set(purlOf(path), known);
  }
  return buildSbom(
    "carrel",
    version,
    [...used].map(([path, license]) => npmComponent(path, license)),
    {
      timestamp,
      dependencies: [...needs].map(([ref, dependsOn]) => ({
        ref,
        dependsOn: [...dependsOn].sort(),
      })),
    },
  );
}

/** What an image contains: its own list, of Node and npm's packages, and Debian's packages. */
export function listImage(
  own: Sbom,
  debian: readonly DebianPackage[],
  osRelease: string,
  timestamp: string,
): Sbom {
  const release = /^VERSION_ID="?([\d.]+)/m.exec(osRelease)?.[1] ?? "";
  const { name, version } = own.metadata.component;
  return buildSbom(
    name,
    version,
    [...own.components, ...debian.map((each) => debianComponent(each, release))],
    { timestamp },
  );
}
