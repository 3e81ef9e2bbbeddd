import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { listDocumentStatuses } from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { noPassword, startGatewayInstance, type GatewayInstance } from "./gateway-instance.ts";

const suite = path.join(
  import.meta.dirname,
  "../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js",
);

/** The suite can't send a key, so this adds it; everything else passes unchanged. */
const startProxy = (target: string): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((from, to) => {
      const headers = { ...from.headers, authorization: "Bearer key" };
      const sent = request(target + from.url, { method: from.method, headers }, (reply) => {
        to.writeHead(reply.statusCode!, reply.headers);
        reply.pipe(to);
      });
      from.pipe(sent);
    }).listen(0, "127.0.0.1", () => resolve(server));
  });

let instance: GatewayInstance;
let proxy: Server;
let folder: string;
beforeAll(async () => {
  instance = await startGatewayInstance();
  instance.settings = noPassword;
  instance.ingest.answer(listDocumentStatuses, {
    documents: [],
    total: 0,
    nextCursor: null,
    passages: 0,
  });
  proxy = await startProxy(instance.url);
  folder = await mkdtemp(path.join(tmpdir(), "carrel-mcp-conformance-"));
});
afterAll(async () => {
  proxy?.close();
  await instance?.stop();
  await rm(folder, { recursive: true });
});

/** Returns the suite's report; rejects if a check failed. */
const run = (scenario: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}/api/mcp`;
    execFile(
      process.execPath,
      [suite, "server", "--url", url, "--scenario", scenario, "-o", folder],
      { cwd: folder, timeout: 60_000 },
      (error, stdout, stderr) =>
        error === null
          ? resolve(stderr + stdout)
          : reject(new Error(`${scenario}: ${stderr}${stdout}`.slice(-3_000))),
    );
  });

/**
 * Server scenarios of @modelcontextprotocol/conformance 0.1.16 that don't need tools, prompts or
 * capabilities that only a server made for the suite has (docs/notes/mcp-server-conformance.md).
 */
const scenarios = [
  "server-initialize",
  "ping",
  "tools-list",
  "resources-list",
  "dns-rebinding-protection",
];

describe("the official conformance suite", () => {
  it.each(scenarios)("passes %s", async (scenario) => {
    expect(await run(scenario)).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/);
  });
});
