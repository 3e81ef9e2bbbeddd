import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./checkout.ts";
import { findProgram, hasApt, unpackPackages } from "./debian.ts";
import { withFileLock } from "./file-lock.ts";
import { runCommand } from "./process.ts";
import type { RedisProgram } from "./redis.ts";
import { PlainError, withProgress } from "./terminal.ts";

/** Requires 6.2 for XAUTOCLAIM, which takes over entries that a dead replica had claimed. */
async function isUsable(program: RedisProgram): Promise<boolean> {
  const env = {
    ...process.env,
    ...(program.libraryPath ? { LD_LIBRARY_PATH: program.libraryPath } : {}),
  };
  const { code, output } = await runCommand(program.path, ["--version"], { env });
  const [major = 0, minor = 0] = (/v=(\d+)\.(\d+)/.exec(output) ?? []).slice(1).map(Number);
  return code === 0 && (major > 6 || (major === 6 && minor >= 2));
}

const tools = join(root, ".tools");
const folder = join(tools, "redis");
/** Written once everything is unpacked. */
const mark = join(folder, "program.json");

async function findUnpacked(): Promise<RedisProgram | null> {
  if (!existsSync(mark)) return null;
  const known = JSON.parse(readFileSync(mark, "utf8")) as RedisProgram;
  return (await isUsable(known)) ? known : null;
}

/**
 * The machine's redis-server, or Debian's unpacked under `.tools` (1.4 MB): nothing is installed
 * system-wide, so no system service starts, and root and ordinary users get the same.
 */
export async function redisProgram(): Promise<RedisProgram> {
  const system = await findProgram("redis-server");
  if (system && (await isUsable({ path: system }))) return { path: system };
  const unpacked = await findUnpacked();
  if (unpacked) return unpacked;
  mkdirSync(tools, { recursive: true });
  // On a new clone, several test workers get here at once; all but the first find it unpacked.
  return withFileLock(
    join(tools, "redis.lock"),
    async () => (await findUnpacked()) ?? (await unpack()),
  );
}

async function unpack(): Promise<RedisProgram> {
  if (!(await hasApt()))
    throw new PlainError(
      "Carrel needs Redis 6.2 or newer, which isn't installed.\nWhat to do: install it with your system's package manager (macOS: brew install redis), or set REDIS_URL to a server, then run the same command again.",
    );
  const libraryPath = await withProgress("Downloading Redis from Debian's packages", () =>
    unpackPackages(["redis-server", "redis-tools"], "Redis", folder),
  );
  const program = { path: join(folder, "usr", "bin", "redis-server"), libraryPath };
  if (!(await isUsable(program)))
    throw new PlainError(
      `Redis was unpacked to ${folder} but doesn't start.\nWhat to do: install it (as root: apt-get install redis-server) or set REDIS_URL, then run the same command again.`,
    );
  writeFileSync(`${mark}.next`, JSON.stringify(program));
  renameSync(`${mark}.next`, mark);
  return program;
}
