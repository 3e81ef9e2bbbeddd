import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { mcpResource, type ProcessConfig } from "@carrel/config";
import { serveMcp, mcpScopes } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyReply, FastifyRequest, FastifyInstance } from "fastify";
import { z } from "zod";
import type { Authenticator } from "../access/authenticator.ts";
import { requireScope } from "../access/guard.ts";
import { makeStorable } from "../http/input.ts";
import { publicOrigin } from "../http/public-origin.ts";
import { Route, type Call } from "../http/route.ts";
import { buildMcpServer } from "./mcp-server.ts";
import { WorkspaceTools } from "./workspace-tools.ts";

/** What the SDK reads of a request; it never sees the key. */
const passedHeaders = [
  "accept",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
];

/**
 * The MCP server. Nothing is kept between requests, so any gateway can answer any of them. The SDK
 * is loaded by the first one.
 */
@Injectable()
export class McpEndpointRoutes {
  constructor(
    private readonly tools: WorkspaceTools,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Route(serveMcp)
  async serve({
    input,
    scope,
    request,
    reply,
    signal,
  }: Call<typeof serveMcp>): Promise<FastifyReply> {
    // On a 403, clients ask their user to grant the scope. Behind an API key, there is no one to ask.
    if (scope.principal.kind === "user" && isAsk(input.message))
      requireScope(scope.principal, "chat");
    const sdk = await import("@modelcontextprotocol/server");
    const report = (err: unknown): void =>
      this.logger.error({ err, requestId: request.id }, "an MCP tool failed");
    const caller = { scope, reply, report };
    const handler = sdk.createMcpHandler(() => buildMcpServer(sdk, this.tools, caller), {
      // A tool may take minutes, during which proxies want to see something.
      responseMode: isToolCall(input.message) ? "sse" : "auto",
      // Nothing that clients could subscribe to is reported.
      maxSubscriptions: 0,
      onerror: (error) => this.logger.debug({ err: error }, "an MCP message was refused"),
    });
    try {
      const response = await handler.fetch(describeRequest(request, signal), {
        parsedBody: makeStorable(input.message),
      });
      return await send(reply, response);
    } finally {
      await handler.close();
    }
  }
}

const toolCall = z.object({ method: z.literal("tools/call") });
const askCall = toolCall.extend({ params: z.object({ name: z.literal("ask") }) });
const isToolCall = (message: unknown): boolean => toolCall.safeParse(message).success;
const isAsk = (message: unknown): boolean => askCall.safeParse(message).success;

function describeRequest({ headers }: FastifyRequest, signal: AbortSignal): Request {
  const passed = new Headers({ "content-type": "application/json" });
  for (const name of passedHeaders) {
    const value = headers[name];
    if (typeof value === "string") passed.set(name, value);
  }
  // The SDK compares only its path, which doesn't matter to it.
  return new Request("http://carrel.invalid/api/mcp", {
    method: "POST",
    headers: passed,
    body: "{}",
    signal,
  });
}

/** Resolves once the response has been sent. */
async function send(
  reply: FastifyReply,
  { status, headers, body }: Response,
): Promise<FastifyReply> {
  void reply.code(status);
  for (const [name, value] of headers) void reply.header(name, value);
  if (body === null) return reply.send();
  return reply.send(Readable.fromWeb(body as WebStream));
}

const metadataPath = "/.well-known/oauth-protected-resource";
const endpointPath = "/api/mcp";
const scopes = Object.values(mcpScopes);

/** The endpoint that a request is for, without anything that could break out of a header. */
const endpointOf = (url: string): string =>
  /^\/api\/mcp(?:\/[\w.~-]{1,255})?(?=\/?(?:\?|$))/.exec(url)?.[0] ?? endpointPath;

/**
 * Describes the MCP endpoint as RFC 9728 has it, and names this description in its refusals. It
 * lists an authorization server only if access tokens are accepted.
 */
export function mountResourceMetadata(
  instance: FastifyInstance,
  config: ProcessConfig,
  authenticator: Pick<Authenticator, "mode">,
): void {
  const resource = mcpResource(config);
  const issuer = async (): Promise<string | null> =>
    resource !== null && (await authenticator.mode()).MultiUserMode ? resource.issuer : null;
  const describe =
    (endpoint: (request: FastifyRequest) => string) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const server = await issuer();
      return reply
        .headers({ "access-control-allow-origin": "*", "cache-control": "no-store" })
        .type("application/json; charset=utf-8")
        .send(
          JSON.stringify({
            resource: publicOrigin(request, config) + endpoint(request),
            resource_name: "Carrel",
            ...(server !== null && { authorization_servers: [server], scopes_supported: scopes }),
            bearer_methods_supported: ["header"],
          }),
        );
    };
  instance.get(
    metadataPath,
    describe(() => endpointPath),
  );
  for (const path of [endpointPath, `${endpointPath}/:slug`])
    instance.get(
      metadataPath + path,
      describe(({ url }) => endpointOf(url.slice(metadataPath.length))),
    );
  instance.addHook("onSend", async (request, reply) => {
    if (request.routeOptions.config.endpoint?.operation !== serveMcp) return;
    const error = errorOf(request, reply);
    if (error === null) return;
    const challenge = [metadataOf(request, config), error];
    // What a client should ask for.
    if (resource !== null) challenge.push(`scope="${scopes.join(" ")}"`);
    const parameters = challenge.filter((each) => each !== "").join(", ");
    void reply.header("www-authenticate", parameters === "" ? "Bearer" : `Bearer ${parameters}`);
  });
}

/** What the challenge says is wrong with the token (RFC 6750, section 3.1); null for none. */
function errorOf({ headers }: FastifyRequest, reply: FastifyReply): string | null {
  if (reply.statusCode === 401)
    return headers.authorization === undefined ? "" : 'error="invalid_token"';
  const fault = String(reply.getHeader("carrel-error") ?? "");
  const lacksScope = fault.includes('"access.access-token-scope-missing"');
  return reply.statusCode === 403 && lacksScope ? 'error="insufficient_scope"' : null;
}

function metadataOf(request: FastifyRequest, config: ProcessConfig): string {
  try {
    const address = publicOrigin(request, config) + metadataPath + endpointOf(request.url);
    return `resource_metadata="${address.replaceAll('"', "%22")}"`;
  } catch {
    // The Host header names no host.
    return "";
  }
}
