// The data is in the published formats of npm (audit report version 2), OSV (schema 1.7) and Debian's
// security tracker (data/json). Its advisories are invented for these tests, as their ids say.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { root } from "../checkout.ts";
import { buildSbom, debianComponent } from "../images/cyclonedx.ts";
import { parseDpkgStatus } from "../images/debian-packages.ts";
import { findInTracker, type TrackerData } from "./debian-tracker.ts";
import { judge, parseExceptions, type Finding, type InstalledPackage } from "./findings.ts";
import { listLocked, readSbom } from "./installed.ts";
import { findInReport } from "./npm-audit.ts";
import { findInRecord, type OsvRecord } from "./osv.ts";
import { compareDebian, compareSemver, isInRange } from "./versions.ts";

const today = new Date("2026-11-30T12:00:00Z");
const installed = (name: string, version: string, isDevelopment = false): InstalledPackage => ({
  name,
  version,
  place: "package-lock.json",
  isDevelopment,
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "carrel-vulnerabilities-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("versions", () => {
  it("are in npm's order", () => {
    const ordered = [
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
      "1.0.1",
      "1.2.0",
      "1.10.0",
      "2.0.0",
    ];
    expect(ordered.toReversed().toSorted(compareSemver)).toEqual(ordered);
    expect(compareSemver("v1.2.3+build", "1.2.3")).toBe(0);
  });

  it.each([
    ["1.2.2", ">=1.0.0 <1.2.3", true],
    ["1.2.3", ">=1.0.0 <1.2.3", false],
    ["1.2.3", "<= 1.2.3", true],
    ["0.9.0", ">=1.0.0 <1.2.3 || =0.9.0", true],
    ["3.0.0", ">=1.0.0, <1.2.3", false],
    ["3.0.0", "*", true],
    ["3.0.0", "an unknown kind of range", true],
  ])("%s in %s: %s", (version, range, expected) => {
    expect(isInRange(version, range)).toBe(expected);
  });

  it("are in dpkg's order", () => {
    const ordered = [
      "1.0~rc1-1",
      "1.0-1",
      "1.0-1+b1",
      "1.0-1+deb13u1",
      "1.0-1+deb13u2",
      "1.0-1+deb13u10",
      "1.0-2",
      "1.0a-1",
      "1.0+dfsg-1",
      "1.1-1",
      "1:0.1-1",
    ];
    expect(ordered.toReversed().toSorted(compareDebian)).toEqual(ordered);
    expect(compareDebian("0:2.41-12", "2.41-12")).toBe(0);
  });
});

const advisory = {
  source: 1_000_001,
  name: "example-parser",
  title: "Invented for a test",
  url: "https://github.com/advisories/GHSA-0000-test-0001",
  severity: "high",
  range: ">=2.0.0 <2.4.1",
};

describe("npm's report", () => {
  it("names the affected versions, each once, with the fix", () => {
    const report = {
      auditReportVersion: 2,
      vulnerabilities: {
        "example-parser": { name: "example-parser", via: [advisory] },
        "example-server": { name: "example-server", via: ["example-parser"] },
      },
    };
    const packages = ["1.9.0", "2.4.0", "2.4.1"].map((version) =>
      installed("example-parser", version),
    );
    expect(findInReport(report, [...packages, installed("example-server", "1.0.0")])).toEqual([
      {
        ids: ["GHSA-0000-test-0001"],
        package: packages[1],
        severity: "high",
        title: "Invented for a test",
        fixedIn: "2.4.1",
        url: advisory.url,
      },
    ]);
  });
});

/** Runs the command as a maintainer does, with npm's requests going to a server of the test. */
async function check(
  registry: string,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const child = spawn(
    process.execPath,
    [join(root, "tools/carrel.ts"), "vulnerabilities", ...args],
    {
      env: {
        ...process.env,
        NODE_OPTIONS: "",
        npm_config_registry: registry,
        npm_config_cache: folder,
      },
    },
  );
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number]>,
  ]);
  return { code, output: output + errors };
}

