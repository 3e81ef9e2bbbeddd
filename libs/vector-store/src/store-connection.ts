import { AsyncLocalStorage } from "node:async_hooks";
import { createProviderFetch, EgressError, routeFetch, runWithFetch } from "@carrel/egress";
import { VectorStoreError } from "./vector-store.ts";

/** Until the connection stands, until the reply begins, and between two pieces of it, ms. */
const limits = { connectTimeoutMs: 5_000, timeoutMs: 60_000, idleTimeoutMs: 60_000 };
/** Characters of a server's own words that are shown. */
const quoted = 300;

interface Call {
  fault: VectorStoreError | null;
  /** What the server said when it last refused a request. */ words: string;
}

/**
 * HTTP to one vector database. Clients wrap what happened in errors of their own, some without its
 * cause; so a call's
 * fault is noted where it happens, in words for people, and `run` throws that.
 */
export class StoreConnection {
  readonly #calls = new AsyncLocalStorage<Call>();
  readonly #fetches = new Map<string, typeof fetch>();

  /** `secrets` are never shown in errors. */
  constructor(
    readonly name: string,
    origins: readonly string[],
    private readonly secrets: readonly (string | undefined)[] = [],
  ) {
    for (const origin of origins) this.allow(origin);
    routeFetch();
  }

  /** Another address of the same vendor, told by the vendor. */
  allow(address: string): void {
    const { origin } = new URL(address);
    if (!this.#fetches.has(origin))
      this.#fetches.set(origin, createProviderFetch({ origin, ...limits }));
  }

  /** For clients that take a fetch; also what `run` leads the global one to. */
  readonly fetch: typeof fetch = async (input, init) => {
    const { url, init: plain } = await unpack(input, init);
    const call = this.#calls.getStore();
    const note = (fault: VectorStoreError): VectorStoreError => {
      if (call) call.fault ??= fault;
      return fault;
    };
    const send = this.#fetches.get(url.origin);
    if (!send)
      throw note(
        new VectorStoreError(`${this.name} sent us to ${url.origin}, which is not its address.`, {
          isRetryable: false,
        }),
      );
    let reply: Response | undefined;
    for (let attempt = 1; !reply; attempt++) {
      try {
        reply = await send(url, plain);
      } catch (cause) {
        if (init?.signal?.aborted) throw cause;
        // A server closes a connection that was idle just when it is used again. What is asked of
        // stores may be asked twice.
        if (
          attempt === 1 &&
          codesOf(cause).some(
            (code) => code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE",
          )
        )
          continue;
        throw note(this.#unreachable(url.origin, cause));
      }
    }
    if (reply.status === 401 || reply.status === 403) {
      await reply.body?.cancel();
      throw note(
        new VectorStoreError(
          `${this.name} refused the key (${reply.status}). Check it in the settings.`,
          { isRetryable: false },
        ),
      );
    }
    if (reply.status === 429 || reply.status >= 500) {
      const words = this.#plain(await reply.text().catch(() => ""));
      const what = reply.status === 429 ? "is limiting requests" : "has a fault of its own";
      throw note(
        new VectorStoreError(
          `${this.name} ${what} (${reply.status}).${words && ` It says: ${words}`}`,
          { isRetryable: true },
        ),
      );
    }
    if (reply.status < 400 || reply.status === 404 || !call) return reply;
    // Some clients throw away why a request was refused.
    const text = await reply.text();
    call.words = text;
    return new Response(text, {
      status: reply.status,
      statusText: reply.statusText,
      headers: Object.fromEntries(reply.headers),
    });
  };

  /**
   * Runs a client's call; its failure is a `VectorStoreError`. `isKnown`: errors that the caller
   * wants as they are.
   */
  async run<T>(
    work: () => Promise<T>,
    isKnown: (fault: unknown) => boolean = () => false,
  ): Promise<T> {
    const call: Call = { fault: null, words: "" };
    try {
      return await this.#calls.run(call, () => runWithFetch(this.fetch, work));
    } catch (cause) {
      if (call.fault) throw call.fault;
      if (cause instanceof VectorStoreError || isKnown(cause)) throw cause;
      const words = call.words || (cause instanceof Error ? cause.message : String(cause));
      throw new VectorStoreError(
        `${this.name} refused the request. It says: ${this.#plain(words)}`,
        { isRetryable: false, cause },
      );
    }
  }

  #unreachable(origin: string, cause: unknown): VectorStoreError {
    const refused = reasonsOf(cause).find((reason) => reason instanceof EgressError);
    if (refused instanceof EgressError)
      return new VectorStoreError(refused.message, { isRetryable: false, cause });
    const [code] = codesOf(cause);
    return new VectorStoreError(
      `${this.name} cannot be reached at ${origin}${code ? ` (${code})` : ""}.`,
      { isRetryable: true, cause },
    );
  }

  #plain(text: string): string {
    let words = text.replaceAll(/\s+/g, " ").trim();
    for (const secret of this.secrets)
      if (secret && secret.length > 3) words = words.replaceAll(secret, "***");
    return words.length > quoted ? `${words.slice(0, quoted - 1)}…` : words;
  }
}

/** A `Request` of another HTTP library is not understood by ours. */
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

/** A client's own connections would go round the rules of egress. */
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
    // Both address families refused: Node gives all the reasons in one error.
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
