import { CarrelError, defineJob } from "@carrel/contracts";
import { createLogger } from "@carrel/observability";
import { poll, readRedis, readRedisFiles, startTestRedis, type TestRedis } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { z } from "zod";
import { JobRunner } from "./job-runner.ts";
import { MessageSender } from "./message-sender.ts";
import { jobMessage } from "./outbox.ts";
import { RedisConnections } from "./redis-connections.ts";

const job = defineJob({
  name: "outage.job",
  service: "ingest",
  queue: "outage",
  payload: z.object({}),
  attempts: 1,
  backoffMs: 1,
});
const logger = createLogger("test", "silent");
let server: TestRedis;
let connections: RedisConnections;
beforeAll(async () => {
  server = await startTestRedis();
  connections = new RedisConnections(server.url, logger);
});
afterAll(async () => {
  await connections?.close();
  await server?.stop();
});

it.each<[string, Error]>([
  ["away", Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })],
  ["overloaded", new Error("timeout exceeded when trying to connect")],
  ["stopping", new CarrelError("request.stopping")],
])(
  "repeats a job that found what it needs %s, although it has one attempt only",
  async (name, fault) => {
    const attempts: number[] = [];
    const run = (_payload: unknown, { attempt }: { attempt: number }): Promise<void> => {
      attempts.push(attempt);
      return attempts.length === 1 ? Promise.reject(fault) : Promise.resolve();
    };
    const processors = [{ job, concurrency: 1, run }];
    const runner = new JobRunner({ processors, connections, logger });
    const sender = new MessageSender(connections);
    runner.start();
    await sender.send(jobMessage(job, { rowId: name, version: 1, payload: {} }));
    await poll(() => attempts).toEqual([1, 1]);
    await runner.stop(1_000);
    await sender.close();
  },
);

it("repeats a job that fails for good while its process stops", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let failures = 0;
  const start = (run: () => Promise<void>): JobRunner => {
    const failed = () => Promise.resolve(void failures++);
    const processors = [{ job, concurrency: 1, run, failed }];
    const runner = new JobRunner({ processors, connections, logger });
    runner.start();
    return runner;
  };
  const first = start(async () => {
    begin();
    await ended;
    throw Object.assign(new Error("The request was cancelled."), { isRetryable: false });
  });
  const sender = new MessageSender(connections);
  await sender.send(jobMessage(job, { rowId: "stopped", version: 1, payload: {} }));
  await begun;
  const stopped = first.stop(10_000);
  end();
  await stopped;
  let isDone = false;
  const second = start(() => Promise.resolve(void (isDone = true)));
  await poll(() => isDone).toBe(true);
  expect(failures).toBe(0);
  await second.stop(1_000);
  await sender.close();
});

it("keeps of a failed job what failed, but not the message, which may quote a document", async () => {
  let ended = false;
  const processors = [
    {
      job,
      concurrency: 1,
      run: () => Promise.reject(new SyntaxError("Unexpected token in “a passage”")),
      failed: async () => {
        ended = true;
      },
    },
  ];
  const runner = new JobRunner({ processors, connections, logger });
  const sender = new MessageSender(connections);
  runner.start();
  await sender.send(jobMessage(job, { rowId: "2", version: 1, payload: {} }));
  await poll(() => ended).toBe(true);
  await runner.stop(1_000);
  await sender.close();
  const stored = [...(await readRedis(server.url)), ...(await readRedisFiles(server.url))];
  expect(stored.filter(([, data]) => data.includes("SyntaxError"))).not.toEqual([]);
  expect(stored.filter(([, data]) => data.includes("a passage"))).toEqual([]);
});
