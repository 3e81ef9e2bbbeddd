import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  guardedFolder,
  startFakeS3,
  startTestRedis,
  testDatabase,
  type FakeS3,
  type TestDatabase,
  type TestRedis,
} from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { answersOn, isRunning } from "../../../tools/process.ts";
import { launch, original, type Launch } from "../checkout-copy.ts";
import { testBackup } from "./backup.ts";
import { testDocuments } from "./documents.ts";
import { testLostRedis } from "./lost-redis.ts";
import { testSources } from "./sources.ts";

describe("an instance on the servers that the environment names", () => {
  const host = "127.0.0.2";
  let database: TestDatabase;
  let redis: TestRedis;
  let s3: FakeS3;
  let environment: Record<string, string>;
  let instance: Launch;
  beforeAll(async () => {
    [database, redis, s3] = await Promise.all([testDatabase(), startTestRedis(), startFakeS3()]);
    environment = {
      CARREL_HOME: guardedFolder("carrel-external-servers-"),
      CARREL_LOG_LEVEL: "warn",
      CARREL_LINK_ALLOW: "127.0.0.1",
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      S3_BUCKET: "docs",
      S3_ENDPOINT: s3.url,
      S3_ACCESS_KEY_ID: "key",
      S3_SECRET_ACCESS_KEY: "secret",
    };
    instance = await launch(original, { host, env: environment });
    await instance.ready();
  });
  afterAll(async () => {
    await instance?.stop();
    await redis?.stop();
    await s3?.stop();
    await database?.drop();
  });

  it("starts neither PostgreSQL nor Redis, and listens on CARREL_HOST only", async () => {
    const port = Number(new URL(instance.url).port);
    expect(instance.output()).toContain(`Carrel is ready at http://${host}:${port}\n`);
    expect([await answersOn(port, host), await answersOn(port, "127.0.0.1")]).toEqual([
      true,
      false,
    ]);
    expect([
      existsSync(join(instance.home, "postgres")),
      existsSync(join(instance.home, "redis")),
    ]).toEqual([false, false]);
  });

  testDocuments(
    () => instance,
    () => s3,
  );
  testSources(() => instance);
  testLostRedis(
    () => instance,
    () => redis,
  );
  testBackup(
    () => instance,
    () => environment,
  );

  it("leaves them alone when it stops", async () => {
    await instance.stop();
    expect(isRunning(redis.pid)).toBe(true);
  });
});
