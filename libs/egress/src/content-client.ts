import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { Transform, type Readable } from "node:stream";
import type { buildConnector } from "undici";
import { isPublicAddress, parseAllowList } from "./address-rule.ts";
import {
  checkPort,
  parseContentUrl,
  pinnedLookup,
  resolveAllowed,
  type Resolve,
  type ResolvedAddress,
} from "./content-address.ts";
import { EgressError, toEgressError } from "./egress-error.ts";
import { areDirect, proxyFor, type EgressProxy } from "./network-settings.ts";
import { decompress, ignoreLateFault, readBody, tooLarge } from "./read-body.ts";
import { openTunnel, portOf, useTunnel } from "./tunnel.ts";

export interface ContentClientOptions {
  /** Intranet hosts, addresses or CIDRs that may be fetched although they aren't public. */
  allow?: string[];
  /** Maximum size of a page, decompressed; default 50 MB. */
  maxBytes?: number;
  /** Total time including DNS, redirects and body; default 30 s. */
  timeoutMs?: number;
  /** Default 5. */
  maxRedirects?: number;
  /** Defaults to the system's resolver. */
  resolve?: Resolve;
}

export interface ContentRequest {
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "PROPFIND" | "REPORT";
  headers?: Record<string, string>;
  /** Sent again after a redirect that keeps the method (307, 308) within the same origin only. */
  body?: string | Buffer;
  signal?: AbortSignal;
  /** Instead of the client's limits, for archives and large files. */
  maxBytes?: number;
  timeoutMs?: number;
  /** Accepts self-signed and invalid certificates, for servers whose owner allows it. */
  trustsAnyCertificate?: boolean;
  /** Refuses http, except to the intranet: the request holds a secret. */
  refusesPlainHttp?: boolean;
  /** `open` only: lets the server compress the body, and decompresses it. */
  decompress?: boolean;
  /** Whether a redirect is followed; if not, it is the answer. */
  mayFollow?: (target: URL) => Promise<boolean>;
}

export interface ContentResponse {
  /** Final address after redirects. */
  url: string;
  status: number;
  headers: Headers;
  body: Buffer;
  /** Lower case, without parameters; null if the site sends none. */
  mime: string | null;
  /** Whether it may come from a public address; false: from the intranet, which the allow-list names. */
  isPublic: boolean;
}

/**
 * A page whose body the caller reads as a stream. The size and time limits still apply and end it
 * with an error.
 */
export interface ContentStream {
  url: string;
  status: number;
  headers: Headers;
  /** As sent unless `decompress` was set. Must be read or destroyed. */
  body: Readable;
  /** Headers of the redirects that led here, in order. */
  redirects: Headers[];
  /** Whether it may come from a public address; false: from the intranet, which the allow-list names. */
  isPublic: boolean;
}

export interface ContentClient {
  fetch(url: string, init?: ContentRequest): Promise<ContentResponse>;
  /** For large files: the same checks, without holding the body in memory. */
  open(url: string, init?: ContentRequest): Promise<ContentStream>;
  /**
   * For protocols other than HTTP: how a socket finds the addresses of a host, which were checked
   * like those of pages. Throws EgressError.
   */
  lookUp(destination: ContentDestination): Promise<LookupFunction>;
}

