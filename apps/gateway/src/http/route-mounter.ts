import {
  CarrelError,
  endpoints,
  operations,
  renderFault,
  type Endpoint,
  type Fault,
  type Operation,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { context, metrics, nextTraceparent, startSpan, type Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DiscoveryService, MetadataScanner } from "@nestjs/core";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readBearer } from "../access/bearer.ts";
import { Guard } from "../access/guard.ts";
import { CachedAccess } from "../access/workspace-scopes.ts";
import { bodyLimitOf } from "./body-parser.ts";
import { mapError } from "./error-map.ts";
import { setFault } from "./fault-header.ts";
import { readInput } from "./input.ts";
import { clientAddress, requestKey } from "./request-key.ts";
import { routeMetadata, type Call } from "./route.ts";
import { jsonType, refuse, sendFailure } from "./send-reply.ts";
import { SharedReads } from "./shared-reads.ts";

const seconds = metrics.histogram(
  "carrel_http_request_seconds",
  "Time from a request to its response",
  ["operation", "status"],
);
const running = metrics.gauge("carrel_http_running", "HTTP requests in progress", ["operation"]);

interface Arrival {
  work: { requestId: string; traceparent: string };
  connection: { hasLeft: boolean; gone?: AbortController };
}
const works = new WeakMap<FastifyRequest, Arrival["work"]>();

/** Measures and records a request from its arrival to the end of its response. */
function arrive(
  request: FastifyRequest,
  reply: FastifyReply,
  { name }: Endpoint,
  logger: Logger,
): Arrival {
  const { id, method, routeOptions, headers } = request;
  const started = performance.now();
  const connection: Arrival["connection"] = { hasLeft: false };
  const given = typeof headers.traceparent === "string" ? headers.traceparent : undefined;
  const span = startSpan(name, {
    kind: "SERVER",
    attributes: { "http.request.method": method, "http.route": routeOptions.url ?? "" },
    traceparent: given,
  });
  // Created here, so that everything the request causes has the same trace ID in the logs.
  const work = { requestId: id, traceparent: span?.traceparent ?? nextTraceparent(given) };
  works.set(request, work);
  running.inc({ operation: name });
  reply.raw.once("close", () => {
    const { statusCode: status, writableFinished } = reply.raw;
    const passed = performance.now() - started;
    connection.hasLeft = !writableFinished;
    if (connection.hasLeft) connection.gone?.abort();
    running.dec({ operation: name });
    seconds.observe({ operation: name, status }, passed / 1000);
    span?.set({ "http.response.status_code": status });
    span?.end(status >= 500 ? String(status) : undefined);
    if (logger.isLevelEnabled("debug"))
      context.run(work, () =>
        logger.debug({ operation: name, status, milliseconds: passed }, "a response ended"),
      );
  });
  return { work, connection };
}

