import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { flowSteps } from "@carrel/contracts";
import { createContentClient } from "@carrel/egress";
import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import { closeCodeInterpreter } from "../code-interpreter/run-code.ts";
import type { FlowPorts } from "./block.ts";
import { FlowSecrets } from "./flow-secrets.ts";
import { runFlow, type FlowOptions } from "./run-flow.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const empty: Answer = (_, response) => void response.end("{}");

/** A server on this machine, as `site.test` and others; flows may only reach `site.test`. */
export const site = { port: 0, received: [] as string[], answer: empty };

/** Starts it for the tests of a file, after each of which no object may have changed. */
export function useHostileSite(): void {
  const server = createServer((request, response) => {
    site.received.push(String(request.url));
    site.answer(request, response);
  });
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    site.port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await closeCodeInterpreter();
    await new Promise((done) => server.close(done));
  });
  const ownNames = Object.getOwnPropertyNames(Object.prototype).length;
  afterEach(() => {
    site.received = [];
    site.answer = empty;
    expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(ownNames);
  });
}

export const portsWith = (more: Partial<FlowPorts> = {}): FlowPorts => ({
  content: createContentClient({
    allow: ["site.test"],
    resolve: (host) =>
      Promise.resolve(
        host === "mixed.test"
          ? [
              { address: "8.8.8.8", family: 4 },
              { address: "127.0.0.1", family: 4 },
            ]
          : [{ address: "127.0.0.1", family: 4 }],
      ),
  }),
  model: null,
  search: null,
  secrets: new FlowSecrets({
    open: () => Promise.resolve(new Map()),
    noteUse: () => Promise.resolve(),
  }),
  approve: () => Promise.resolve(true),
  admit: () => Promise.resolve(true),
  findFlow: () => Promise.resolve(null),
  ...more,
});
export const run = (steps: unknown[], more: Partial<FlowOptions> = {}) =>
  runFlow({
    flowId: null,
    steps: flowSteps.parse(steps),
    inputs: {},
    ports: portsWith(),
    signal: new AbortController().signal,
    ...more,
  });
export const codeOf = async (...o: Parameters<typeof run>): Promise<string | undefined> =>
  (await run(...o)).error?.fault?.code;
export const api = (config: object) => ({
  type: "apiCall",
  config: { url: `http://site.test:${site.port}/`, responseVariable: "reply", ...config },
});
export const page = (config: object) => ({
  type: "webScraping",
  config: { url: `http://site.test:${site.port}/`, resultVariable: "page", ...config },
});
export const transform = (input: string, ...operations: object[]) => ({
  type: "carrel-transform",
  config: { input, operations, resultVariable: "result" },
});
