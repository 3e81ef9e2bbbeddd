import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { guardedFolder, waitFor } from "@carrel/testing";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { root } from "../checkout.ts";

/** Installs empty packages as the lock says, and appends its arguments to a file. */
const fakeNpm = `#!/bin/sh
if [ "$1" = config ]; then echo https://mirror.example/; else exec "${process.execPath}" "$0.cjs" "$@"; fi
`;
const fakeInstallation = `
const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const args = process.argv.slice(2);
appendFileSync(process.env.CALLS, args[0] + (args.includes("--omit=dev") ? " start" : " all") + "\\n");
const lock = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
const there = {};
for (const [path, entry] of Object.entries(lock)) {
  if (!path.includes("node_modules/") || (entry.dev && args.includes("--omit=dev"))) continue;
  if (entry.resolved && process.env.NO_ADDRESSES) { console.log("npm error code E404"); process.exit(1); }
  mkdirSync(path, { recursive: true });
  writeFileSync(path + "/package.json", JSON.stringify({ version: entry.version }));
  writeFileSync(path + "/index.d.ts", "");
  there[path] = entry;
}
writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: there }));
if (process.env.HANG) setInterval(() => {}, 1000);
`;

describe("installing packages", () => {
  let folder: string;
  const at = (...path: string[]): string => join(folder, ...path);
  const versionOf = (path: string): string | null =>
    existsSync(at(path, "package.json"))
      ? (JSON.parse(readFileSync(at(path, "package.json"), "utf8")) as { version: string }).version
      : null;
  const calls = (): string[] =>
    existsSync(at("calls")) ? readFileSync(at("calls"), "utf8").trim().split("\n") : [];
  const mark = (): string => readFileSync(at("node_modules/.carrel-lock"), "utf8");
  const writeLock = (version: string): void =>
    writeFileSync(
      at("package-lock.json"),
      JSON.stringify({
        packages: {
          "": {},
          "apps/one": {},
          "node_modules/used": { version, integrity: "sha512-x" },
          "node_modules/tester": { version, integrity: "sha512-y", dev: true },
          "apps/one/node_modules/own": { version, integrity: "sha512-z" },
        },
      }),
    );
  const run = (kind: string, lock: string, env: Record<string, string> = {}) =>
    spawn(process.execPath, [at("tools/packages/install.ts"), kind, lock, at("log")], {
      env: { ...process.env, NODE_OPTIONS: "", PATH: at("programs"), CALLS: at("calls"), ...env },
      stdio: "ignore",
    });
  const install = async (kind: string, lock: string, env?: Record<string, string>) => {
    const [code] = (await once(run(kind, lock, env), "exit")) as [number | null];
    return code;
  };

  beforeEach(() => {
    folder = guardedFolder("carrel-packages-");
    for (const file of ["terminal.ts", "packages/install.ts", "packages/locked.ts"])
      cpSync(join(root, "tools", file), at("tools", file));
    cpSync(join(root, "tools/packages/unneeded.ts"), at("tools/packages/unneeded.ts"));
    mkdirSync(at("programs"));
    writeFileSync(at("programs/npm"), fakeNpm);
    writeFileSync(at("programs/npm.cjs"), fakeInstallation);
    chmodSync(at("programs/npm"), 0o755);
    mkdirSync(at("apps/one"), { recursive: true });
    writeFileSync(at("package.json"), JSON.stringify({ workspaces: ["apps/*"] }));
    writeFileSync(at("apps/one/package.json"), "{}");
    writeFileSync(at(".npmrc"), "");
    writeLock("1.0.0");
  });

  it("a start installs what it needs, a test the rest, and a later start removes nothing", async () => {
    expect(await install("start", "lock1")).toBe(0);
    expect([versionOf("node_modules/used"), versionOf("node_modules/tester")]).toEqual([
      "1.0.0",
      null,
    ]);
    expect(versionOf("apps/one/node_modules/own")).toBe("1.0.0");
    expect(existsSync(at("node_modules/used/index.d.ts"))).toBe(false);
    expect(mark()).toBe("lock1 start");

    expect(await install("all", "lock1")).toBe(0);
    expect(versionOf("node_modules/tester")).toBe("1.0.0");
    expect(existsSync(at("node_modules/used/index.d.ts"))).toBe(true);
    expect(mark()).toBe("lock1 all");

    writeLock("2.0.0");
    expect(await install("start", "lock2")).toBe(0);
    expect([versionOf("node_modules/used"), versionOf("node_modules/tester")]).toEqual([
      "2.0.0",
      "2.0.0",
    ]);
    expect(mark()).toBe("lock2 all");
    expect(calls()).toEqual(["ci start", "ci all", "ci all"]);
    expect(existsSync(at(".tools/packages")) || existsSync(at(".tools/packages-old"))).toBe(false);
  });

  it("packages that are there already are only marked", async () => {
    expect(await install("all", "lock1")).toBe(0);
    writeFileSync(at("node_modules/.carrel-lock"), "an earlier version's mark");
    expect(await install("start", "lock1")).toBe(0);
    expect(mark()).toBe("lock1 all");
    expect(calls()).toEqual(["ci all"]);
  });

  it("an installation that is stopped leaves the packages as they were", async () => {
    expect(await install("start", "lock1")).toBe(0);
    writeLock("2.0.0");
    const stopped = run("start", "lock2", { HANG: "1" });
    const ended = once(stopped, "exit");
    await waitFor(() => existsSync(at(".tools/packages/node_modules/.package-lock.json")));
    stopped.kill("SIGTERM");
    expect((await ended)[0]).toBe(1);
    expect([versionOf("node_modules/used"), mark()]).toEqual(["1.0.0", "lock1 start"]);

    expect(await install("start", "lock2")).toBe(0);
    expect([versionOf("node_modules/used"), mark()]).toEqual(["2.0.0", "lock2 start"]);
  });

  it("a registry with other addresses is asked for them", async () => {
    expect(await install("start", "lock1", { NO_ADDRESSES: "1" })).toBe(0);
    expect(calls()).toEqual(["ci start", "ci start"]);
    expect(mark()).toBe("lock1 start");
  });
});
