import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ProcessConfig } from "@carrel/config";
import { changesSinceHeader, getCustomAppName, publicPrincipal } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Health, serveHealth } from "@carrel/observability";
import {
  InfrastructureModule,
  NestLogger,
  createSharedInfrastructure,
  watchStores,
  type SharedInfrastructure,
} from "@carrel/runtime";
import multipart from "@fastify/multipart";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import type { FastifyInstance, FastifyReply } from "fastify";
import "reflect-metadata";
import { Authenticator } from "./access/authenticator.ts";
import { warnOfOpenInstance } from "./access/open-instance.ts";
import { AgentSockets, isAgentUpgrade } from "./agent/agent-sockets.ts";
import { ChangeLog } from "./change/change-log.ts";
import { mountDocs } from "./docs/docs-page.ts";
import { GatewayModule } from "./gateway.module.ts";
import { defaultBodyLimit, readEverythingAsJson } from "./http/body-parser.ts";
import { RouteMounter } from "./http/route-mounter.ts";
import { addSecurity } from "./http/security.ts";
import { mountResourceMetadata } from "./mcp/mcp-endpoint.routes.ts";
import { EventStreams } from "./stream/event-stream.ts";
import { PageBranding, mountWebApp } from "./web/web-app.ts";
import { WidgetPages } from "./widget/widget-cors.ts";
import { mountWidget } from "./widget/widget-page.ts";

const nameMs = 2_000;

/** Serves /manifest.json for the installed app (wire-contract 0), with this instance's name. */
function mountManifest(instance: FastifyInstance, requests: RequestClient): void {
  instance.get("/manifest.json", async (_request, reply) => {
    const { customAppName } = await requests
      .request(
        getCustomAppName,
        {},
        { scope: { principal: publicPrincipal, workspace: null }, deadline: Date.now() + nameMs },
      )
      // The app can be installed even if the service is down.
      .catch(() => ({ customAppName: null }));
    const name = customAppName ?? "Carrel";
    const icons = [{ src: "/logo-mark.svg", type: "image/svg+xml", sizes: "any" }];
    return reply
      .type("application/manifest+json; charset=utf-8")
      .header("cache-control", "no-cache")
      .send(
        JSON.stringify({
          name,
          short_name: name,
          display: "standalone",
          orientation: "portrait",
          start_url: "/",
          icons,
        }),
      );
  });
}

export interface GatewayOptions {
  /**
   * Connections shared with the services in this process; absent: separate ones, closed on stop.
   */
  shared?: SharedInfrastructure;
  /** Folder of the built web app; default apps/web/dist. */
  webRoot?: string;
  /** Folder of the built widget script; default apps/widget/dist. */
  widgetRoot?: string;
  /** How long stop() waits for running requests; default CARREL_DRAIN_SECONDS, else 8,000 ms. */
  drainMs?: number;
  /** Health of the services in this process; the gateway's liveness includes it. */
  services?: readonly Health[];
}

/** Uploads may be slow; headers may not. */
const requestTimeoutMs = 3_600_000;
const headersTimeoutMs = 30_000;
/** Time to tell clients that their answers were interrupted. */
const lastWordsMs = 1_000;
const maxHeaderBytes = 32_768;
/**
 * A part has a few short headers; the longest is the one with its file name. Busboy knows
 * `headerSize`, although the plugin's types don't.
 */
const partHeaders = { headerPairs: 20, headerSize: 16_384 };

/**
 * Starts the only HTTP server for clients; rejects if its address is in use. `url` contains the
 * actual port, `warning` what was logged about an instance that anyone may take over.
 */
