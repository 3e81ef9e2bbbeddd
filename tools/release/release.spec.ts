import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { root } from "../checkout.ts";
import { buildSbom, nodeComponent, type Sbom } from "../images/cyclonedx.ts";
import { parseDpkgStatus } from "../images/debian-packages.ts";
import { listUsedPackages } from "../notice.ts";
import { PlainError } from "../terminal.ts";
import type { ImageTools } from "./images.ts";
import { listNpmPackages } from "./lists.ts";
import type { ReleasePlan } from "./plan.ts";
import { release, targets } from "./release.ts";
import { verifyRelease } from "./signature.ts";

const version = "1.2.3";
const notes = `## ${version}, 2026-11-30

### For operators

- The gateway needs no database any more

### Fixed

- A typo
`;

const chartOf = (chart: string, app = version): string =>
  `version: ${chart}\nappVersion: "${app}"\n`;

let folder: string;
let plan: ReleasePlan;
const git = (...args: string[]): void =>
  void execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
    cwd: plan.checkout,
    stdio: "pipe",
  });
const change = (file: string, text: string): void => {
  writeFileSync(join(plan.checkout, file), text);
  git("add", "-A");
  git("commit", "-qm", file);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "carrel-release-"));
  const pair = generateKeyPairSync("ed25519");
  const key = join(folder, "release.key");
  writeFileSync(key, pair.privateKey.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(
    join(folder, "release.pub"),
    pair.publicKey.export({ type: "spki", format: "pem" }),
  );
  const checkout = join(folder, "checkout");
  plan = {
    checkout,
    folder: join(folder, "out"),
    registry: "registry.example.com/",
    key,
    push: false,
    dryRun: false,
  };
  mkdirSync(join(checkout, "deploy/helm/carrel"), { recursive: true });
  git("init", "-q");
  writeFileSync(join(checkout, "deploy/helm/carrel/Chart.yaml"), chartOf("0.2.0"));
  writeFileSync(join(checkout, "package-lock.json"), JSON.stringify({ version }));
  writeFileSync(join(checkout, "CHANGELOG.md"), `# Changes\n\n## Unreleased\n\n${notes}`);
  change("package.json", JSON.stringify({ version }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const status = `Package: libssl3t64
Status: install ok installed
Architecture: amd64
Source: openssl
Version: 3.5.1-1

Package: libc6
Status: install ok installed
Architecture: amd64
Source: glibc (2.41-12)
Version: 2.41-12+b1

Package: removed
Status: deinstall ok config-files
Architecture: amd64
Version: 1
`;

/** Stands for Docker and a registry. */
function fakeImages(published: string[] = []): ImageTools & { built: string[]; pushed: string[] } {
  const built: string[] = [];
  const pushed: string[] = [];
  return {
    built,
    pushed,
    build: (target, image) => {
      built.push(image);
      return Promise.resolve(`sha256:${target}`);
    },
    read: (image) =>
      Promise.resolve({
        sbom: buildSbom(image.split("/")[1]!.split(":")[0]!, version, [nodeComponent("24.21.0")]),
        debian: parseDpkgStatus(status),
        osRelease: 'ID=debian\nVERSION_ID="13"\n',
      }),
    isPublished: (image) => Promise.resolve(published.includes(image)),
    push: (image) => {
      pushed.push(image);
      return Promise.resolve(`${image.split(":")[0]}@sha256:00`);
    },
  };
}
const readJson = <T>(file: string): T =>
  JSON.parse(readFileSync(join(plan.folder, file), "utf8")) as T;
const verifying = (): Promise<number> => verifyRelease(plan.folder, join(folder, "release.pub"));

it("the list of npm packages is the lock's: every package that runs, with digest, licence and needs", () => {
  const sbom = listNpmPackages(version, "2026-11-30T00:00:00Z");
  const used = listUsedPackages();
  expect(sbom.components.map(({ name, version: of }) => `${name} ${of}`).sort()).toEqual(
    used.map(({ name, version: of }) => `${name} ${of}`).sort(),
  );
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string; integrity: string }>;
  };
  const fastify = sbom.components.find(({ name }) => name === "fastify")!;
  const locked = lock.packages["node_modules/fastify"]!;
  expect(fastify).toMatchObject({
    purl: `pkg:npm/fastify@${locked.version}`,
    licenses: [{ expression: "MIT" }],
    hashes: [
      {
        alg: "SHA-512",
        content: Buffer.from(locked.integrity.slice(7), "base64").toString("hex"),
      },
    ],
  });
  const listed = new Set(sbom.components.map((each) => each["bom-ref"]));
  expect(sbom.dependencies!.map(({ ref }) => ref).filter((ref) => !listed.has(ref))).toEqual([]);
  const needs = sbom.dependencies!.find(({ ref }) => ref === fastify.purl)!.dependsOn;
  expect(needs.some((ref) => ref.startsWith("pkg:npm/avvio@"))).toBe(true);
  expect(needs.filter((ref) => !listed.has(ref))).toEqual([]);
});

it("a release has images, lists of their software, sources, notes and a signature that anyone can check", async () => {
  const images = fakeImages();
  expect(await release({ ...plan, push: true }, images)).toBe(version);
  expect(readdirSync(plan.folder).sort()).toEqual(
    [
      "RELEASE-NOTES.md",
      "SHA256SUMS",
      "SHA256SUMS.sig",
      `carrel-${version}.tar.gz`,
      `carrel-npm-${version}.cdx.json`,
      "release.json",
      ...targets.map((target) => `carrel-${target}-${version}.cdx.json`),
    ].sort(),
  );
  expect(images.pushed).toContain(`registry.example.com/carrel:${version}`);
  expect(images.pushed).toContain(`registry.example.com/carrel-chat:${version}`);
  expect(readJson<{ images: object[] }>("release.json").images[0]).toEqual({
    image: `registry.example.com/carrel-gateway:${version}`,
    id: "sha256:gateway",
    published: "registry.example.com/carrel-gateway@sha256:00",
    sbom: `carrel-gateway-${version}.cdx.json`,
  });
  const { components } = readJson<Sbom>(`carrel-chat-${version}.cdx.json`);
  expect(components.map(({ purl }) => purl)).toEqual([
    "pkg:generic/node@24.21.0",
    "pkg:deb/debian/libssl3t64@3.5.1-1?arch=amd64&distro=debian-13&upstream=openssl%403.5.1-1",
    "pkg:deb/debian/libc6@2.41-12%2Bb1?arch=amd64&distro=debian-13&upstream=glibc%402.41-12",
  ]);
  expect(readFileSync(join(plan.folder, "RELEASE-NOTES.md"), "utf8")).toContain(
    "### For operators\n\n- The gateway needs no database any more",
  );
  expect(await verifying()).toBe(readdirSync(plan.folder).length - 2);
});

it("runs as ./carrel starts it, whose Node compiles nothing unless told to", () => {
  expect(execFileSync(join(root, "carrel"), ["release", "--help"], { encoding: "utf8" })).toMatch(
    /^Usage:/,
  );
});

it("notices a file that was changed, added or removed, and sums signed by another key", async () => {
  await release({ ...plan, dryRun: true }, fakeImages());
  const file = join(plan.folder, "RELEASE-NOTES.md");
  const text = readFileSync(file);
  appendFileSync(file, " ");
  await expect(verifying()).rejects.toThrow("RELEASE-NOTES.md was changed");
  rmSync(file);
  await expect(verifying()).rejects.toThrow("RELEASE-NOTES.md is missing");
  writeFileSync(file, text);
  writeFileSync(join(plan.folder, "more.txt"), "");
  await expect(verifying()).rejects.toThrow("more.txt isn't listed");
  rmSync(join(plan.folder, "more.txt"));
  await verifying();
  appendFileSync(join(plan.folder, "SHA256SUMS"), `${"0".repeat(64)}  more.txt\n`);
  await expect(verifying()).rejects.toThrow("isn't signed by this key");
});

it("refuses what isn't ready, and leaves nothing", async () => {
  const refused = async (words: string, more: Partial<ReleasePlan> = {}): Promise<void> => {
    await expect(release({ ...plan, ...more }, fakeImages())).rejects.toThrow(words);
    expect(existsSync(plan.folder)).toBe(false);
  };
  writeFileSync(join(plan.checkout, "stray.txt"), "");
  await refused("uncommitted changes");
  rmSync(join(plan.checkout, "stray.txt"));
  change("CHANGELOG.md", notes.replace("### For operators", "### Added"));
  await refused(`has no entry under "### For operators"`);
  change("CHANGELOG.md", "## Unreleased\n");
  await refused(`no section for ${version}`);
  change("CHANGELOG.md", notes);
  change("deploy/helm/carrel/Chart.yaml", chartOf("0.2.0", "1.2.2"));
  await refused("Chart.yaml has appVersion 1.2.2");
  git("tag", "v1.2.2");
  change("deploy/helm/carrel/Chart.yaml", chartOf("0.2.0"));
  await refused("Chart.yaml has version 0.2.0, as in v1.2.2: raise it");
  writeFileSync(join(folder, "wrong.key"), "-----BEGIN PRIVATE KEY-----");
  change("deploy/helm/carrel/Chart.yaml", chartOf("0.3.0"));
  await refused("contains no Ed25519 private key", { key: join(folder, "wrong.key") });
});

/** Runs as cosign: says its version, notes each command, and fails for those that `fails` names. */
function fakeCosign(gitVersion: string, fails: string): () => string[] {
  const program = join(folder, "cosign");
  const notes = join(folder, "cosign.txt");
  writeFileSync(
    program,
    `#!/bin/sh
if [ "$1" = version ]; then echo "GitVersion:    ${gitVersion}"; exit; fi
echo "$1 $(cat "$4") $6 $7 $8" >>${notes}
case "$1" in ${fails}) echo "the registry refused"; exit 1;; sign-blob) echo '{}' >"$8";; esac
`,
    { mode: 0o755 },
  );
  process.env.CARREL_COSIGN = program;
  return () => readFileSync(notes, "utf8").trim().split("\n");
}
afterEach(() => void delete process.env.CARREL_COSIGN);
const signed = (): ReleasePlan => ({ ...plan, cosignKey: "cosign.key", push: true });

it.each(["v3.0.2", "v2.6.1", "devel"])(
  "builds nothing if cosign %s might write to a public log",
  async (old) => {
    fakeCosign(old, "none");
    const images = fakeImages();
    await expect(release(signed(), images)).rejects.toThrow("cosign 3.0.4 or newer is needed");
    fakeCosign("v3.1.0", "sign-blob");
    await expect(release(signed(), images)).rejects.toThrow("the registry refused");
    expect(images).toMatchObject({ built: [], pushed: [] });
  },
);

it("a release whose signing failed after the push is continued, and names no log to cosign", async () => {
  fakeCosign("v3.0.4", "attest");
  const images = fakeImages();
  await expect(release(signed(), images)).rejects.toThrow("run the same command again");
  expect(existsSync(plan.folder)).toBe(false);
  expect(images.pushed.length).toBe(targets.length);
  await expect(release(plan, fakeImages())).rejects.toThrow("finish it with the command");

  const commands = fakeCosign("v3.1.3", "none");
  const later = fakeImages(images.pushed);
  expect(await release(signed(), later)).toBe(version);
  expect(later).toMatchObject({ built: [], pushed: [] });
  expect(readdirSync(plan.folder)).toContain("SHA256SUMS.cosign.json");
  await verifying();
  const config = '{"mediaType":"application/vnd.dev.sigstore.signingconfig.v0.2+json"}';
  expect(commands()).toContain(`sign ${config} cosign.key registry.example.com/carrel@sha256:00 `);
  for (const command of commands()) expect(command).toContain(config);
});

it("a push that broke off is continued with the images that were built", async () => {
  const broken = fakeImages();
  const { push } = broken;
  // The registry has the image, but nobody learned of it.
  broken.push = async (image, id) => {
    await push(image, id);
    throw new PlainError("connection lost");
  };
  await expect(release({ ...plan, push: true }, broken)).rejects.toThrow("connection lost");
  const later = fakeImages(broken.pushed);
  await release({ ...plan, push: true }, later);
  expect(later.built).toEqual([]);
  expect(later.pushed).toEqual(broken.built);
  await verifying();
});

it("a release is made without pushing, checked, and then pushed as it is", async () => {
  await release(plan, fakeImages());
  const later = fakeImages();
  await release({ ...plan, push: true }, later);
  expect(later.built).toEqual([]);
  expect(later.pushed.length).toBe(targets.length);
  await verifying();
  await expect(release({ ...plan, push: true }, fakeImages(later.pushed))).rejects.toThrow(
    "is published",
  );
});

it("never replaces a version that is published", async () => {
  const taken = fakeImages([`registry.example.com/carrel-auth:${version}`]);
  await expect(release({ ...plan, push: true }, taken)).rejects.toThrow("is published");
  expect(taken.pushed).toEqual([]);
  await release(plan, fakeImages());
  await expect(release(plan, fakeImages())).rejects.toThrow("exists already");
  rmSync(plan.folder, { recursive: true });
  git("tag", `v${version}`);
  await release(plan, fakeImages());
  rmSync(plan.folder, { recursive: true });
  change("late.txt", "");
  await expect(release(plan, fakeImages())).rejects.toThrow(
    `the tag v${version} is on another commit`,
  );
});
