import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import type { McpServerConfig } from "@carrel/contracts";
import { createContentClient } from "@carrel/egress";
import { freePort, waitFor } from "@carrel/testing";
import {
  McpConnection,
  beginSignIn,
  completeSignIn,
  createAuth,
  createServerFetch,
  createTransports,
  toTool,
  type SignInRecord,
} from "../src/index.ts";

const root = path.join(import.meta.dirname, "../../..");
const examples = path.join(root, "node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server");
/** Some examples listen on port 3000 whatever they are told. */
const ownPort = `data:text/javascript,${encodeURIComponent(
  `import net from "node:net";
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function (port, ...rest) {
    return listen.call(this, port === 3000 ? Number(process.env.MCP_PORT) : port, ...rest);
  };`,
)}`;

const running: ChildProcess[] = [];
const open: McpConnection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()));
  for (const child of running.splice(0)) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

/** Returns the address of an example server. */
async function startExample(file: string, args: string[] = []): Promise<string> {
  const [port, authPort] = [String(await freePort()), String(await freePort())];
  const child = spawn(process.execPath, ["--import", ownPort, path.join(examples, file), ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, PORT: port, MCP_PORT: port, MCP_AUTH_PORT: authPort },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()));
  await waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(output.slice(-2_000));
      return fetch(`http://localhost:${port}/`).then(
        () => true,
        () => false,
      );
    },
    { what: `${file} to listen` },
  );
  return `http://localhost:${port}/mcp`;
}

const content = createContentClient({ allow: ["127.0.0.1", "localhost", "::1"] });
function connect(
  config: McpServerConfig,
  auth: ReturnType<typeof createAuth> | null = null,
): McpConnection {
  const connection = new McpConnection({
    label: { name: "example", origin: "http://localhost", command: null },
    client: { name: "Carrel", version: "0.1.0" },
    transports: createTransports(config, {
      environment: { PATH: "/usr/bin:/bin", HOME: tmpdir() },
      folder: tmpdir(),
      content,
      auth,
    }),
  });
  open.push(connection);
  return connection;
}
const atAddress = (
  url: string,
  transport: "auto" | "sse" | "streamable" = "auto",
): McpServerConfig => ({ kind: "address", url, transport, headers: {} });

async function call(
  connection: McpConnection,
  name: string,
  input: object,
  answers: string[] = [],
): Promise<string> {
  const tool = connection.tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const { text } = await toTool(connection, tool, name, "x").run(input, {
    signal: AbortSignal.timeout(20_000),
    key: "k",
    nextSource: 1,
    progress: () => undefined,
    ask: (questions) => Promise.resolve(questions.map((_, at) => answers[at] ?? null)),
  });
  return text;
}

describe("the official SDK's example servers", () => {
  it.each([
    ["simpleStreamableHttp.js", "greet", { name: "Eva" }, /Hello, Eva/],
    ["simpleStreamableHttp.js", "multi-greet", { name: "Eva" }, /Eva/],
    ["simpleStreamableHttp.js", "list-files", { includeDescriptions: true }, /file1\.txt/],
    ["jsonResponseStreamableHttp.js", "greet", { name: "Eva" }, /Hello, Eva/],
    ["honoWebStandardStreamableHttp.js", "greet", { name: "Eva" }, /Hello, Eva/],
    [
      "simpleStatelessStreamableHttp.js",
      "start-notification-stream",
      { interval: 10, count: 2 },
      /10\s?ms/,
    ],
    [
      "sseAndStreamableHttpCompatibleServer.js",
      "start-notification-stream",
      { interval: 10, count: 2 },
      /10\s?ms/,
    ],
    ["simpleSseServer.js", "start-notification-stream", { interval: 10, count: 2 }, /2/],
  ])("%s answers %s", async (file, tool, input, expected) => {
    const server = connect(atAddress(await startExample(file)));
    await server.connect();
    expect(await call(server, tool, input)).toMatch(expected);
  });

  it("elicitationFormExample.js asks the person", async () => {
    const server = connect(atAddress(await startExample("elicitationFormExample.js")));
    await server.connect();
    const answers = ["eva-1", "eva@example.org", "a long password"];
    expect(await call(server, "register_user", {}, answers)).toContain("eva-1");
  });

  it.each([
    ["mcpServerOutputSchema.js", "get_weather", { city: "Oslo", country: "NO" }, /temperature/],
    ["progressExample.js", "count", { n: 3 }, /3/],
  ])("%s answers %s as a command", async (file, tool, input, expected) => {
    const args = [path.join(examples, file)];
    const server = connect({ kind: "command", command: process.execPath, args, env: {} });
    await server.connect();
    expect(await call(server, tool, input)).toMatch(expected);
  });

  it("simpleStreamableHttp.js with OAuth is used after a sign-in", async () => {
    const url = await startExample("simpleStreamableHttp.js", ["--oauth", "--oauth-strict"]);
    const timeouts = { connectTimeoutMs: 5_000, idleTimeoutMs: 10_000 };
    const signIn = {
      url,
      send: createServerFetch({ url, headers: {}, content, ...timeouts }),
      metadataUrl: null,
    };
    let record: SignInRecord | null = null;
    const auth = createAuth(signIn, {
      load: () => Promise.resolve(record),
      update: async (work) => {
        record = (await work(record ?? {})) ?? record;
      },
    });
    const refused = connect(atAddress(url, "streamable"), auth);
    await expect(refused.connect()).rejects.toMatchObject({
      fault: { code: "mcp.sign-in-required" },
    });
    const redirectUri = "http://localhost:9/callback";
    const begun = await beginSignIn(signIn, {
      client: undefined,
      redirectUri,
      state: "s",
      scope: refused.missingScope,
    });
    // The example's sign-in page agrees at once.
    const page = await fetch(begun.location, { redirect: "manual" });
    const answer = new URL(page.headers.get("location")!).searchParams;
    record = await completeSignIn(signIn, begun.record, {
      code: answer.get("code")!,
      issuer: answer.get("iss"),
    });
    const server = connect(atAddress(url, "streamable"), auth);
    await server.connect();
    expect(await call(server, "greet", { name: "Eva" })).toMatch(/Hello, Eva/);
  });
});
