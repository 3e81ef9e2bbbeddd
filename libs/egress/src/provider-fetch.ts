import dns, { type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Agent, Dispatcher, RequestInfo, RequestInit } from "undici";
import { isMetadataAddress, isMetadataName, plainHost } from "./address-rule.ts";
import { EgressError } from "./egress-error.ts";
import {
  createPacedClient,
  onAlignedTick,
  type ConnectionReads,
  type PacedHandler,
} from "./paced-client.ts";
import { createConnector } from "./provider-connector.ts";

/** Bytes buffered for a slow reader before the connection is paused. */
const highWaterMark = 1024 * 1024;
/** How long a reply may take to end after its reader has finished, before it is cut off. */
const lingerMs = 1_000;
/**
 * At this pace or slower, the connection is read at intervals: twice per pace, because the end of
 * the reply is also noticed by a read and shouldn't come late.
 */
const pacedReadsFrom = 60;
/** Error replies are short; the rest of a longer one is not read. */
const longestText = 1024 * 1024;

/**
 * The reply to one call. Its bytes are handed over as they arrive, without a stream in between.
 * Bytes received before an error are read before it is thrown.
 */
export class ProviderReply implements PacedHandler, AsyncIterable<Buffer> {
  status = 0;
  reads: ConnectionReads | null = null;
  /** Resolves with the response headers; rejects if there are none. */
  readonly started: Promise<this>;
  private headers: Record<string, string | string[] | undefined> = {};
  private readonly start = Promise.withResolvers<this>();
  private controller: Dispatcher.DispatchController | undefined;
  private chunks: Buffer[] = [];
  private buffered = 0;
  private error: Error | null = null;
  private hasEnded = false;
  private isReleased = false;
  private wake: (() => void) | undefined;
  private linger: NodeJS.Timeout | undefined;
  private ending: NodeJS.Timeout | undefined;
  private isOver = false;
  /** How often new bytes wake the reader; 0: at once. */
  private paceMs = 0;
  private isPacing = false;
  private readonly onAbort = (): void => this.cut(asError(this.signal.reason));

  constructor(private readonly signal: AbortSignal) {
    this.started = this.start.promise;
    signal.addEventListener("abort", this.onAbort, { once: true });
  }

  header(name: string): string | null {
    const value = this.headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  }

  async text(): Promise<string> {
    const read: Buffer[] = [];
    let length = 0;
    for await (const chunk of this) {
      read.push(chunk);
      if ((length += chunk.length) > longestText) break;
    }
    return Buffer.concat(read).toString();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (;;) {
        while (this.chunks.length > 0) {
          const chunks = this.chunks;
          this.chunks = [];
          this.buffered = 0;
          if (this.controller?.paused === true) this.controller.resume();
          yield chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
        }
        if (this.error !== null) throw this.error;
        if (this.hasEnded || this.isOver) return;
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    } finally {
      this.cut(new Error("the reader stopped"));
    }
  }

  /**
   * From now on, hands over received bytes only every `milliseconds`, together with other paced
   * replies: waking a reader for each token of many answers costs more than reading it.
   */
  pace(milliseconds: number): void {
    if (this.paceMs === milliseconds || this.hasEnded || this.isReleased) return;
    this.paceMs = milliseconds;
    this.reads?.every(milliseconds < pacedReadsFrom ? 0 : milliseconds / 2);
  }

  /**
   * Ends the reply after this time, as if the server had, and closes the connection.
   *
   * @param afresh whether an earlier call no longer counts
   */
  endWithin(milliseconds: number, afresh = false): void {
    if (this.hasEnded) return;
    if (afresh) this.goOn();
    this.ending ??= setTimeout(() => {
      this.isOver = true;
      this.notify();
    }, milliseconds);
  }

  /** Undoes `endWithin`. */
  goOn(): void {
    clearTimeout(this.ending);
    this.ending = undefined;
  }

  /**
   * Ignores the remaining bytes. The connection is kept for the next call if the reply ends soon,
   * as it does after its last event.
   */
  release(): void {
    if (this.hasEnded || this.isReleased) return;
    this.isReleased = true;
    this.chunks = [];
    this.reads?.every(0);
    if (this.controller?.paused === true) this.controller.resume();
    this.linger = setTimeout(() => this.abort(new Error("the reply went on")), lingerMs).unref();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.error !== null) controller.abort(this.error);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.start.resolve(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isReleased) return;
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    if (this.buffered > highWaterMark) controller.pause();
    if (this.paceMs === 0) return this.notify();
    if (this.isPacing) return;
    this.isPacing = true;
    onAlignedTick(this.paceMs, () => {
      this.isPacing = false;
      this.notify();
    });
  }

  onResponseEnd(): void {
    this.finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.error ??= error;
    this.start.reject(error);
    this.finish();
  }

  /** Ends the call, unless it has ended or is about to end. */
  private cut(reason: Error): void {
    if (!this.isReleased) this.abort(reason);
  }

  private abort(reason: Error): void {
    if (this.hasEnded) return;
    this.error ??= reason;
    // While it is still connecting, `onRequestStart` ends the request.
    this.start.reject(reason);
    this.controller?.abort(reason);
    this.notify();
  }

  private finish(): void {
    this.hasEnded = true;
    this.reads?.every(0);
    clearTimeout(this.linger);
    clearTimeout(this.ending);
    this.signal.removeEventListener("abort", this.onAbort);
    this.notify();
  }

  private notify(): void {
    this.wake?.();
    this.wake = undefined;
  }
}

