import { setTimeout as pause } from "node:timers/promises";
import { instanceShape, loadConfig } from "@carrel/config";
import { defineOperation, servicePrincipal } from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import { poll, startTestRedis, type TestRedis } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { Controller, Module } from "@nestjs/common";
import { Redis } from "ioredis";
import { z } from "zod";
import {
  createSharedInfrastructure,
  defineService,
  startService,
  type RunningService,
  type SharedInfrastructure,
} from "../src/index.ts";

const echo = defineOperation({
  name: "auth.flush.echo",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  timeoutMs: 20_000,
  input: z.object({ n: z.number() }),
  output: z.object({ n: z.number() }),
});

@Controller()
class EchoHandler {
  @Handle(echo)
  async echo(input: { n: number }): Promise<{ n: number }> {
    await pause(5);
    return input;
  }
}
@Module({ controllers: [EchoHandler] })
class EchoModule {}

let redis: TestRedis;
let shared: SharedInfrastructure;
let service: RunningService | undefined;
let admin: Redis;
const config = () =>
  loadConfig(instanceShape, {
    DATABASE_URL: "postgres://u:p@127.0.0.1:9/x",
    REDIS_URL: redis.url,
    CARREL_SECRET: "x".repeat(40),
    CARREL_LOG_LEVEL: "silent",
  });
beforeAll(async () => {
  redis = await startTestRedis();
  admin = new Redis(redis.url);
  shared = createSharedInfrastructure(config());
});
afterAll(async () => {
  await service?.stop();
  await shared.close();
  admin.disconnect();
  await redis.stop();
});

it("resends requests wiped by a FLUSHALL before any replica took them", async () => {
  const scope = { principal: servicePrincipal, workspace: null };
  await shared.messaging.client.connect();
  const answers = Promise.all(
    Array.from({ length: 50 }, (_, n) => shared.messaging.client.request(echo, { n }, { scope })),
  );
  await poll(() => admin.xlen("rpc:sealed:auth")).toBe(50);
  await admin.flushall();
  service = await startService(
    defineService({
      name: "auth",
      module: EchoModule,
      contracts: { operations: [echo], jobs: [], events: [] },
    }),
    config(),
    { healthPort: false },
  );
  const started = Date.now();
  expect((await answers).map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect(Date.now() - started).toBeLessThan(30_000);
});

it("loses no requests when Redis is flushed repeatedly under load", async () => {
  const scope = { principal: servicePrincipal, workspace: null };
  const work = Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      await pause(n * 5);
      return (await shared.messaging.client.request(echo, { n }, { scope })).n;
    }),
  );
  for (let round = 0; round < 5; round += 1) {
    await pause(150);
    await admin.flushall();
  }
  expect(await work).toHaveLength(200);
});
