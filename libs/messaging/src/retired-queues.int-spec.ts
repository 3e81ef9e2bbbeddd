import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createLogger } from "@carrel/observability";
import { startTestRedis, type TestRedis } from "@carrel/testing";
import { Queue } from "bullmq";
import { RedisConnections } from "./redis-connections.ts";
import { removeRetiredQueues } from "./retired-queues.ts";

let server: TestRedis;
let connections: RedisConnections;
beforeAll(async () => {
  server = await startTestRedis();
  connections = new RedisConnections(server.url, createLogger("test", "silent"));
});
afterAll(async () => {
  await connections?.close();
  await server?.stop();
});

it("removes a queue of an earlier version with its jobs, and no other", async () => {
  for (const name of ["ingest-parse-patiently", "ingest-parse"]) {
    const queue = new Queue(name, { connection: connections.jobs, prefix: "carrel" });
    for (let n = 0; n < 3; n++)
      await queue.add("document.parse", {}, { jobId: `${n}/1`, priority: 1 + n });
    await queue.close();
  }
  const keysOf = (name: string) => connections.commands.keys(`carrel:${name}:*`);
  const others = await keysOf("ingest-parse");
  await removeRetiredQueues("chat", connections);
  expect(await keysOf("ingest-parse-patiently")).not.toEqual([]);
  await removeRetiredQueues("ingest", connections);
  expect(await keysOf("ingest-parse-patiently")).toEqual([]);
  expect((await keysOf("ingest-parse")).toSorted()).toEqual(others.toSorted());
  // Also where there is none.
  await removeRetiredQueues("ingest", connections);
  expect(await keysOf("ingest-parse-patiently")).toEqual([]);
});