export async function startGateway(
  config: ProcessConfig,
  options: GatewayOptions = {},
): Promise<{ url: string; warning: Promise<string | null>; stop(): Promise<void> }> {
  const shared = options.shared ?? createSharedInfrastructure(config);
  if (options.shared === undefined)
    await shared.refuseAnotherSecret().catch(async (error: unknown) => {
      await shared.close();
      throw error;
    });
  const logger = shared.logger("gateway");
  const { messaging } = shared;
  class RootModule {}
  Module({
    imports: [
      InfrastructureModule.register({
        config,
        logger,
        shared: messaging,
        secretBox: shared.secretBox,
      }),
      GatewayModule,
    ],
  })(RootModule);
  const adapter = new FastifyAdapter({
    logger: false,
    bodyLimit: defaultBodyLimit,
    genReqId: () => randomUUID(),
    requestTimeout: requestTimeoutMs,
    pluginTimeout: 0, // a busy machine takes longer than Fastify's 10 s, and a slow start beats none
    trustProxy: config.CARREL_TRUST_PROXY.length === 0 ? false : [...config.CARREL_TRUST_PROXY],
    forceCloseConnections: "idle" as never,
    return503OnClosing: false, // what still arrives on an open connection is answered
    routerOptions: { maxParamLength: 4_096, ignoreTrailingSlash: true },
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      shouldUpgradeCallback: isAgentUpgrade,
    },
    frameworkErrors: (error: { statusCode?: number }, _request: unknown, reply: FastifyReply) => {
      void reply
        .code(error.statusCode ?? 400)
        .type("application/json; charset=utf-8")
        .send(JSON.stringify({ error: "The address is malformed." }));
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(RootModule, adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  const root = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  let isStopping = false;
  root.addHook("onSend", (_request, reply, _payload, done) => {
    if (isStopping) void reply.header("connection", "close");
    done();
  });
  const health = new Health();
  health.addCheck("redis", () => messaging.connections.ping());
  for (const service of options.services ?? []) health.include(service);
  const stopWatching = watchStores({
    service: "gateway",
    config,
    health,
    broadcast: messaging.broadcast,
    logger,
  });
  let endpoint: { close(): Promise<void> } | null = null;
  try {
    await root.register(async (instance) => {
      addSecurity(instance, config, app.get(Authenticator), app.get(WidgetPages));
      addChangePositions(instance, app.get(ChangeLog));
      readEverythingAsJson(instance);
      await instance.register(multipart, { limits: partHeaders });
      await app.get(AgentSockets).mount(instance);
      app.get(RouteMounter).mount(instance);
      if (!config.DISABLE_SWAGGER_DOCS) await mountDocs(instance);
      mountProbes(instance, health);
      mountResourceMetadata(instance, config, app.get(Authenticator));
      mountManifest(instance, app.get(RequestClient));
      await mountWidget(instance, app.get(WidgetPages), options.widgetRoot);
      await mountWebApp(
        instance,
        async () => !(await app.get(Authenticator).mode()).RequiresAuth,
        () => app.get(PageBranding).read(),
        options.webRoot,
      );
    });
    await app.listen(config.CARREL_PORT, config.CARREL_HOST);
    if (config.CARREL_HEALTH_PORT !== undefined)
      endpoint = await serveHealth(health, {
        host: config.CARREL_HEALTH_HOST,
        port: config.CARREL_HEALTH_PORT,
      });
  } catch (error) {
    stopWatching();
    await app.close();
    if (options.shared === undefined) await shared.close();
    throw error;
  }
  health.setReady(true);
  const url = addressOf(app, config.CARREL_HOST);
  logger.info({ url }, "ready");
  const warning = warnOfOpenInstance(config.CARREL_HOST, () => app.get(Authenticator).mode());
  void warning.then((text) => text !== null && logger.warn(text));

  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    health.setReady(false);
    isStopping = true;
    await pause(config.CARREL_STOP_DELAY_SECONDS * 1_000);
    // Refuse connections, finish running requests without cancelling any generation, then close
    // everything.
    const streams = app.get(EventStreams);
    streams.leave();
    await app.get(AgentSockets).leave();
    const server = app.getHttpServer() as import("node:http").Server;
    const { drainMs = (config.CARREL_DRAIN_SECONDS ?? 8) * 1_000 } = options;
    const late = [
      setTimeout(() => streams.stopAll(), drainMs),
      setTimeout(() => server.closeAllConnections(), drainMs + lastWordsMs),
    ];
    // Before `app.close`, which starts by closing what running requests use.
    await root.close();
    for (const timer of late) clearTimeout(timer);
    await app.close();
    await endpoint?.close();
    stopWatching();
    if (options.shared === undefined) await shared.close();
    logger.info("stopped");
  };
  return { url, warning, stop: () => (stopping ??= stop()) };
}

/** Taken when the request arrives, so that the position is no later than the reply's data. */
function addChangePositions(instance: FastifyInstance, log: ChangeLog): void {
  instance.addHook("onRequest", (request, reply, done) => {
    const { position } = log;
    if (position !== null && request.routeOptions.config.endpoint !== undefined)
      void reply.header(changesSinceHeader, position);
    done();
  });
}

function mountProbes(instance: FastifyInstance, health: Health): void {
  instance.get("/livez", (_request, reply) => {
    const report = health.livez();
    return reply.code(report.ok ? 200 : 503).send(report);
  });
  instance.get("/readyz", async (_request, reply) => {
    const report = await health.readyz();
    return reply.code(report.ok ? 200 : 503).send(report);
  });
}

function addressOf(app: NestFastifyApplication, host: string): string {
  const address = (app.getHttpServer() as import("node:http").Server).address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const name = ["127.0.0.1", "0.0.0.0", "::", "::1"].includes(host) ? "localhost" : host;
  return `http://${name}:${port}`;
}
