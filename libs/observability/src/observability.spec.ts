import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { poll } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import {
  context,
  createLogger,
  Health,
  metrics,
  nextTraceparent,
  parseTraceparent,
  serveHealth,
} from "./index.ts";

describe("context and logs", () => {
  it("put request id, actor and trace from the async context on every line, but no secret", async () => {
    const folder = mkdtempSync(join(tmpdir(), "carrel-logs-"));
    const logger = createLogger("chat", "info", { folder });
    const traceparent = nextTraceparent();
    await context.run({ requestId: "r1", actor: "user:7", traceparent }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      logger.info(
        {
          password: "hunter2",
          body: { token: "hunter2" },
          err: Object.assign(new Error("a query failed"), { parameters: ["hunter2"] }),
        },
        "inside",
      );
    });
    logger.info("outside");
    // The file is opened and written asynchronously.
    const read = (): string =>
      existsSync(join(folder, "chat.log")) ? readFileSync(join(folder, "chat.log"), "utf8") : "";
    await poll(read).toContain("outside");
    const [inside, outside] = read()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(inside).toMatchObject({
      service: "chat",
      level: "info",
      requestId: "r1",
      actor: "user:7",
      traceId: parseTraceparent(traceparent)!.traceId,
      msg: "inside",
    });
    expect(JSON.stringify(inside)).not.toContain("hunter2");
    expect(outside).not.toHaveProperty("requestId");
    rmSync(folder, { recursive: true });
  });

  it("keep one trace across hops and start a new one after a malformed header", () => {
    const first = nextTraceparent();
    const second = nextTraceparent(first);
    expect(parseTraceparent(second)!.traceId).toBe(parseTraceparent(first)!.traceId);
    expect(second).not.toBe(first);
    for (const broken of ["", "garbage", `00-${"0".repeat(32)}-${"0".repeat(16)}-01`]) {
      expect(parseTraceparent(broken)).toBeNull();
      expect(parseTraceparent(nextTraceparent(broken))).not.toBeNull();
    }
  });
});

describe("health and metrics", () => {
  it("is ready only once marked ready and while every check passes in time", async () => {
    const health = new Health();
    expect(health.livez().ok).toBe(true);
    expect((await health.readyz()).ok).toBe(false);
    health.setReady(true);
    expect((await health.readyz()).ok).toBe(true);
    health.addCheck("redis", async () => {
      throw new Error("out of reach");
    });
    health.addCheck("slow", () => new Promise(() => undefined));
    expect(await health.readyz()).toEqual({
      ok: false,
      checks: { accepting: "ok", redis: "out of reach", slow: "no response within 2 s" },
    });
  });

  it("is as ready as the services in the same process", async () => {
    const health = new Health();
    const service = new Health();
    health.include(service);
    health.setReady(true);
    health.addCheck("redis", async () => undefined);
    service.setReady(true);
    service.addCheck("redis", async () => undefined);
    service.addCheck("postgresql", async () => {
      throw new Error("out of reach");
    });
    expect(await health.readyz()).toEqual({
      ok: false,
      checks: { accepting: "ok", redis: "ok", postgresql: "out of reach" },
    });
  });

  it("serves health and metrics", async () => {
    const health = new Health();
    const endpoint = await serveHealth(health, { host: "127.0.0.1", port: 0 });
    const get = (path: string) => fetch(`http://127.0.0.1:${endpoint.port}${path}`);
    expect((await get("/readyz")).status).toBe(503);
    health.setReady(true);
    expect((await get("/readyz")).status).toBe(200);
    metrics.counter("test_total", "A test", ["kind"]).inc({ kind: "a" });
    metrics.counter("test_total", "A test", ["kind"]).inc({ kind: "a" });
    expect(await (await get("/metrics")).text()).toContain('test_total{kind="a"} 2');
    await endpoint.close();
  });
});
