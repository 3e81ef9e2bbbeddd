import { connect, type Socket } from "node:net";
import { json, prose, quantile, timeStream } from "./client.ts";
import { makeWorkspace, type Target } from "./http-answers.ts";
import { cpuOfOne, describeCpu, readCpu } from "./http-cpu.ts";

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
    private readonly token?: string,
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
      const who = this.token === undefined ? "" : `Authorization: Bearer ${this.token}\r\n`;
      this.socket.write(`GET ${this.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${who}\r\n`);
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

/** Reads per second in each of `runs`, with `width` connections, each with its own token if any. */
async function measureRates(
  url: string,
  path: string,
  { width, count, runs, tokens }: { width: number; count: number; runs: number; tokens?: string[] },
): Promise<number[]> {
  const connections = Array.from(
    { length: width },
    (_, index) => new Connection(url, path, tokens?.[index]),
  );
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

const workspaces = 7;

/** Reads of a product without accounts, one row each. */
export async function measureReads({ url, processes, print }: Target): Promise<void> {
  const slug = await makeWorkspace(url, "Reads 0");
  for (let n = 1; n < workspaces; n++) await makeWorkspace(url, `Reads ${n}`);
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
    await measureRates(url, path, { width: 16, count, runs: 2 });
    const rates: string[] = [];
    for (const width of widths)
      rates.push(perSecond(await measureRates(url, path, { width, count, runs: 5 })));
    const before = readCpu(processes);
    await measureRates(url, path, { width: 1, count: 2_000, runs: 1 });
    const cpu = describeCpu([cpuOfOne(before, readCpu(processes), 2_000)]);
    print({
      what,
      how: `password off, ${workspaces} workspaces; at ${widths.join(", ")} in flight, median (min–max) of 5; CPU of one read alone`,
      figure: `${rates.join("; ")}/s; ${cpu} ms CPU`,
      reach: "",
      goal,
    });
  }
}

/** Switches the product to user accounts, so it must run last. */
export async function measureUserReads({ url, processes, print }: Target): Promise<void> {
  const password = "Benchmark 7 reads";
  const users = 64;
  const ask = async <T>(path: string, body: unknown, token?: string): Promise<T> => {
    const reply = await fetch(`${url}/api${path}`, {
      method: "POST",
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  };
  const signIn = async (username: string): Promise<string> =>
    (await ask<{ token: string }>("/request-token", { username, password })).token;
  await ask("/system/enable-multi-user", { username: "administrator", password });
  const admin = await signIn("administrator");
  const userIds: number[] = [];
  const tokens: string[] = [];
  for (let n = 0; n < users; n++) {
    const username = `reader${n}`;
    const account = { username, password, role: "default" };
    const { user } = await ask<{ user: { id: number } }>("/admin/users/new", account, admin);
    userIds.push(user.id);
    tokens.push(await signIn(username));
  }
  for (let n = 0; n < workspaces; n++) {
    const { workspace } = await ask<{ workspace: { id: number } }>(
      "/workspace/new",
      { name: `Accounts ${n}` },
      admin,
    );
    await ask(`/admin/workspaces/${workspace.id}/update-users`, { userIds }, admin);
  }
  const path = "/api/workspaces";
  await measureRates(url, path, { width: users, count: 4_000, runs: 2, tokens });
  const before = readCpu(processes);
  const rates = await measureRates(url, path, { width: users, count: 4_000, runs: 5, tokens });
  print({
    what: `GET /workspaces of ${users} users`,
    how: `accounts, each a member of ${workspaces} workspaces, ${users} in flight, median (min–max) of 5; CPU of one read`,
    figure: `${perSecond(rates)}/s; ${describeCpu([cpuOfOne(before, readCpu(processes), 20_000)])} ms CPU`,
    reach: "",
    goal: "3,000/s",
  });
}
