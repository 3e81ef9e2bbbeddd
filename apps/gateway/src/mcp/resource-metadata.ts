import type { InstanceConfig } from "@carrel/config";
import { serveMcp } from "@carrel/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { publicOrigin } from "../http/public-origin.ts";

const metadataPath = "/.well-known/oauth-protected-resource";
const endpointPath = "/api/mcp";

/** The endpoint that a request is for, without anything that could break out of a header. */
const endpointOf = (url: string): string =>
  /^\/api\/mcp(?:\/[\w.~-]{1,255})?(?=\/?(?:\?|$))/.exec(url)?.[0] ?? endpointPath;

/**
 * Describes the MCP endpoint as RFC 9728 has it, and names this description in its 401 replies. It
 * lists no authorization server, because only API keys are accepted.
 */
export function mountResourceMetadata(instance: FastifyInstance, config: InstanceConfig): void {
  const describe =
    (resourceOf: (request: FastifyRequest) => string) =>
    (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
      reply
        .headers({ "access-control-allow-origin": "*", "cache-control": "no-store" })
        .type("application/json; charset=utf-8")
        .send(
          JSON.stringify({
            resource: publicOrigin(request, config) + resourceOf(request),
            resource_name: "Carrel",
            bearer_methods_supported: ["header"],
          }),
        );
  instance.get(
    metadataPath,
    describe(() => endpointPath),
  );
  for (const path of [endpointPath, `${endpointPath}/:slug`])
    instance.get(
      metadataPath + path,
      describe(({ url }) => endpointOf(url.slice(metadataPath.length))),
    );
  instance.addHook("onSend", (request, reply, _payload, done) => {
    const { endpoint } = request.routeOptions.config;
    if (reply.statusCode === 401 && endpoint?.operation === serveMcp)
      void reply.header("www-authenticate", describeChallenge(request, config));
    done();
  });
}

function describeChallenge(request: FastifyRequest, config: InstanceConfig): string {
  const error = request.headers.authorization === undefined ? "" : ', error="invalid_token"';
  try {
    const address = publicOrigin(request, config) + metadataPath + endpointOf(request.url);
    return `Bearer resource_metadata="${address.replaceAll('"', "%22")}"${error}`;
  } catch {
    // The Host header names no host.
    return "Bearer";
  }
}
