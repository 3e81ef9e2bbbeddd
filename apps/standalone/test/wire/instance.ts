import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authService } from "@carrel/auth";
import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import { startGateway } from "@carrel/gateway";
import {
  createSharedInfrastructure,
  startService,
  type SharedInfrastructure,
} from "@carrel/runtime";
import { startTestRedis, testDatabase } from "@carrel/testing";
import { workspaceService } from "@carrel/workspace";
import { FixtureService } from "./fixture-services.ts";

export interface TestInstance {
  url: string;
  config: InstanceConfig;
  shared: SharedInfrastructure;
  chat: FixtureService;
  ingest: FixtureService;
  connectors: FixtureService;
  syncWorker: FixtureService;
  /** A JSON call; `body` may be text as it goes over the wire. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{
    status: number;
    type: string | null;
    text: string;
    json: unknown;
    headers: Headers;
  }>;
  stopGateway(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The gateway with the real auth and workspace services on real PostgreSQL and Redis; the other
 * services are fixtures.
 */
export async function startTestInstance(
  environment: Record<string, string> = {},
): Promise<TestInstance> {
  const [database, redis] = await Promise.all([
    testDatabase(),
    startTestRedis({ appendonly: false }),
  ]);
  const home = mkdtempSync(join(tmpdir(), "carrel-gateway-"));
  const shape: typeof instanceShape = Object.assign(
    {},
    authService.shape,
    workspaceService.shape,
    instanceShape,
  );
  const config: InstanceConfig = loadConfig(shape, {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    CARREL_HOME: home,
    CARREL_PORT: "0",
    CARREL_LOG_LEVEL: "silent",
    CARREL_SECRET: "a secret of the tests, long enough to be one",
    ...environment,
  });
  const shared = createSharedInfrastructure(config);
  const [chat, ingest, connectors, syncWorker] = [
    new FixtureService("chat"),
    new FixtureService("ingest"),
    new FixtureService("connectors"),
    new FixtureService("sync-worker"),
  ];
  const services = await Promise.all(
    [
      authService,
      workspaceService,
      ...[chat, ingest, connectors, syncWorker].map(({ definition }) => definition),
    ].map((definition) => startService(definition, config, { shared, healthPort: false })),
  );
  const gateway = await startGateway(config, { shared, webRoot: join(home, "web") });
  const port = new URL(gateway.url).port;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    config,
    shared,
    chat,
    ingest,
    connectors,
    syncWorker,
    async call(method, path, body, headers = {}) {
      const response = await fetch(url + path, {
        method,
        headers,
        redirect: "manual",
        ...(body === undefined
          ? {}
          : {
              body:
                typeof body === "string" || body instanceof FormData ? body : JSON.stringify(body),
            }),
      });
      const text = await response.text();
      const type = response.headers.get("content-type");
      return {
        status: response.status,
        type,
        text,
        json:
          type?.startsWith("application/json") === true ? (JSON.parse(text) as unknown) : undefined,
        headers: response.headers,
      };
    },
    stopGateway: () => gateway.stop(),
    async stop() {
      await gateway.stop();
      await Promise.all(services.map((service) => service.stop()));
      await shared.close();
      await Promise.all([database.drop(), redis.stop()]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
