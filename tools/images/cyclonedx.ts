// Lists of software in CycloneDX 1.6, for the images and for releases.
import { createHash } from "node:crypto";
import { nameOf, packages } from "../notice.ts";
import type { DebianPackage } from "./debian-packages.ts";

export interface Component {
  type: string;
  "bom-ref": string;
  name: string;
  version: string;
  purl: string;
  licenses?: { expression: string }[];
  hashes?: { alg: string; content: string }[];
}

export interface Sbom {
  bomFormat: "CycloneDX";
  specVersion: "1.6";
  serialNumber?: string;
  version: 1;
  metadata: { timestamp?: string; component: { type: string; name: string; version: string } };
  components: Component[];
  dependencies?: { ref: string; dependsOn: string[] }[];
}

export const purlOf = (path: string): string =>
  `pkg:npm/${nameOf(path).replace("@", "%40")}@${packages[path]!.version ?? ""}`;

/** @param path the package's path in the lock file */
export function npmComponent(path: string, license: string): Component {
  const { version = "", integrity } = packages[path]!;
  const purl = purlOf(path);
  const [algorithm, digest] = integrity?.split(" ")[0]!.split("-") ?? [];
  return {
    type: "library",
    "bom-ref": purl,
    name: nameOf(path),
    version,
    purl,
    ...(license === "" ? {} : { licenses: [{ expression: license }] }),
    ...(algorithm === "sha512"
      ? { hashes: [{ alg: "SHA-512", content: Buffer.from(digest!, "base64").toString("hex") }] }
      : {}),
  };
}

export function nodeComponent(version: string): Component {
  const purl = `pkg:generic/node@${version}`;
  return {
    type: "platform",
    "bom-ref": purl,
    name: "node",
    version,
    purl,
    licenses: [{ expression: "MIT" }],
  };
}

/**
 * `upstream` is how scanners (Syft's convention) learn the source package, by which Debian counts
 * vulnerabilities.
 *
 * @param release Debian's version number, such as 13
 */
export function debianComponent(
  { name, version, architecture, source, sourceVersion }: DebianPackage,
  release: string,
): Component {
  const upstream = encodeURIComponent(`${source}@${sourceVersion}`);
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-${release}&upstream=${upstream}`;
  return { type: "library", "bom-ref": purl, name, version, purl };
}

/** The same components give the same list: its serial number is made of them. */
export function buildSbom(
  name: string,
  version: string,
  components: readonly Component[],
  more: { timestamp?: string; dependencies?: Sbom["dependencies"] } = {},
): Sbom {
  const unique = new Map(components.map((each) => [each["bom-ref"], each]));
  const digest = createHash("sha256")
    .update([name, version, ...unique.keys()].join("\n"))
    .digest("hex");
  const uuid = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join("-");
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    metadata: {
      ...(more.timestamp === undefined ? {} : { timestamp: more.timestamp }),
      component: { type: "application", name, version },
    },
    components: [...unique.values()],
    ...(more.dependencies === undefined ? {} : { dependencies: more.dependencies }),
  };
}
