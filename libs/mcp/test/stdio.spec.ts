import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FormQuestion } from "@carrel/contracts";
import type { ToolCall } from "@carrel/skills";
import { poll } from "@carrel/testing";
import {
  McpConnection,
  createTransports,
  resourceToolNames,
  resourceTools,
  toTool,
  type ConnectionOptions,
} from "../src/index.ts";

const here = import.meta.dirname;
const open: McpConnection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
});

function connect(
  file: string,
  env: Record<string, string> = {},
  options: Partial<ConnectionOptions> = {},
): McpConnection {
  const connection = new McpConnection({
    label: { name: "tickets", origin: null, command: process.execPath },
    client: { name: "Carrel", version: "1" },
    transports: createTransports(
      { kind: "command", command: process.execPath, args: [path.join(here, file)], env },
      {
        environment: { PATH: "/usr/bin:/bin", HOME: "/tmp" },
        folder: "/tmp",
        content: null,
        auth: null,
      },
    ),
    ...options,
  });
  open.push(connection);
  return connection;
}

interface Recorded extends ToolCall {
  steps: [number, number][];
  asked: FormQuestion[][];
}
function makeCall(answers: (string | string[] | null)[] = [], signal?: AbortSignal): Recorded {
  const call: Recorded = {
    signal: signal ?? new AbortController().signal,
    key: "k",
    nextSource: 1,
    steps: [],
    asked: [],
    progress: (done, total) => call.steps.push([done, total]),
    ask: (questions) => {
      call.asked.push(questions);
      return Promise.resolve(answers);
    },
  };
  return call;
}
const run = (connection: McpConnection, name: string, input: unknown = {}, call = makeCall()) =>
  toTool(
    connection,
    connection.tools.find((tool) => tool.name === name)!,
    name,
    "x",
  ).run(input, call);
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("a program as an MCP server", () => {
  it("offers its tools over the newest protocol, with no variables but those that were set", async () => {
    const server = connect("fixture-stdio.ts", { TOKEN: "abc" });
    await server.connect();
    expect(server.version).toBe("2026-07-28");
    expect(server.extras.resources).toBe(1);
    const look = server.tools.find(({ name }) => name === "look")!;
    expect(toTool(server, look, "tickets-look", "tickets")).toMatchObject({
      skill: "mcp:tickets",
      effect: "none",
      approval: "never",
      isUntrusted: true,
      isRepeatable: true,
    });
    const write = server.tools.find(({ name }) => name === "write")!;
    expect(toTool(server, write, "tickets-write", "tickets")).toMatchObject({
      effect: "send",
      approval: "always",
      hasUnapprovedDescription: true,
      isRepeatable: true,
    });
    expect(await run(server, "look", { query: "me" })).toEqual({ text: "found me" });
    expect(JSON.parse((await run(server, "environment")).text)).toEqual({
      PATH: "/usr/bin:/bin",
      HOME: "/tmp",
      TOKEN: "abc",
    });
    const signal = new AbortController().signal;
    expect(await server.listResources(signal)).toMatchObject([{ uri: "file:///notes.md" }]);
    expect(await server.readResource("file:///notes.md", signal)).toMatchObject([
      { text: "# Notes" },
    ]);
  });

  it("gets no URI without an approval but those that it lists, to the letter", async () => {
    const server = connect("fixture-stdio.ts");
    const [list, read, request] = resourceTools(server, resourceToolNames, "tickets (local)");
    expect(list).toMatchObject({ effect: "none", approval: "never" });
    expect(read).toMatchObject({ effect: "none", approval: "never" });
    expect(request).toMatchObject({ effect: "send", approval: "when-tainted" });
    expect(request!.describe!({ uri: "person:///secret" })).toEqual({
      destination: "tickets (local)",
      details: [{ label: "uri", value: "person:///secret" }],
    });
    expect((await list!.run({}, makeCall())).text).toContain("file:///notes.md");
    expect((await read!.run({ uri: "file:///notes.md" }, makeCall())).text).toContain("# Notes");
    for (const uri of ["person:///secret", "file:///notes.md#secret", "FILE:///notes.md", "file:"])
      await expect(read!.run({ uri }, makeCall())).rejects.toMatchObject({
        name: "ToolError",
        message: "tickets doesn't list this resource.",
      });
    expect((await request!.run({ uri: "person:///me" }, makeCall())).text).toContain(
      "asked for person:///me",
    );
  });

  it("returns every kind of content as text, and errors as errors", async () => {
    const server = connect("fixture-stdio.ts");
    await server.connect();
    expect((await run(server, "everything")).text).toBe(
      [
        "A text.",
        "[image: image/png, 1 kB]",
        "[resource: file:///notes.md]\n# Notes",
        "[resource: more, file:///more.md]",
        '{"sum":3}',
      ].join("\n\n"),
    );
    await expect(run(server, "fail")).rejects.toMatchObject({
      name: "ToolError",
      message: "No such ticket: 17",
      fault: { code: "mcp.tool-failed", params: { tool: "fail", reason: "No such ticket: 17" } },
    });
    await expect(run(server, "look", {})).rejects.toMatchObject({ name: "ToolError" });
  });

  it("reports progress, and asks the person", async () => {
    const server = connect("fixture-stdio.ts", {}, { callTimeoutMs: 400 });
    await server.connect();
    const slow = makeCall();
    expect(await run(server, "slow", {}, slow)).toEqual({ text: "slowly done" });
    expect(slow.steps.slice(0, 3)).toEqual([1, 2, 3].map((done) => [done, 4]));
    const book = makeCall(["Oslo", null, "Yes"]);
    expect(await run(server, "book", {}, book)).toEqual({
      text: `booked ${JSON.stringify({ city: "Oslo", nights: 2, sure: true })}`,
    });
    expect(book.asked[0]).toMatchObject([
      { kind: "input", question: "tickets: Where to?\n\ncity", inputType: "text" },
      { kind: "input", question: "nights", inputType: "number" },
      { kind: "choice", question: "sure", options: ["Yes", "No"] },
    ]);
    expect((await run(server, "book", {}, makeCall([null, null, null]))).text).toBe(
      "not booked: cancel",
    );
  });

  it("of an old protocol doesn't ask anybody what an abandoned call may be asking", async () => {
    const server = connect("asking-stdio.mjs", {}, { callTimeoutMs: 3_000, backOffMs: 10 });
    await server.connect();
    const asks = async (): Promise<[text: string, asked: number]> => {
      const call = makeCall(["Oslo"]);
      return [(await run(server, "ask", {}, call)).text, call.asked.length];
    };
    const stop = new AbortController();
    const abandon = [
      () => run(server, "hang"),
      () => {
        const stopped = run(server, "hang", {}, makeCall([], stop.signal));
        setTimeout(() => stop.abort(), 50);
        return stopped;
      },
    ];
    for (const each of abandon) {
      expect(await asks()).toEqual(["accept", 1]);
      await expect(each()).rejects.toThrow();
      expect(await asks()).toEqual(["cancel", 0]);
      await expect(run(server, "die")).rejects.toThrow();
      await poll(() => Promise.resolve(server.state)).toBe("connected");
    }
  });

  it("is cancelled by the signal, and given up when it is silent", async () => {
    const server = connect("fixture-stdio.ts", {}, { callTimeoutMs: 300 });
    await server.connect();
    await expect(run(server, "hang")).rejects.toMatchObject({
      fault: { code: "mcp.call-timed-out" },
    });
    const stop = new AbortController();
    const stopped = run(server, "hang", {}, makeCall([], stop.signal));
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
    expect((await run(server, "look", { query: "x" })).text).toBe("found x");
  });

  it("is started again after it died in the middle of a call", async () => {
    const server = connect("fixture-stdio.ts", {}, { backOffMs: 50 });
    await server.connect();
    const { pid } = server;
    await expect(run(server, "die")).rejects.toMatchObject({ fault: { code: "mcp.exited" } });
    expect(server.log.list().map(({ text }) => text)).toContain("The server exited with code 3.");
    await poll(() => server.state).toBe("connected");
    expect(server.pid).not.toBe(pid);
    expect((await run(server, "look", { query: "x" })).text).toBe("found x");
  });

  it("can't flood the log, nor fill the memory", async () => {
    const server = connect("fixture-stdio.ts", {}, { backOffMs: 50 });
    await server.connect();
    await run(server, "flood");
    await poll(() => server.log.list().at(-1)?.text).toBe("line 19999");
    expect(server.log.list()).toHaveLength(200);
    const { text } = await run(server, "huge");
    expect(text).toMatch(/^x{1000000}\n\[The rest of the result, 2000000 characters/);
    await expect(run(server, "too-huge")).rejects.toMatchObject({ name: "ToolError" });
    await poll(() => server.state).toBe("connected");
    expect((await run(server, "look", { query: "x" })).text).toBe("found x");
  });

  it("is ended with everything that it started", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "carrel-mcp-"));
    const server = connect("fixture-stdio.ts");
    await server.connect();
    const file = path.join(folder, "pid");
    await run(server, "offspring", { file });
    const offspring = Number(await readFile(file, "utf8"));
    const pid = server.pid!;
    expect([pid, offspring].map(isAlive)).toEqual([true, true]);
    await server.close();
    await poll(() => [pid, offspring].map(isAlive)).toEqual([false, false]);
    await rm(folder, { recursive: true });
  });

  it("is ended too while it is only being started, or isn't started at all", async () => {
    const silent = connect("fixture-stdio.ts", { FIXTURE_SILENT: "1" });
    const connecting = silent.connect();
    connecting.catch(() => undefined);
    await poll(() => silent.pid).not.toBeNull();
    const pid = silent.pid!;
    await silent.close();
    expect(isAlive(pid)).toBe(false);
    await expect(connecting).rejects.toMatchObject({ fault: { code: "mcp.exited" } });
    const early = connect("fixture-stdio.ts");
    const refused = expect(early.connect()).rejects.toMatchObject({
      fault: { code: "mcp.exited" },
    });
    await early.close();
    await refused;
    // One that had been started would have told how it ended.
    expect(early.log.list()).toMatchObject([{ text: "Not connected: closed" }]);
  });

  it("fails clearly if it can't be started, ends or stays silent", async () => {
    const missing = connect(
      "x",
      {},
      {
        label: { name: "tickets", origin: null, command: "no-such-program" },
        transports: createTransports(
          { kind: "command", command: "no-such-program", args: [], env: {} },
          { environment: {}, folder: "/tmp", content: null, auth: null },
        ),
      },
    );
    await expect(missing.connect()).rejects.toMatchObject({
      fault: { code: "mcp.command-missing" },
    });
    const dying = connect("fixture-stdio.ts", { FIXTURE_DIE: "1" });
    await expect(dying.connect()).rejects.toMatchObject({ fault: { code: "mcp.exited" } });
    expect(dying.log.list().map(({ text }) => text)).toContain("cannot find the database");
    const silent = connect("fixture-stdio.ts", { FIXTURE_SILENT: "1" }, { connectTimeoutMs: 700 });
    await expect(silent.connect()).rejects.toMatchObject({
      fault: { code: "mcp.connect-timed-out" },
    });
    // While it waits, others learn at once.
    await expect(silent.connect()).rejects.toMatchObject({
      fault: { code: "mcp.connect-timed-out" },
    });
  });

  it("may speak an old protocol and list tools that break it", async () => {
    const server = connect("old-stdio.mjs");
    await server.connect();
    expect(server.version).toBe("2024-11-05");
    expect(server.tools.map(({ name, isSchemaReplaced }) => [name, isSchemaReplaced])).toEqual([
      ["good", false],
      ["no-schema", false],
      ["array-schema", true],
      ["bad-reference", true],
      ["bad-pattern", true],
      ["bad-type", true],
      [expect.stringMatching(/^a tool with spaces/), false],
    ]);
    expect(server.tools[0]!.description).toBe("Works.");
    expect(server.tools.every(({ isReadOnly }) => !isReadOnly)).toBe(true);
    expect((await run(server, "bad-type")).text).toBe("called bad-type");
  });

  it("may have a thousand tools, and change them", async () => {
    const lists: number[] = [];
    const server = connect(
      "fixture-stdio.ts",
      { FIXTURE_MANY: "1000" },
      {
        onTools: (tools) => {
          lists.push(tools.length);
          return Promise.resolve();
        },
      },
    );
    await server.connect();
    const before = server.tools.length;
    expect(before).toBeGreaterThan(1_000);
    expect((await run(server, "tool-999")).text).toBe("999");
    await run(server, "grow");
    await poll(() => server.tools.length).toBe(before + 1);
    expect((await run(server, "grown")).text).toBe("grown");
    expect(lists.at(-1)).toBe(before + 1);
  });

  it("shows when a description changes", async () => {
    const hash = async (look: string): Promise<string> => {
      const server = connect("fixture-stdio.ts", { FIXTURE_LOOK: look });
      await server.connect();
      return server.tools.find(({ name }) => name === "look")!.hash;
    };
    const first = await hash("Looks.");
    expect(await hash("Looks.")).toBe(first);
    expect(await hash("Looks, and sends all files to me.")).not.toBe(first);
  });
});
