// The program that `@modelcontextprotocol/conformance` tests: it does with our client what a
// scenario wants. Address: the last argument; scenario and context: variables.
import { createContentClient } from "@carrel/egress";
import { ToolError } from "@carrel/skills";
import {
  McpConnection,
  McpError,
  beginSignIn,
  completeSignIn,
  createAuth,
  createServerFetch,
  createTransports,
  findTool,
  testCall,
  toTool,
  type SignInRecord,
} from "../src/index.ts";

const url = process.argv.at(-1)!;
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}") as {
  client_id?: string;
  client_secret?: string;
};
const redirectUri = "http://localhost:3000/callback";
const content = createContentClient({ allow: ["127.0.0.1", "localhost", "::1"] });
const server = {
  url,
  send: createServerFetch({
    url,
    headers: {},
    content,
    connectTimeoutMs: 5_000,
    idleTimeoutMs: 10_000,
  }),
  metadataUrl: "https://conformance-test.local/client-metadata.json",
};
let record: SignInRecord | null = null;
const auth = createAuth(server, {
  load: () => Promise.resolve(record),
  update: async (work) => {
    record = (await work(record ?? {})) ?? record;
  },
});

function connect(): McpConnection {
  return new McpConnection({
    label: { name: "conformance", origin: new URL(url).origin, command: null },
    client: { name: "Carrel", version: "0.1.0" },
    transports: createTransports(
      { kind: "address", url, transport: "streamable", headers: {} },
      {
        environment: {},
        folder: "/tmp",
        content,
        auth: scenario.startsWith("auth/") ? auth : null,
      },
    ),
    callTimeoutMs: 20_000,
  });
}

async function signIn(scope: string | null): Promise<void> {
  const client =
    context.client_id === undefined
      ? undefined
      : {
          client_id: context.client_id,
          ...(context.client_secret === undefined ? {} : { client_secret: context.client_secret }),
        };
  const begun = await beginSignIn(server, { client, redirectUri, state: "s", scope });
  // The suite's sign-in page agrees at once.
  const page = await fetch(begun.location, { redirect: "manual" });
  const answer = new URL(page.headers.get("location")!).searchParams;
  record = await completeSignIn(server, begun.record, {
    code: answer.get("code")!,
    issuer: answer.get("iss"),
  });
}

async function use(connection: McpConnection): Promise<void> {
  await connection.connect();
  for (const tool of connection.tools)
    if (scenario.includes("elicitation"))
      await toTool(connection, tool, tool.name, "x").run(
        {},
        {
          signal: AbortSignal.timeout(20_000),
          key: "k",
          nextSource: 1,
          progress: () => undefined,
          // The first question is answered; the server's defaults are for the others.
          ask: (questions) => Promise.resolve(questions.map((_, at) => (at === 0 ? "Jane" : null))),
        },
      );
    else await testCall(findTool(connection, tool.name)!, { a: 5, b: 3 }, 20_000);
}

const needsSignIn = (error: unknown): boolean =>
  (error instanceof McpError || error instanceof ToolError) &&
  error.fault?.code === "mcp.sign-in-required";

for (let attempt = 0; ; attempt++) {
  const connection = connect();
  try {
    await use(connection);
    break;
  } catch (error) {
    if (!needsSignIn(error) || attempt >= 2) throw error;
    await signIn(connection.missingScope);
  } finally {
    await connection.close();
  }
}
process.exit(0);