describe("the command", () => {
  it("sends the lock's packages to the registry and fails for what it names", async () => {
    const { version } = listLocked().find(({ name }) => name === "fastify")!;
    const bodies: Record<string, string[]>[] = [];
    const registry = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        if (request.url === "/-/npm/v1/security/advisories/bulk") {
          const body = Buffer.concat(chunks);
          bodies.push(
            JSON.parse((body[0] === 0x1f ? gunzipSync(body) : body).toString()) as Record<
              string,
              string[]
            >,
          );
          const { source: id, range, name: _, ...rest } = advisory;
          response.setHeader("content-type", "application/json");
          response.end(
            JSON.stringify({
              fastify: [{ ...rest, id, vulnerable_versions: "<99.0.0", cwe: [], cvss: {}, range }],
            }),
          );
        } else response.writeHead(404).end("{}");
      });
    }).listen(0, "127.0.0.1");
    await once(registry, "listening");
    try {
      const { port } = registry.address() as AddressInfo;
      const { code, output } = await check(`http://127.0.0.1:${port}/`);
      expect(output).toContain(
        `high      fastify ${version}  GHSA-0000-test-0001  fixed in 99.0.0`,
      );
      expect(code).toBe(1);
      expect(bodies[0]!.fastify).toEqual([version]);
      expect(Object.keys(bodies[0]!).length).toBeGreaterThan(1_000);
    } finally {
      registry.close();
    }
  }, 60_000);

  it("says what to do without a network, and works from downloaded data", async () => {
    const closed = "http://127.0.0.1:9/";
    const offline = await check(closed);
    expect(offline.code).toBe(1);
    expect(offline.output).toContain("npm's registry gave no advisories");
    expect(offline.output).toContain("pass it with --osv");

    writeFileSync(join(folder, "osv.json"), "{}");
    const empty = await check(closed, "--osv", folder);
    expect(empty.output).toContain("has no OSV records about npm's packages");
    expect(empty.code).toBe(1);
    writeFileSync(join(folder, "osv.json"), JSON.stringify(osv));
    const sbom = join(folder, "image.cdx.json");
    writeFileSync(sbom, JSON.stringify(imageSbom()));
    writeFileSync(join(folder, "tracker.json"), JSON.stringify(tracker));
    const fromFiles = ["--osv", folder, "--sbom", sbom, "--debian", join(folder, "tracker.json")];
    const failing = await check(closed, ...fromFiles);
    expect(failing.output).toContain(
      "unknown   example-tls 3.0.1-1  CVE-0000-0001  fixed in 3.0.1-1+deb13u1",
    );
    expect(failing.code).toBe(1);

    const exceptions = join(folder, "exceptions.txt");
    const exception = {
      id: "CVE-0000-0001",
      package: "example-tls",
      reason: "Carrel never calls the affected function",
      expires: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    };
    writeFileSync(exceptions, JSON.stringify([exception]));
    const accepted = await check(closed, ...fromFiles, "--exceptions", exceptions);
    expect(accepted.output).toContain("accepted  example-tls 3.0.1-1  CVE-0000-0001");
    expect(accepted.code).toBe(0);
  }, 60_000);
});

const osv: OsvRecord = {
  id: "GHSA-0000-test-0002",
  aliases: ["CVE-0000-0002"],
  summary: "Invented for a test",
  affected: [
    {
      package: { ecosystem: "npm", name: "example-parser" },
      ranges: [
        {
          type: "SEMVER",
          events: [
            { introduced: "0" },
            { fixed: "1.5.2" },
            { introduced: "2.0.0" },
            { last_affected: "2.4.0" },
          ],
        },
      ],
    },
  ],
  database_specific: { severity: "MODERATE" },
};

it.each([
  ["1.5.1", "1.5.2"],
  ["1.5.2", undefined],
  ["2.0.0", null],
  ["2.4.0", null],
  ["2.4.1", undefined],
])("OSV: example-parser %s is fixed in %s", (version, fixedIn) => {
  const [finding] = findInRecord(osv, [installed("example-parser", version)]);
  expect(finding?.fixedIn).toBe(fixedIn);
  if (finding !== undefined)
    expect(finding).toMatchObject({
      ids: ["GHSA-0000-test-0002", "CVE-0000-0002"],
      severity: "moderate",
    });
});

it("OSV: withdrawn records and other ecosystems aren't about npm's packages", () => {
  const packages = [installed("example-parser", "1.0.0")];
  expect(findInRecord({ ...osv, withdrawn: "2026-01-01T00:00:00Z" }, packages)).toEqual([]);
  const other = { ...osv.affected![0]!, package: { ecosystem: "PyPI", name: "example-parser" } };
  expect(findInRecord({ ...osv, affected: [other] }, packages)).toEqual([]);
});

