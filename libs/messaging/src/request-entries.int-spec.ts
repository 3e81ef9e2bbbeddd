import { createLogger } from "@carrel/observability";
import { startTestRedis, type TestRedis } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { removeUnsealedRequests } from "./request-entries.ts";

const logger = createLogger("test", "silent");
let server: TestRedis;
let redis: Redis;
beforeAll(async () => {
  server = await startTestRedis();
  redis = new Redis(server.url);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

it("removes an earlier version's streams once nothing waits in them", async () => {
  await redis.xadd("rpc:auth:dead", "*", "b", "a password");
  const id = await redis.xadd("rpc:auth", "*", "b", "a password");
  await removeUnsealedRequests(redis, "auth", logger);
  expect(await redis.keys("rpc:*")).toEqual(["rpc:auth"]);
  await redis.xdel("rpc:auth", id!);
  await removeUnsealedRequests(redis, "auth", logger);
  expect(await redis.keys("rpc:*")).toEqual([]);
});
