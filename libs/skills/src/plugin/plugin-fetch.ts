import { clipText, isCredentialHost, renderFault } from "@carrel/contracts";
import { EgressError, type ContentClient, type ContentRequest } from "@carrel/egress";
import type { PluginReply, PluginRequest } from "./plugin-runner.ts";

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
/** What belongs to the connection, as browsers refuse it too. */
const ownHeaders =
  /^(accept-encoding|connection|content-length|date|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/;
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** Bytes of one reply, and of all replies of a call. */
const longestReply = 5_000_000;
const mostReplies = 20_000_000;
const requestMs = 30_000;

/**
 * Makes the requests of one call of a plugin: to granted hosts only, redirects included, and never
 * to private addresses unless the operator allows them. What it throws is told to the plugin.
 */
export function createPluginFetch(o: {
  content: ContentClient;
  hosts: readonly string[];
  /** Whether the plugin has secrets, which it may send: not in clear text, except to the intranet. */
  hasSecrets: boolean;
  /** Called with each request before it is made. */
  onRequest?(line: string): void;
}): (request: PluginRequest, signal: AbortSignal) => Promise<PluginReply> {
  let received = 0;
  return async (request, signal) => {
    const url = URL.parse(request.url);
    if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
      throw new TypeError("Only addresses with http or https can be requested.");
    const method = request.method.toUpperCase();
    if (!methods.has(method)) throw new TypeError(`The method ${method} can't be used.`);
    requireGranted(url, o.hosts);
    const headers: Record<string, string> = {};
    for (const [name, value] of request.headers) {
      if (!headerName.test(name) || /[^\t\u0020-\u007e\u0080-\u00ff]/.test(value))
        throw new TypeError(`The header ${JSON.stringify(clipText(name, 50))} is invalid.`);
      if (!ownHeaders.test(name.toLowerCase())) headers[name.toLowerCase()] = value;
    }
    o.onRequest?.(`${method} ${url.origin}${url.pathname}`);
    if (received >= mostReplies)
      throw new Error(`A call can receive at most ${mostReplies / 1_000_000} MB.`);
    try {
      const reply = await o.content.fetch(url.href, {
        method: method as NonNullable<ContentRequest["method"]>,
        headers,
        ...(request.body !== null && { body: Buffer.from(request.body) }),
        signal,
        maxBytes: longestReply,
        timeoutMs: requestMs,
        refusesPlainHttp: o.hasSecrets,
        mayFollow: (target) => {
          if (request.redirect === "error")
            throw new RequestRefusedError("The reply is a redirect.");
          if (request.redirect === "manual") return Promise.resolve(false);
          requireGranted(target, o.hosts);
          return Promise.resolve(true);
        },
      });
      received += reply.body.byteLength;
      return {
        status: reply.status,
        statusText: "",
        // Carrel has decompressed the body.
        headers: [...reply.headers].filter(
          ([name]) => name !== "content-encoding" && name !== "content-length",
        ),
        url: reply.url,
        redirected: reply.url !== url.href,
        body: reply.body,
      };
    } catch (fault) {
      const refused = findRefused(fault);
      if (refused !== null) throw refused;
      if (fault instanceof EgressError)
        throw new TypeError(renderFault(fault.fault), { cause: fault });
      throw fault;
    }
  };
}

/** Nothing that the content client says better. */
class RequestRefusedError extends TypeError {}

function requireGranted(url: URL, hosts: readonly string[]): void {
  if (!isCredentialHost(hosts, url))
    throw new RequestRefusedError(
      `This plugin may not connect to ${url.host}: its permissions don't name this host.`,
    );
}

/** The content client wraps what a redirect's check has thrown. */
function findRefused(fault: unknown): RequestRefusedError | null {
  for (let each = fault; each instanceof Error; each = each.cause)
    if (each instanceof RequestRefusedError) return each;
  return null;
}
