import { mcpResource, type InstanceConfig } from "@carrel/config";
import { mcpScopes, serveMcp } from "@carrel/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Authenticator } from "../access/authenticator.ts";
import { publicOrigin } from "../http/public-origin.ts";

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
  config: InstanceConfig,
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

function metadataOf(request: FastifyRequest, config: InstanceConfig): string {
  try {
    const address = publicOrigin(request, config) + metadataPath + endpointOf(request.url);
    return `resource_metadata="${address.replaceAll('"', "%22")}"`;
  } catch {
    // The Host header names no host.
    return "";
  }
}