/** Runs work that belongs to a request but isn't in its handler, such as reporting its failure. */
function withinArrival<T>(request: FastifyRequest, run: () => T): T {
  const work = works.get(request);
  return work === undefined ? run() : context.run(work, run);
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

interface MountedRoute {
  method: string;
  url: string;
}

/**
 * Whether any address matches both patterns, given as equally many segments; a parameter matches any
 * segment.
 */
const overlap = (left: readonly string[], right: readonly string[]): boolean =>
  left.every(
    (segment, at) => segment === right[at] || segment.startsWith(":") || right[at]!.startsWith(":"),
  );

/**
 * The methods each address does not support, for a 405 with Allow. If an address also matches
 * another pattern (`/workspace/new` is a slug for GET), that pattern's methods are left out.
 */
export function listOtherMethods(
  routes: readonly MountedRoute[],
): { url: string; allowed: string[]; methods: Method[] }[] {
  // Keep one of the patterns that differ only in parameter names (:id, :slug).
  const shapes = new Map<string, string>();
  for (const { url } of routes) {
    const shape = url.replace(/:[^/]+/g, ":");
    if (!shapes.has(shape)) shapes.set(shape, url);
  }
  // Every pattern is compared with each other one of its length at each start.
  const mounted = Map.groupBy(
    routes.map(({ method, url }) => ({ method, segments: url.split("/") })),
    ({ segments }) => segments.length,
  );
  return [...shapes.values()].flatMap((url) => {
    const own = url.split("/");
    const fitting = new Set(
      mounted
        .get(own.length)!
        .filter(({ segments }) => overlap(segments, own))
        .map(({ method }) => method),
    );
    const others = methods.filter((method) => !fitting.has(method));
    return others.length === 0
      ? []
      : [{ url, allowed: methods.filter((method) => fitting.has(method)), methods: others }];
  });
}

type Answer = (call: Call) => Promise<unknown>;
declare module "fastify" {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

/** Requests that their callers are allowed to make. */
const admitted = new WeakMap<FastifyRequest, Arrival & { bearer: string | null; scope: Scope }>();
const text = "text/plain; charset=utf-8";

/**
 * Mounts every route of every contract; the contract determines policy, schema, forwarding and
 * errors.
 */
@Injectable()
export class RouteMounter {
  constructor(
    private readonly guard: Guard,
    private readonly access: CachedAccess,
    private readonly requests: RequestClient,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  mount(instance: FastifyInstance): void {
    const custom = this.listCustomAnswers();
    for (const { name, mount } of operations) {
      const isCustom = mount === "custom";
      if (isCustom !== custom.has(name))
        throw new Error(
          `${name} ${isCustom ? "has no route method" : "is mounted from its contract but also has a route method"}`,
        );
    }
    for (const endpoint of endpoints)
      this.mountOne(
        instance,
        endpoint,
        custom.get(endpoint.operation.name) ?? this.forward(endpoint),
      );
    for (const { url, allowed, methods } of listOtherMethods(
      endpoints.map(({ method, path }) => ({ method, url: `/api${path}` })),
    )) {
      instance.route({
        method: methods,
        url,
        ...refusing((reply) =>
          refuse(reply.header("allow", allowed.join(", ")), 405, {
            code: "request.method-unsupported",
            params: { methods: allowed.join(", ") },
          }),
        ),
      });
    }
    // Without a key, the developer API doesn't reveal which addresses exist.
    const keyCheck = endpoints.find(({ path }) => path === "/v1/auth")!;
    instance.all("/api/v1/*", { config: { endpoint: keyCheck } }, async (request, reply) => {
      await this.guard.scope(keyCheck, {
        bearer: readBearer(request.headers.authorization),
        slug: undefined,
        address: () => clientAddress(request),
        headers: request.headers,
      });
      return refuse(reply, 404, { code: "request.address-unknown" });
    });
    for (const url of ["/api/*", "/api"])
      instance.route({
        method: instance.supportedMethods,
        url,
        ...refusing((reply) => refuse(reply, 404, { code: "request.address-unknown" })),
      });
    instance.setErrorHandler((error: FastifyError, request, reply) =>
      withinArrival(request, () => this.fail(error, request, reply)),
    );
  }

  private mountOne(instance: FastifyInstance, endpoint: Endpoint, answer: Answer): void {
    const { status, kind } = endpoint.success;
    instance.route({
      method: endpoint.method,
      url: `/api${endpoint.path}`,
      bodyLimit: bodyLimitOf(endpoint),
      exposeHeadRoute: false,
      config: { endpoint },
      // Before the body is read, so only bodies of admitted callers are parsed.
      onRequest: async (request, reply) => {
        const arrival = arrive(request, reply, endpoint, this.logger);
        const bearer = readBearer(request.headers.authorization);
        const scope = await context.run(arrival.work, () =>
          this.guard.scope(endpoint, {
            bearer,
            slug: (request.params as { slug?: unknown }).slug,
            address: () => clientAddress(request),
            headers: request.headers,
          }),
        );
        admitted.set(request, { ...arrival, bearer, scope });
      },
      handler: async (request, reply) => {
        const { work, connection, bearer, scope } = admitted.get(request)!;
        return context.run(work, async () => {
          const output = await answer({
            input: readInput(endpoint, request) as never,
            scope,
            bearer,
            request,
            reply,
            // Created lazily, because few routes use it.
            get signal() {
              connection.gone ??= new AbortController();
              if (connection.hasLeft) connection.gone.abort();
              return connection.gone.signal;
            },
          });
          if (reply.sent) return reply;
          const body = shapeReply(endpoint, output, reply);
          reply.code(status);
          if (kind === "json") return reply.type(jsonType).send(JSON.stringify(body));
          if (kind === "text") return reply.type(text).send(typeof body === "string" ? body : "OK");
          return reply.send();
        });
      },
    });
  }

  /**
   * Forwards the request to its service, with the client's key or the request id as the idempotency
   * key.
   */
  private forward({ operation, method }: Endpoint): Answer {
    const { service } = operation;
    if (service === "gateway") throw new Error(`${operation.name} needs a route method`);
    const isWrite = method !== "GET";
    if (!isWrite && operation.idempotency !== "none") {
      const reads = new SharedReads<unknown>();
      return ({ input, scope }) =>
        reads.read(JSON.stringify([scope, input]), () =>
          this.requests.request(operation, input as never, { scope }),
        );
    }
    return async ({ input, scope, request }) => {
      const output: unknown = await this.requests.request(operation, input as never, {
        scope,
        idempotencyKey: requestKey(request),
      });
      // The broadcast invalidates the caches of every gateway, but this one must not serve the same
      // client stale data in the meantime.
      if (isWrite) this.access.dropAfter(service, scope);
      return output;
    };
  }

  private fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply | void {
    if (reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    const failure = mapError(error, request.routeOptions.config.endpoint);
    if (failure.status >= 500)
      this.logger.error(
        {
          err: error instanceof CarrelError && error.cause !== undefined ? error.cause : error,
          requestId: request.id,
          url: request.routeOptions.url,
        },
        "a request failed",
      );
    // Fastify closes the connection when it can't use a body, and a client that is still sending
    // then loses the response; by reading on, we let it see why. A body that came too slowly is cut
    // off.
    if (failure.status !== 408 && reply.getHeader("connection") === "close") {
      request.raw.resume();
      reply.removeHeader("connection");
    }
    return sendFailure(reply, failure);
  }

  private listCustomAnswers(): Map<string, Answer> {
    const answers = new Map<string, Answer>();
    for (const { instance } of this.discovery.getProviders()) {
      const holder: unknown = instance;
      if (typeof holder !== "object" || holder === null) continue;
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(holder) as object)) {
        const method = (holder as Record<string, unknown>)[name];
        const operation =
          typeof method === "function"
            ? (Reflect.getMetadata(routeMetadata, method) as Operation | undefined)
            : undefined;
        if (operation === undefined) continue;
        if (answers.has(operation.name)) throw new Error(`${operation.name} has two route methods`);
        answers.set(operation.name, (call) => (method as Answer).call(holder, call));
      }
    }
    return answers;
  }
}

/**
 * The body of a successful call; includes the fault if its output reports one along with other
 * data.
 */
function shapeReply(
  { operation, mapReply }: Endpoint,
  output: unknown,
  reply: FastifyReply,
): unknown {
  const { english } = operation;
  if (english === undefined) return mapReply === undefined ? output : mapReply(output);
  const { fault, ...rest } = output as { fault?: Fault | null };
  if (fault) setFault(reply, fault);
  if (mapReply !== undefined) return mapReply(output);
  return { ...rest, [english.field]: fault ? renderFault(fault) : (english.none ?? null) };
}

/** A route that only refuses, without reading the body. */
const refusing = (answer: (reply: FastifyReply) => FastifyReply) => ({
  onRequest: (_request: FastifyRequest, reply: FastifyReply): void => {
    answer(reply);
  },
  handler: (_request: FastifyRequest, reply: FastifyReply) => answer(reply),
});
