// Faults that MiniMax reports inside replies of status 200
// (platform.minimax.io/docs/api-reference/errorcode, 2026).
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createLanguageModel } from "@carrel/providers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { errorOf, key, run } from "./language-model-cases.ts";

let server: Server;
let url: string;
/** What the server replies with. */
let reply: { type: string; body: string };
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": reply.type }).end(reply.body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

const make = () => createLanguageModel("minimax", { MinimaxApiKey: key }, { baseUrl: url });
const faultBody = (code: number, message: string): string =>
  JSON.stringify({
    id: "0539",
    choices: null,
    base_resp: { status_code: code, status_msg: message },
  });
const json = (body: string) => ({ type: "application/json", body });
const event = (body: string) => ({ type: "text/event-stream", body: `data: ${body}\n\n` });

describe.each([
  ["as JSON", json],
  ["as an event", event],
  ["as JSON that is called a stream", (body: string) => ({ ...event(body), body: `\n${body}` })],
])("MiniMax's faults %s", (_how, wrap) => {
  it.each([
    [1002, "rate limit", "rate-limit", "provider.rate-limited", true],
    [1004, "login fail", "authentication", "provider.key-rejected", false],
    [1008, "insufficient balance", "rate-limit", "provider.quota-used-up", false],
    [1026, "input new_sensitive", "content-filter", "provider.content-filtered", false],
    [1033, "system error", "server", "provider.internal-error", true],
    [1039, "token limit", "rate-limit", "provider.rate-limited", true],
    [2013, "invalid params", "invalid", "provider.request-rejected", false],
    [2013, "invalid params, unknown model 'x'", "not-found", "provider.model-unknown", false],
    [2049, "invalid api key", "authentication", "provider.key-rejected", false],
    [2056, "usage limit exceeded", "rate-limit", "provider.quota-used-up", false],
    [9999, "something new", "server", "provider.internal-error", true],
  ])("%d %s", async (code, message, kind, fault, isRetryable) => {
    reply = wrap(faultBody(code, message));
    const error = await errorOf(make());
    expect(error).toMatchObject({ kind, isRetryable, fault: { code: fault } });
    if (kind !== "authentication") expect(error.message).toContain(`${message} (${code})`);
  });
});

it("a status code of 0 is no fault", async () => {
  const choices = [{ index: 0, delta: { content: "Hi." }, finish_reason: "stop" }];
  const chunk = JSON.stringify({ choices, base_resp: { status_code: 0, status_msg: "" } });
  reply = { type: "text/event-stream", body: `data: ${chunk}\n\ndata: [DONE]\n\n` };
  expect((await run(make())).text).toBe("Hi.");
});
