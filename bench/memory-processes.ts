import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "../tools/postgres.ts";
import { startRedis } from "../tools/redis.ts";

/** Sums a metric over a process and its descendants, by program. */
function sumByProgram(pid: number, figureOf: (pid: number) => number): Map<string, number> {
  const sums = new Map<string, number>();
  try {
    const program = readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    // Node names its main thread.
    sums.set(program === "MainThread" ? "node" : program, figureOf(pid));
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    for (const child of children === "" ? [] : children.split(" "))
      for (const [name, figure] of sumByProgram(Number(child), figureOf))
        sums.set(name, (sums.get(name) ?? 0) + figure);
  } catch (error) {
    // The process ended in the meantime.
    if (!["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
  return sums;
}

/** CPU milliseconds of a process and its descendants so far, by program. */
export const cpuByProgram = (pid: number): Map<string, number> =>
  sumByProgram(pid, (one) => {
    const [, rest = ""] =
      /^\d+ \(.+\) (.*)$/s.exec(readFileSync(`/proc/${one}/stat`, "utf8")) ?? [];
    const fields = rest.split(" ");
    // utime, stime and the same for ended children, in ticks of 10 ms.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10;
  });

/** Megabytes (proportional set size) of a process and its descendants, by program. */
export const memoryByProgram = (pid: number): Map<string, number> =>
  sumByProgram(
    pid,
    (one) =>
      Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/smaps_rollup`, "utf8"))?.[1] ?? 0) /
      1024,
  );

export const total = (figures: Map<string, number>): number =>
  [...figures.values()].reduce((sum, figure) => sum + figure, 0);

/** Commands that the data folder's Redis server has run, including those in scripts. */
async function redisCommands(home: string): Promise<number> {
  const { url } = await startRedis({ folder: join(home, "redis") }); // adopts the running one
  const { port, password } = new URL(url);
  const reply = await new Promise<string>((done, fail) => {
    let text = "";
    const socket = connect(Number(port), "127.0.0.1", () =>
      socket.write(`AUTH ${password}\r\nINFO stats\r\nQUIT\r\n`),
    );
    socket.on("data", (part) => (text += String(part))).on("error", fail);
    socket.on("end", () => done(text));
  });
  return Number(/^total_commands_processed:(\d+)/m.exec(reply)?.[1]);
}

/** Transactions that the data folder's PostgreSQL server has completed. */
async function postgresTransactions(home: string): Promise<number> {
  const { url } = await startPostgres({ folder: join(home, "postgres") }); // adopts the running one
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query<{ count: string }>(
      "SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()",
    );
    return Number(found.rows[0]!.count);
  } finally {
    await client.end();
  }
}

/** The work per second of an idle instance. */
export interface IdleWork {
  cpuMs: Map<string, number>;
  commands: number;
  transactions: number;
}

/** Measures for `seconds` the work of the instance with this data folder and main process. */
export async function measureIdleWork(
  home: string,
  pid: number,
  seconds: number,
): Promise<IdleWork> {
  const look = async () => ({
    at: performance.now(),
    commands: await redisCommands(home),
    transactions: await postgresTransactions(home),
    cpu: cpuByProgram(pid),
  });
  const before = await look();
  await new Promise((done) => setTimeout(done, seconds * 1000));
  const cpu = cpuByProgram(pid);
  const after = await look();
  const elapsed = (after.at - before.at) / 1000;
  // The measurement's own share: AUTH, INFO and QUIT, PING of the adopted server, and one
  // transaction.
  const own = { commands: 5, transactions: 1 };
  return {
    cpuMs: new Map(
      [...cpu].map(([program, ms]) => [program, (ms - (before.cpu.get(program) ?? 0)) / elapsed]),
    ),
    commands: Math.max(0, after.commands - before.commands - own.commands) / elapsed,
    transactions:
      Math.max(0, after.transactions - before.transactions - own.transactions) / elapsed,
  };
}
