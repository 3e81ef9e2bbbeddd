import { connect, type Socket } from "node:net";
import { json, prose, quantile, timeStream } from "./client.ts";
import { cpuByProgram } from "./memory-processes.ts";

interface Row {
  what: string;
  how: string;
  figure: string;
  reach: string;
  goal: string;
}
interface Workspace {
  id: number;
  slug: string;
}

/**
 * One kept-alive connection that sends the same GET again and again, without an HTTP library whose
 * work would be measured as well.
 */
class Connection {
  private readonly socket: Socket;
  private parts: Buffer[] = [];
  private missing: number | null = null;
  private done: (bytes: number) => void = () => undefined;
  private fail: (error: Error) => void = () => undefined;

  constructor(
    url: string,
    private readonly path: string,
  ) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on("error", (error) => this.fail(error));
    this.socket.on("data", (part) => this.receive(part));
  }

  /** Resolves to the size of the body. */
  get(): Promise<number> {
    return new Promise((done, fail) => {
      [this.done, this.fail, this.parts, this.missing] = [done, fail, [], null];
      this.socket.write(`GET ${this.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(part: Buffer): void {
    this.parts.push(part);
    if (this.missing === null) {
      const text = Buffer.concat(this.parts).toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (!text.startsWith("HTTP/1.1 200 ") || length === undefined)
        return this.fail(new Error(text.slice(0, 300)));
      this.missing = Number(length) + end + 4 - text.length;
    } else this.missing -= part.length;
    if (this.missing <= 0) this.done(this.parts.reduce((sum, { length }) => sum + length, 0));
  }
}

/** Reads per second in each of `runs`, with `width` connections. */
async function measureRates(
  url: string,
  path: string,
  width: number,
  count: number,
  runs: number,
): Promise<number[]> {
  const connections = Array.from({ length: width }, () => new Connection(url, path));
  const rates: number[] = [];
  for (let run = 0; run < runs; run++) {
    let left = count;
    const start = performance.now();
    await Promise.all(
      connections.map(async (connection) => {
        while (left-- > 0) await connection.get();
      }),
    );
    rates.push(count / ((performance.now() - start) / 1000));
  }
  for (const connection of connections) connection.close();
  return rates;
}

const perSecond = (rates: number[]): string =>
  `${Math.round(quantile(rates, 0.5))} (${Math.round(Math.min(...rates))}–${Math.round(Math.max(...rates))})`;

/** Reads of the product at `url`, whose main process is `pid`, one row each. */
export async function measureReads(
  url: string,
  pid: number,
  print: (row: Row) => void,
): Promise<void> {
  const make = async (name: string): Promise<Workspace> =>
    (await json<{ workspace: Workspace }>(url, "POST", "/api/workspace/new", { name })).workspace;
  const { slug } = await make("Reads 0");
  for (let n = 1; n < 7; n++) await make(`Reads ${n}`);
  for (let n = 0; n < 100; n++)
    await timeStream(
      url,
      `/api/workspace/${slug}/stream-chat`,
      { message: prose(n, 350) },
      () => true,
      () => true,
    );
  const { history } = await json<{ history: object[] }>(url, "GET", `/api/workspace/${slug}/chats`);
  const kilobytes = Math.round(Buffer.byteLength(JSON.stringify({ history })) / 1000);
  for (const [what, path, widths, count, goal] of [
    ["GET /workspaces", "/api/workspaces", [1, 16, 64], 4_000, "2,500; 5,000; 11,000/s"],
    ["GET /workspace/:slug", `/api/workspace/${slug}`, [1, 16], 2_000, "2,000; 4,000/s"],
    [
      `history of ${history.length / 2} turns (${kilobytes} kB)`,
      `/api/workspace/${slug}/chats`,
      [1, 16],
      1_000,
      "500; 900/s",
    ],
  ] as const) {
    await measureRates(url, path, 16, count, 2);
    const rates: string[] = [];
    for (const width of widths)
      rates.push(perSecond(await measureRates(url, path, width, count, 5)));
    const before = cpuByProgram(pid);
    await measureRates(url, path, 1, 2_000, 1);
    const cpu = [...cpuByProgram(pid)]
      .map(([program, ms]) => [program, (ms - (before.get(program) ?? 0)) / 2_000] as const)
      .filter(([, ms]) => ms >= 0.005)
      .map(([program, ms]) => `${program} ${ms.toFixed(2)}`);
    print({
      what,
      how: `password off, 7 workspaces; at ${widths.join(", ")} in flight, median (min–max) of 5; CPU of one read alone`,
      figure: `${rates.join("; ")}/s; ${cpu.join(", ")} ms CPU`,
      reach: "",
      goal,
    });
  }
}
