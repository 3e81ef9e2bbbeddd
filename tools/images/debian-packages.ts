import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export interface DebianPackage {
  name: string;
  version: string;
  architecture: string;
  /** The source package it was built from, by which Debian's security tracker counts. */
  source: string;
  sourceVersion: string;
}

/** Installed packages in the text of a `dpkg` status file, or of a record in `status.d`. */
export function parseDpkgStatus(text: string): DebianPackage[] {
  return text.split(/\n\s*\n/).flatMap((record) => {
    const field = (name: string): string =>
      new RegExp(`^${name}: *(.*)$`, "m").exec(record)?.[1]?.trim() ?? "";
    const [name, version] = [field("Package"), field("Version")];
    if (name === "" || version === "" || !/ installed$/.test(field("Status") || " installed"))
      return [];
    const [, source = "", sourceVersion] =
      /^(\S+)(?: \((.+)\))?$/.exec(field("Source") || name) ?? [];
    return [
      {
        name,
        version,
        architecture: field("Architecture"),
        source,
        sourceVersion: sourceVersion ?? version,
      },
    ];
  });
}

/** Reads a status file, or a folder with a record of each package, as Carrel's images have. */
export function readDebianPackages(path: string): DebianPackage[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => !name.endsWith(".md5sums"))
        .map((name) => join(path, name))
    : [path];
  return files.flatMap((file) => parseDpkgStatus(readFileSync(file, "utf8")));
}
