import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import {
  commandLine,
  endProcess,
  freePort,
  isRunning,
  keepLogSmall,
  readPid,
  sleep,
} from "./process.ts";

/** How long a shutdown may take. */
const stopMs = 2_000;

export interface RedisProgram {
  path: string;
  libraryPath?: string;
}

export interface RedisOptions {
  /** Contains the append-only file, `redis.pid`, `redis.conf` and `redis.log`. */
  folder: string;
  program?: RedisProgram;
  /** Writes everything to a file; enabled by default. */
  appendOnly?: boolean;
  /** A fixed port, to restart under the same address; otherwise a free one. */
  port?: number;
}

export interface RedisServer {
  /** `redis://:<password>@127.0.0.1:<port>` */
  url: string;
  pid: number;
  port: number;
  adopted: boolean;
  stop(): Promise<void>;
}

/** One command over a raw socket; returns the raw reply, or null if nothing useful arrived. */
function ask(port: number, password: string, command: string): Promise<string | null> {
  return new Promise((done) => {
    const socket = connect({ port, host: "127.0.0.1" }, () =>
      socket.write(`AUTH ${password}\r\n${command}\r\n`),
    );
    let reply = "";
    const finish = (answer: string | null) => {
      socket.destroy();
      done(answer);
    };
    socket
      .setTimeout(2000, () => finish(null))
      .once("error", () => finish(null))
      .once("close", () => finish(null));
    socket.on("data", (data) => {
      reply += data;
      if (reply.startsWith("-")) finish(null);
      else if (reply.startsWith("+OK\r\n") && reply.length > 5 && reply.endsWith("\r\n"))
        finish(reply.slice(5));
    });
  });
}

/**
 * Starts (or adopts) the Redis server whose data is in the folder. Listens only on a loopback port,
 * behind a random password.
 */
export async function startRedis(options: RedisOptions): Promise<RedisServer> {
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const passwordFile = join(folder, "password");
  if (!existsSync(passwordFile))
    writeFileSync(passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
  const password = readFileSync(passwordFile, "utf8").trim();
  const pidFile = join(folder, "redis.pid");
  const configFile = join(folder, "redis.conf");
  const logFile = join(folder, "redis.log");
  const serve = (pid: number, port: number, adopted: boolean): RedisServer => ({
    url: `redis://:${password}@127.0.0.1:${port}`,
    pid,
    port,
    adopted,
    stop: () => endProcess(pid, "SIGTERM", stopMs),
  });

  const running = readPid(pidFile);
  if (
    running !== null &&
    isRunning(running) &&
    /redis-server/.test(commandLine(running)) &&
    existsSync(configFile)
  ) {
    const port = Number(/^port (\d+)$/m.exec(readFileSync(configFile, "utf8"))?.[1] ?? 0);
    for (let i = 0; i < 500 && isRunning(running); i++) {
      // Only a server that accepts our password and reports our process id is ours.
      const reply = port ? await ask(port, password, "INFO server") : null;
      if (reply === null) break;
      if (new RegExp(`^process_id:${running}\\r?$`, "m").test(reply))
        return serve(running, port, true);
      await sleep(10);
    }
    if (isRunning(running) && commandLine(running).includes(`:${port}`))
      await endProcess(running, "SIGTERM");
  }
  rmSync(pidFile, { force: true });

  const program = options.program ?? { path: "redis-server" };
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    writeFileSync(
      configFile,
      [
        "bind 127.0.0.1",
        `port ${port}`,
        `requirepass ${password}`,
        "protected-mode yes",
        `dir "${folder}"`,
        `pidfile "${pidFile}"`,
        `appendonly ${options.appendOnly === false ? "no" : "yes"}`,
        "appendfsync everysec",
        'save ""',
        "maxmemory-policy noeviction",
        "daemonize no",
        "databases 4",
        "tcp-keepalive 60",
        "timeout 0",
        "lazyfree-lazy-user-del yes",
        "stop-writes-on-bgsave-error no",
        "aof-use-rdb-preamble yes",
        "auto-aof-rewrite-min-size 16mb",
        "loglevel notice",
        'logfile ""',
        "",
      ].join("\n"),
      { mode: 0o600 },
    );
    keepLogSmall(logFile);
    const log = openSync(logFile, "a");
    const env = {
      PATH: process.env.PATH,
      LC_ALL: "C.UTF-8",
      ...(program.libraryPath ? { LD_LIBRARY_PATH: program.libraryPath } : {}),
    };
    const child = spawn(program.path, [configFile], {
      cwd: folder,
      env,
      detached: true,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    child.unref();
    let failure: string | null = null;
    child
      .once("error", (error) => {
        failure = error.message;
      })
      .once("exit", (code) => {
        failure ??= `exit code ${code}`;
      });
    while (failure === null) {
      const reply = await ask(port, password, "PING");
      if (reply?.startsWith("+PONG")) {
        writeFileSync(pidFile, `${child.pid}\n`);
        return serve(child.pid!, port, false);
      }
      await sleep(10);
    }
    const tail = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-5).join("\n");
    if (attempt >= (options.port === undefined ? 3 : 50) || !/in use/.test(tail))
      throw new Error(`Redis did not start: ${failure} (${logFile})\n${tail}`);
    // A server that was just killed holds its port until its last thread has ended.
    if (options.port !== undefined) await sleep(200);
  }
}
