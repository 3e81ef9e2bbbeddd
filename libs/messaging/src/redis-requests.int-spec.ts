import { randomUUID } from "node:crypto";
import { operations, type Operation } from "@carrel/contracts";
import { createLogger } from "@carrel/observability";
import { startTestRedis, type TestRedis } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { MessageCipher } from "./message-cipher.ts";
import { RedisConnections } from "./redis-connections.ts";
import { RedisRequests } from "./redis-requests.ts";
import { Subscriber } from "./subscriber.ts";

let server: TestRedis;
let connections: RedisConnections;
let requests: RedisRequests;
beforeAll(async () => {
  server = await startTestRedis();
  connections = new RedisConnections(server.url, createLogger("test", "silent"));
  const cipher = new MessageCipher(Buffer.alloc(32, 1));
  requests = new RedisRequests("replies", connections, new Subscriber(connections), cipher);
  await requests.ready;
});
afterAll(async () => {
  requests.close();
  await connections.close();
  await server.stop();
});

const send = (operation: Operation) => {
  const id = randomUUID();
  const head = {
    id,
    contract: operation.name,
    replyTo: requests.replyTo,
    deadline: Date.now() + 20_000,
    scope: { principal: { kind: "system", userId: null } },
    requestId: id,
    traceparent: "",
    idempotencyKey: id,
  };
  return requests.send(operation, head as never, "{}");
};

it.each(["none", "natural"])(
  "a full Redis refuses a request at once (idempotency %s)",
  async (idempotency) => {
    const operation = operations.find((each) => each.idempotency === idempotency)!;
    await connections.commands.config("SET", "maxmemory", "1");
    const began = Date.now();
    expect(await send(operation)).toMatchObject({ error: { code: "request.queue-full" } });
    expect(Date.now() - began).toBeLessThan(10_000);
    await connections.commands.config("SET", "maxmemory", "0");
  },
);
