import { AsyncLocalStorage } from "node:async_hooks";
import { clipText } from "@carrel/contracts";
import type { ErrorParam } from "@carrel/contracts";
import { createProviderFetch, EgressError, routeFetch, runWithFetch } from "@carrel/egress";
import { VectorStoreError } from "./vector-store.ts";

/** Timeouts for connecting, for the first byte and between two chunks, in ms. */
const limits = { connectTimeoutMs: 5_000, timeoutMs: 60_000, idleTimeoutMs: 60_000 };
/** Maximum characters of a server's own message to show. */
const quoted = 300;

interface Call {
  fault: VectorStoreError | null;
  /** The message of the server's last refusal. */
  words: string;
}

/**
 * HTTP to one vector database. Clients wrap failures in their own errors, some without the cause,
 * so the fault is recorded where it happens and `run` throws that.
 */
export class StoreConnection {
  private readonly calls = new AsyncLocalStorage<Call>();
  private readonly fetches = new Map<string, typeof fetch>();

  /** `secrets` are never shown in errors. */
  constructor(
    readonly name: string,
    origins: readonly string[],
    private readonly secrets: readonly (string | undefined)[] = [],
  ) {
    for (const origin of origins) this.allow(origin);
    routeFetch();
  }

  /** Allows another address that the vendor itself has named. */
  allow(address: string): void {
    const { origin } = new URL(address);
    if (!this.fetches.has(origin))
      this.fetches.set(origin, createProviderFetch({ origin, ...limits }));
  }

  /** For clients that accept a fetch; `run` redirects the global fetch here as well. */
  readonly fetch: typeof fetch = async (input, init) => {
    const { url, init: plain } = await unpack(input, init);
    const call = this.calls.getStore();
    const note = (fault: VectorStoreError): VectorStoreError => {
      if (call) call.fault ??= fault;
      return fault;
    };
    const send = this.fetches.get(url.origin);
    if (!send)
      throw note(
        new VectorStoreError(
          {
            code: "vector-store.redirected",
            params: { store: this.name, address: url.origin },
          },
          { isRetryable: false },
        ),
      );
    let reply: Response | undefined;
    for (let attempt = 1; !reply; attempt++) {
      try {
        reply = await send(url, plain);
      } catch (cause) {
        if (init?.signal?.aborted) throw cause;
        // The server may close an idle connection just as it is reused. All store requests are safe
        // to send twice.
        if (
          attempt === 1 &&
          codesOf(cause).some(
            (code) => code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE",
          )
        )
          continue;
        throw note(this.unreachable(url.origin, cause));
      }
    }
    if (reply.status === 401 || reply.status === 403) {
      await reply.body?.cancel();
      throw note(
        new VectorStoreError(
          {
            code: "vector-store.key-rejected",
            params: { store: this.name, status: reply.status },
          },
          { isRetryable: false },
        ),
      );
    }
    if (reply.status === 429 || reply.status >= 500) {
      const said = this.said(await reply.text().catch(() => ""));
      throw note(
        new VectorStoreError(
          {
            code:
              reply.status === 429 ? "vector-store.rate-limited" : "vector-store.internal-error",
            params: { store: this.name, status: reply.status, said },
          },
          { isRetryable: true },
        ),
      );
    }
    if (reply.status < 400 || reply.status === 404 || !call) return reply;
    // Some clients discard the reason of a refusal.
    const text = await reply.text();
    call.words = text;
    return new Response(text, {
      status: reply.status,
      statusText: reply.statusText,
      headers: Object.fromEntries(reply.headers),
    });
  };

  /**
   * Runs a client's call and throws its failure as `VectorStoreError`. `isKnown`: errors to rethrow
   * unchanged.
   */
  async run<T>(
    work: () => Promise<T>,
    isKnown: (fault: unknown) => boolean = () => false,
  ): Promise<T> {
    const call: Call = { fault: null, words: "" };
    try {
      return await this.calls.run(call, () => runWithFetch(this.fetch, work));
    } catch (cause) {
      if (call.fault) throw call.fault;
      if (cause instanceof VectorStoreError || isKnown(cause)) throw cause;
      const words = call.words || (cause instanceof Error ? cause.message : String(cause));
      throw new VectorStoreError(
        {
          code: "vector-store.request-rejected",
          params: { store: this.name, said: this.said(words) },
        },
        { isRetryable: false, cause },
      );
    }
  }

  private unreachable(origin: string, cause: unknown): VectorStoreError {
    const refused = reasonsOf(cause).find((reason) => reason instanceof EgressError);
    if (refused instanceof EgressError)
      return new VectorStoreError(refused.fault, { isRetryable: refused.isRetryable, cause });
    const [code] = codesOf(cause);
    return new VectorStoreError(
      {
        code: "vector-store.unreachable",
        params: { store: this.name, place: origin, cause: code ? ` (${code})` : "" },
      },
      { isRetryable: true, cause },
    );
  }

  /** Without secrets; empty if the server says nothing. */
  private said(text: string): ErrorParam {
    let words = text.replaceAll(/\s+/g, " ").trim();
    for (const secret of this.secrets)
      if (secret && secret.length > 3) words = words.replaceAll(secret, "***");
    if (words === "") return "";
    if (words.length > quoted) words = `${clipText(words, quoted - 1)}…`;
    return { code: "vector-store.said", params: { words } };
  }
}

/** Our fetch does not understand a `Request` from another HTTP library. */
async function unpack(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<{ url: URL; init: RequestInit | undefined }> {
  if (typeof input === "string" || input instanceof URL)
    return { url: new URL(input), init: withoutDispatcher(init) };
  const body = input.body === null ? undefined : await input.arrayBuffer();
  return {
    url: new URL(input.url),
    init: withoutDispatcher({
      method: input.method,
      headers: Object.fromEntries(input.headers),
      body,
      signal: input.signal,
      ...init,
    }),
  };
}

/** A client's own connections would bypass the egress rules. */
function withoutDispatcher(
  init: (RequestInit & { dispatcher?: unknown; agent?: unknown }) | undefined,
): RequestInit | undefined {
  if (!init) return init;
  const { dispatcher: _dispatcher, agent: _agent, ...rest } = init;
  return rest;
}

function reasonsOf(fault: unknown): object[] {
  const found: object[] = [];
  for (
    let current = fault, depth = 0;
    typeof current === "object" && current !== null && depth < 6;
    depth++
  ) {
    found.push(current);
    // When both address families refuse, Node wraps the reasons in one error.
    if ("errors" in current && Array.isArray(current.errors))
      found.push(
        ...(current.errors as unknown[]).filter(
          (inner): inner is object => typeof inner === "object" && inner !== null,
        ),
      );
    current = "cause" in current ? current.cause : null;
  }
  return found;
}

const codesOf = (fault: unknown): string[] =>
  reasonsOf(fault).flatMap((reason) =>
    "code" in reason && typeof reason.code === "string" ? [reason.code] : [],
  );