const tracker: TrackerData = {
  "example-tls": {
    "CVE-0000-0001": {
      description: "Invented for a test",
      releases: {
        bookworm: { status: "resolved", fixed_version: "0", urgency: "not yet assigned" },
        trixie: {
          status: "resolved",
          fixed_version: "3.0.1-1+deb13u1",
          urgency: "not yet assigned",
        },
      },
    },
    "CVE-0000-0002": { releases: { trixie: { status: "open", urgency: "low" } } },
    "CVE-0000-0003": { releases: { trixie: { status: "open", urgency: "unimportant" } } },
    "CVE-0000-0004": { releases: { trixie: { status: "resolved", fixed_version: "0" } } },
    "CVE-0000-0005": { releases: { trixie: { status: "undetermined" } } },
  },
};
const debian = parseDpkgStatus(
  `Package: libexample3\nStatus: install ok installed\nArchitecture: amd64\nSource: example-tls\nVersion: 3.0.1-1\n\nPackage: example-tls\nStatus: install ok installed\nArchitecture: amd64\nVersion: 3.0.1-1\n`,
);
const imageSbom = () =>
  buildSbom(
    "carrel-chat",
    "1.2.3",
    debian.map((each) => debianComponent(each, "13")),
  );

it("Debian: source packages count once, with the fix of the release, from an image's list", () => {
  const file = join(folder, "image.cdx.json");
  writeFileSync(file, JSON.stringify(imageSbom()));
  const listed = readSbom(file).debian;
  expect(listed).toEqual(debian.map((each) => ({ ...each, place: "image.cdx.json" })));
  const found = (suite: string): unknown[] =>
    findInTracker(tracker, listed, suite).map(({ ids, severity, fixedIn }) => [
      ...ids,
      severity,
      fixedIn,
    ]);
  expect(found("trixie")).toEqual([
    ["CVE-0000-0001", null, "3.0.1-1+deb13u1"],
    ["CVE-0000-0002", "low", null],
  ]);
  expect(found("bookworm")).toEqual([]);
});

describe("the verdict", () => {
  const finding = (more: Partial<Finding>): Finding => ({
    ids: ["CVE-0000-0001"],
    package: installed("example-parser", "1.0.0"),
    severity: "high",
    title: "Invented for a test",
    fixedIn: "1.0.1",
    url: "",
    ...more,
  });
  const options = { today, level: "moderate", failUnfixed: false } as const;
  const exception = {
    id: "CVE-0000-0001",
    package: "example-parser",
    reason: "Carrel never calls the affected function",
    expires: "2026-11-30",
  };

  it("fails for what ships, is severe enough and has a fix", () => {
    const counts = (more: Partial<Finding>, failUnfixed = false): number =>
      judge([finding(more)], [], { ...options, failUnfixed }).failing.length;
    expect(counts({})).toBe(1);
    expect(counts({ severity: null })).toBe(1);
    expect(counts({ severity: "low" })).toBe(0);
    expect(counts({ package: installed("example-parser", "1.0.0", true) })).toBe(0);
    expect(counts({ fixedIn: null })).toBe(0);
    expect(counts({ fixedIn: null }, true)).toBe(1);
  });

  it("exceptions hold to the end of their day, for their package and advisory only", () => {
    expect(judge([finding({})], [exception], options)).toMatchObject({ failing: [], stale: [] });
    const later = { ...options, today: new Date("2026-12-01T00:00:00Z") };
    expect(judge([finding({})], [exception], later)).toMatchObject({
      failing: [finding({})],
      stale: [{ why: "expired" }],
    });
    const other = { ...exception, package: "example-server" };
    expect(judge([finding({})], [other], options)).toMatchObject({
      failing: [finding({})],
      stale: [{ why: "unused" }],
    });
  });

  it("exceptions need a reason and a near end", () => {
    const parse = (more: object) => () =>
      parseExceptions(JSON.stringify([{ ...exception, ...more }]), today);
    expect(parse({})()).toEqual([exception]);
    expect(parse({ reason: "later" })).toThrow("CVE-0000-0001 needs a reason");
    expect(parse({ expires: undefined })).toThrow("needs a date");
    expect(parse({ expires: "2028-01-01" })).toThrow("more than a year");
  });
});