/** Also handles a DOMException, whichever realm it is from. */
const asError = (reason: unknown): Error =>
  typeof reason === "object" && reason !== null && "message" in reason
    ? (reason as Error)
    : new Error("aborted", { cause: reason });

export interface ProviderFetchOptions {
  /** Scheme, host and port set by an admin; no other origin is ever called. */
  origin: string;
  /** Time to the response headers; default 120 s (a local model may have to be loaded first). */
  timeoutMs?: number;
  /** Time to establish the connection; default 10 s. */
  connectTimeoutMs?: number;
  /** Time between two chunks of the body; default 120 s. */
  idleTimeoutMs?: number;
  /** Defaults to the system's lookup. */
  lookup?: LookupFunction;
}

const metadataRefused = (): EgressError =>
  new EgressError("refused", { code: "egress.metadata-address" });

/** Looked up with each call, so that tests can replace it. */
const systemLookup: LookupFunction = (host, options, callback) =>
  (dns.lookup as LookupFunction)(host, options, callback);

/**
 * A provider may use private and loopback addresses (Ollama runs there), but never one that serves
 * credentials, under any name.
 */
function guarded(lookup: LookupFunction): LookupFunction {
  return (host, options, callback) => {
    lookup(host, options, (fault, address, family) => {
      if (fault) return callback(fault, address, family);
      const addresses = Array.isArray(address)
        ? address.map((entry: LookupAddress) => entry.address)
        : [address];
      return addresses.some(isMetadataAddress)
        ? callback(metadataRefused(), address, family)
        : callback(null, address, family);
    });
  };
}

/**
 * For clients that open their own sockets (databases): the system's resolver, refusing addresses
 * that serve credentials.
 */
export const providerLookup: LookupFunction = guarded(systemLookup);

/** Whether this is a metadata service's name or address. */
export function isMetadataHost(hostname: string): boolean {
  const host = plainHost(hostname);
  return isMetadataName(host) || isMetadataAddress(host);
}

/**
 * Throws EgressError 'refused' for a metadata service's name or address. Names are checked again by
 * `providerLookup` once resolved.
 */
export function requireProviderHost(hostname: string): void {
  if (isMetadataHost(hostname)) throw metadataRefused();
}

type Undici = typeof import("undici");
let undici: Undici | undefined;

/**
 * Loaded by the first call, because every process would pay 28 MB for it; kept, because every call
 * would pay for resolving it again.
 */
const loadUndici = async (): Promise<Undici> => (undici ??= await import("undici"));

/** Loads the HTTP client ahead of the first call. */
export async function loadProviderFetch(): Promise<void> {
  await loadUndici();
}

export interface ProviderPool {
  /** A WHATWG fetch for vendors' SDKs. Rejects like fetch, or with EgressError 'refused'. */
  fetch: typeof fetch;
  /**
   * Posts JSON and resolves with the response headers, whatever the status. Cheaper than `fetch`
   * for replies in many small pieces. Rejects with the connection's error or EgressError 'refused'.
   */
  post(call: {
    url: URL;
    headers: Record<string, string>;
    body: string;
    signal: AbortSignal;
  }): Promise<ProviderReply>;
}

/**
 * A keep-alive pool for one origin: no redirects, no metadata addresses.
 */
export function createProviderPool(options: ProviderFetchOptions): ProviderPool {
  const { origin } = new URL(options.origin);
  let agent: Agent | undefined;
  const makeAgent = (client: Undici): Agent => {
    const connect = createConnector(
      client,
      guarded(options.lookup ?? systemLookup),
      options.connectTimeoutMs ?? 10_000,
    );
    return new client.Agent({
      allowH2: false,
      keepAliveTimeout: 10_000,
      headersTimeout: options.timeoutMs ?? 120_000,
      bodyTimeout: options.idleTimeoutMs ?? 120_000,
      factory: (target, limits) =>
        new client.Pool(target, {
          ...limits,
          factory: (server, clientOptions) =>
            createPacedClient(
              (paced) => new client.Client(server, { ...clientOptions, connect: paced }),
              connect,
            ),
        }),
    });
  };
  const requireOrigin = (url: URL): void => {
    if (url.origin !== origin)
      throw new EgressError("refused", { code: "egress.other-origin", params: { origin } });
    requireProviderHost(url.hostname);
  };
  const redirected = (): EgressError =>
    new EgressError("refused", { code: "egress.redirected", params: { origin } });
  return {
    fetch: async (
      input: string | URL | Request,
      init?: globalThis.RequestInit,
    ): Promise<Response> => {
      requireOrigin(new URL(typeof input === "string" || input instanceof URL ? input : input.url));
      const client = await loadUndici();
      agent ??= makeAgent(client);
      const reply = await client.fetch(input as RequestInfo, {
        ...(init as RequestInit),
        redirect: "manual",
        dispatcher: agent,
      });
      if (isRedirect(reply.status) && reply.headers.has("location")) {
        await reply.body?.cancel();
        throw redirected();
      }
      return reply as unknown as Response;
    },
    post: async ({ url, headers, body, signal }) => {
      requireOrigin(url);
      const client = await loadUndici();
      agent ??= makeAgent(client);
      signal.throwIfAborted();
      const reply = new ProviderReply(signal);
      agent.dispatch(
        { origin, path: url.pathname + url.search, method: "POST", headers, body },
        reply,
      );
      await reply.started;
      if (isRedirect(reply.status) && reply.header("location") !== null) {
        reply.release();
        throw redirected();
      }
      return reply;
    },
  };
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** Just the `fetch` of a pool. */
export const createProviderFetch = (options: ProviderFetchOptions): typeof fetch =>
  createProviderPool(options).fetch;
