import { createProviderFetch, type ContentClient } from "@carrel/egress";
import { largestMessage, MessageTooLargeError } from "./server-fault.ts";

export interface ServerFetchOptions {
  /** As an admin set it; the headers go to its origin only. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** For sign-in servers at other origins, whose addresses the server names. */
  content: ContentClient | null;
  connectTimeoutMs: number;
  /** Time between two chunks of a reply; servers may be silent while a tool runs. */
  idleTimeoutMs: number;
}

/** The client of one server: its own origin as an admin's choice, all others as public pages. */
export function createServerFetch(options: ServerFetchOptions): typeof fetch {
  const { origin } = new URL(options.url);
  const own = createProviderFetch({
    origin,
    connectTimeoutMs: options.connectTimeoutMs,
    timeoutMs: options.idleTimeoutMs,
    idleTimeoutMs: options.idleTimeoutMs,
  });
  return async (input, init) => {
    const url = new URL(typeof input === "string" || input instanceof URL ? input : input.url);
    if (url.origin !== origin) return fetchPublic(options.content, url, init);
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(options.headers))
      if (!headers.has(name)) headers.set(name, value);
    return limitBody(await own(url, { ...init, headers }));
  };
}

async function fetchPublic(
  content: ContentClient | null,
  url: URL,
  init: RequestInit | undefined,
): Promise<Response> {
  if (content === null) throw new TypeError(`not an address of this server: ${url.origin}`);
  const { body = null } = init ?? {};
  const reply = await content.fetch(url.href, {
    method: init?.method === "POST" ? "POST" : "GET",
    headers: Object.fromEntries(new Headers(init?.headers)),
    ...(body === null ? {} : { body: String(body as string | URLSearchParams) }),
    ...(init?.signal ? { signal: init.signal } : {}),
    maxBytes: 1_000_000,
    // A token or code must not be carried on to another address.
    mayFollow: () => Promise.resolve(false),
  });
  const isEmpty = reply.status === 204 || reply.status === 304;
  return new Response(isEmpty ? null : new Uint8Array(reply.body), {
    status: reply.status,
    headers: reply.headers,
  });
}

/** A reply that fails once a message in it is too large. */
function limitBody(reply: Response): Response {
  if (reply.body === null) return reply;
  const isStream = reply.headers.get("content-type")?.startsWith("text/event-stream") === true;
  let size = 0;
  const limited = reply.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        // A message in a stream is on one line.
        const end = isStream ? chunk.lastIndexOf(10) : -1;
        size = end === -1 ? size + chunk.length : chunk.length - end - 1;
        if (size > largestMessage) throw new MessageTooLargeError("too large");
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(limited, {
    status: reply.status,
    statusText: reply.statusText,
    headers: reply.headers,
  });
}
