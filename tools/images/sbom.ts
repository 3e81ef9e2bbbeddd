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

interface Component {
  type: string;
  "bom-ref": string;
  name: string;
  version: string;
  purl: string;
  licenses?: { expression: string }[];
  hashes?: { alg: string; content: string }[];
}

function describe(path: string, license: string): Component {
  const [name, { version = "", integrity }] = [nameOf(path), packages[path]!];
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const [algorithm, digest] = integrity?.split(" ")[0]!.split("-") ?? [];
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    ...(license === "" ? {} : { licenses: [{ expression: license }] }),
    ...(algorithm === "sha512"
      ? { hashes: [{ alg: "SHA-512", content: Buffer.from(digest!, "base64").toString("hex") }] }
      : {}),
  };
}

/** Writes `sbom.cdx.json` and `licenses` into the image's folder. */
export function describeContents(image: string): void {
  const licenses = findUsedPackages();
  const contained = findContained(image);
  for (const path of contained) copyLicences(path, image);
  const { version } = packages[""]!;
  const node = process.versions.node;
  const components = [
    {
      type: "platform",
      "bom-ref": `pkg:generic/node@${node}`,
      name: "node",
      version: node,
      purl: `pkg:generic/node@${node}`,
      licenses: [{ expression: "MIT" }],
    },
    ...contained.map((path) => describe(path, licenses.get(path) ?? packages[path]!.license ?? "")),
  ];
  const unique = new Map(components.map((each) => [each["bom-ref"], each]));
  const sbom = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", name: `carrel-${basename(image)}`, version },
    },
    components: [...unique.values()],
  };
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