export interface ContentDestination {
  host: string;
  port: number;
  /** The protocol's own, which pages may not be on. */
  ownPorts: readonly number[];
  signal?: AbortSignal;
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const encodings = "gzip, deflate, br, zstd";
const agentName = "Carrel/0.1 (+self-hosted document workspace)";

interface Route {
  /** Checked; empty if only the proxy can resolve the name. */
  addresses: ResolvedAddress[];
  /** Null: connect directly. */
  proxy: EgressProxy | null;
  isPublic: boolean;
}

const isUnknownHost = (fault: unknown): boolean =>
  fault instanceof EgressError && fault.fault.code === "egress.host-unknown";

/** A connector of undici. `direct` does the TLS. */
const throughProxy =
  (
    proxy: EgressProxy,
    direct: buildConnector.connector,
    { hostname, protocol, port }: URL,
    addresses: ResolvedAddress[],
    timeoutMs: number,
  ): buildConnector.connector =>
  (options, callback) => {
    const end = {
      hostname,
      port: portOf({ protocol, port }),
      addresses: proxy.resolvesNames ? [] : addresses.map(({ address }) => address),
      timeoutMs,
    };
    openTunnel(proxy, end).then(
      (tunnel) => useTunnel(tunnel, direct, options, callback),
      (fault: Error) => callback(fault, null),
    );
  };

/** Rejects as soon as the signal aborts, because a resolver cannot be cancelled. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/**
 * The client for addresses from users and documents: public addresses only. Throws EgressError, or
 * the signal's reason if the caller aborts. Any HTTP status counts as a response.
 */
export function createContentClient(options: ContentClientOptions = {}): ContentClient {
  const {
    maxBytes = 50_000_000,
    timeoutMs = 30_000,
    maxRedirects = 5,
    resolve = (host: string) => lookup(host, { all: true, verbatim: true }),
  } = options;
  const allow = parseAllowList(options.allow ?? []);

  interface Reply {
    url: URL;
    status: number;
    headers: Headers;
    body: Readable;
    isPublic: boolean;
    close: () => void;
  }

  function drop({ body, close }: Reply): void {
    body.on("error", ignoreLateFault).destroy();
    close();
  }

  /** Where a redirect leads; null if the reply is none. */
  function readRedirect({ url, status, headers }: Reply): URL | null {
    const location = headers.get("location");
    return redirectStatuses.has(status) && location !== null
      ? parseContentUrl(location, url.href)
      : null;
  }

  /** Where to connect to for a host, which is refused unless all its addresses are allowed. */
  async function findRoute(hostname: string): Promise<Route> {
    const proxy = proxyFor(hostname);
    let addresses: ResolvedAddress[];
    try {
      addresses = await resolveAllowed(hostname, allow, resolve);
    } catch (fault) {
      // Some networks resolve public names on the proxy only.
      if (!proxy?.resolvesNames || !isUnknownHost(fault)) throw fault;
      return { addresses: [], proxy, isPublic: true };
    }
    const texts = addresses.map(({ address }) => address);
    return {
      addresses,
      proxy: proxy === null || areDirect(proxy, texts) ? null : proxy,
      isPublic: texts.some(isPublicAddress),
    };
  }

  /** Sends one request; the connection stays open until `close`. */
  async function send(
    url: URL,
    init: ContentRequest,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Reply> {
    const { addresses, proxy, isPublic } = await untilAborted(findRoute(url.hostname), signal);
    if (init.refusesPlainHttp === true && url.protocol === "http:" && isPublic)
      throw new EgressError("refused", {
        code: "egress.plain-http",
        params: { host: url.hostname },
      });
    // Loaded with the first page, because every process would pay 28 MB for it.
    const { Client, buildConnector } = await import("undici");
    const longest = init.timeoutMs ?? timeoutMs;
    const connectMs = Math.min(longest, 10_000);
    const direct = buildConnector({
      lookup: pinnedLookup(addresses),
      timeout: connectMs,
      ...(init.trustsAnyCertificate && { rejectUnauthorized: false }),
    });
    const client = new Client(url.origin, {
      connect: proxy === null ? direct : throughProxy(proxy, direct, url, addresses, connectMs),
      allowH2: false,
      headersTimeout: longest,
      bodyTimeout: longest,
      maxHeaderSize: 32_768,
      pipelining: 0,
    });
    const close = () => {
      client.destroy().catch(ignoreLateFault);
    };
    try {
      const reply = await client.request({
        // undici knows more methods than its types tell.
        method: (init.method ?? "GET") as "GET",
        path: url.pathname + url.search,
        signal,
        body: init.body ?? null,
        headers: { "user-agent": agentName, accept: "*/*", ...headers },
      });
      const received = new Headers();
      for (const [name, value] of Object.entries(reply.headers))
        for (const item of [value ?? []].flat()) received.append(name, item);
      return {
        url,
        status: reply.statusCode,
        headers: received,
        body: reply.body,
        isPublic,
        close,
      };
    } catch (fault) {
      close();
      throw fault;
    }
  }

  /**
   * Follows redirects, checking each like the first address. `use` reads the reply; its errors
   * become EgressError.
   */
  async function follow<T>(
    text: string,
    given: ContentRequest,
    encoding: string,
    use: (reply: Reply, redirects: Headers[]) => Promise<T>,
  ): Promise<T> {
    let init = given;
    const limit = init.maxBytes ?? maxBytes;
    const clock = AbortSignal.timeout(init.timeoutMs ?? timeoutMs);
    const signal = init.signal ? AbortSignal.any([clock, init.signal]) : clock;
    let url = parseContentUrl(text);
    let headers: Record<string, string> = { "accept-encoding": encoding, ...init.headers };
    const redirects: Headers[] = [];
    try {
      for (;;) {
        const reply = await send(url, init, headers, signal);
        let target: URL | null;
        try {
          target = readRedirect(reply);
          if (target === null || !((await init.mayFollow?.(target)) ?? true)) {
            if (Number(reply.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
            return await use(reply, redirects);
          }
        } catch (fault) {
          drop(reply);
          throw fault;
        }
        drop(reply);
        redirects.push(reply.headers);
        if (redirects.length > maxRedirects)
          throw new EgressError("refused", {
            code: "egress.too-many-redirects",
            params: { limit: maxRedirects },
          });
        // Headers for one origin are not sent to the next, except those that request a range.
        if (target.origin !== url.origin)
          headers = {
            "accept-encoding": encoding,
            ...(init.headers?.range && { range: init.headers.range }),
          };
        const isAnswerElsewhere =
          reply.status === 303 || (reply.status < 303 && init.method === "POST");
        if (isAnswerElsewhere && init.method !== "HEAD") {
          // As browsers do.
          init = { ...init, method: "GET" };
          delete init.body;
        } else if (init.body !== undefined && target.origin !== url.origin)
          throw new EgressError("refused", {
            code: "egress.unexpected-response",
            params: { host: url.hostname },
          });
        url = target;
      }
    } catch (fault) {
      if (init.signal?.aborted) throw init.signal.reason;
      if (clock.aborted)
        throw new EgressError(
          "timeout",
          { code: "egress.timed-out", params: { host: url.origin } },
          fault,
        );
      throw toEgressError(fault, url.origin);
    }
  }

  return {
    async lookUp({ host, port, ownPorts, signal }) {
      checkPort(port, ownPorts);
      const clock = AbortSignal.timeout(timeoutMs);
      try {
        const resolved = resolveAllowed(host, allow, resolve);
        const within = signal === undefined ? clock : AbortSignal.any([clock, signal]);
        return pinnedLookup(await untilAborted(resolved, within));
      } catch (fault) {
        if (signal?.aborted) throw signal.reason;
        if (clock.aborted)
          throw new EgressError("timeout", { code: "egress.timed-out", params: { host } }, fault);
        throw toEgressError(fault, host);
      }
    },
    fetch: (text, init = {}) =>
      follow(text, init, encodings, async ({ url, status, headers, body, isPublic, close }) => {
        const bytes = await readBody(
          body,
          init.method === "HEAD" ? null : headers.get("content-encoding"),
          init.maxBytes ?? maxBytes,
        );
        close();
        return {
          url: url.href,
          status,
          headers,
          body: bytes,
          mime: headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() || null,
          isPublic,
        };
      }),
    open: (text, init = {}) =>
      follow(text, init, init.decompress ? encodings : "identity", async (reply, redirects) => {
        const { url, status, headers, isPublic, close } = reply;
        const limit = init.maxBytes ?? maxBytes;
        const stages =
          init.decompress && init.method !== "HEAD"
            ? decompress(reply.body, headers.get("content-encoding"))
            : [reply.body];
        let bytes = 0;
        const counted = new Transform({
          transform(piece: Buffer, _encoding, done) {
            bytes += piece.length;
            done(bytes > limit ? tooLarge(limit) : null, piece);
          },
        });
        const last = stages.at(-1)!;
        last.on("error", (fault) => counted.destroy(toEgressError(fault, url.origin)));
        counted.on("close", () => {
          for (const stage of stages) stage.on("error", ignoreLateFault).destroy();
          close();
        });
        return { url: url.href, status, headers, body: last.pipe(counted), redirects, isPublic };
      }),
  };
}
