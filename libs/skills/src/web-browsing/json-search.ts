import { createProviderFetch, EgressError } from "@carrel/egress";
import { z } from "zod";
import { toolFault } from "../tool-fault.ts";
import { ToolError } from "../tool.ts";
import type { EngineSetup, JsonEngine, SearchHit } from "./search-engine.ts";

/** A client for one origin, as `createProviderFetch` makes them. */
export type FetchFor = (origin: string) => typeof fetch;

const timeoutMs = 20_000;
const longestReply = 3_000_000;
/** Longer waits aren't worth it. */
const longestRetryMs = 3_000;

const pools = new Map<string, typeof fetch>();

/** Keeps connections between searches: there are as few origins as engines an admin has chosen. */
export const sharedFetch: FetchFor = (origin) => {
  const pool = pools.get(origin) ?? createProviderFetch({ origin, timeoutMs });
  pools.set(origin, pool);
  return pool;
};

/** Throws ToolError, or the signal's reason if the caller aborts. */
export async function searchJson(
  engine: JsonEngine,
  query: string,
  setup: EngineSetup,
  { fetchFor, signal }: { fetchFor: FetchFor; signal: AbortSignal },
): Promise<SearchHit[]> {
  const base = engine.base(setup);
  const { path, params = {}, headers = {}, body } = engine.request(query, setup);
  const url = new URL(`${base}${path}`);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  const clock = AbortSignal.timeout(timeoutMs);
  const send = async () =>
    fetchFor(url.origin)(url.href, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept: "application/json",
        ...headers,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, clock]),
    });
  try {
    let reply = await send();
    const waitMs = reply.status === 429 ? retryAfter(reply.headers) : null;
    if (waitMs !== null) {
      await reply.body?.cancel();
      await pause(waitMs, signal);
      reply = await send();
    }
    return readReply(engine, setup, reply.status, await readText(reply));
  } catch (fault) {
    if (signal.aborted) throw signal.reason;
    if (fault instanceof ToolError) throw fault;
    throw describe(fault, setup, clock.aborted);
  }
}

/** Several allow one search per second, and a model may start two at once. */
function retryAfter(headers: Headers): number | null {
  const seconds = Number(headers.get("retry-after") ?? "1");
  return Number.isFinite(seconds) && seconds * 1_000 <= longestRetryMs
    ? Math.max(seconds, 0.1) * 1_000
    : null;
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });

async function readText(reply: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of reply.body ?? []) {
    pieces.push(piece as Uint8Array);
    // A reply that goes on isn't one of a search; what there is won't be JSON.
    if ((length += (piece as Uint8Array).length) > longestReply) break;
  }
  return Buffer.concat(pieces).toString();
}

/** undefined if it isn't JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readReply(
  engine: JsonEngine,
  setup: EngineSetup,
  status: number,
  text: string,
): SearchHit[] {
  const body = parseJson(text);
  const own = engine.faultOf?.(status, body) ?? null;
  if (own !== null) throw setup.fault(own);
  if (status === 401 || status === 403) throw setup.fault("search.key-refused");
  if (status === 402 || status === 429) throw setup.fault("search.quota-exceeded");
  if (status !== 200)
    throw toolFault({
      code: "search.refused",
      params: { provider: setup.provider.name, status },
    });
  if (body === undefined) throw setup.fault("search.unexpected-response");
  return engine.read(body);
}

function describe(fault: unknown, setup: EngineSetup, isLate: boolean): ToolError {
  if (isLate) return setup.fault("search.timed-out");
  if (fault instanceof z.ZodError) return setup.fault("search.unexpected-response");
  const cause = fault instanceof EgressError ? fault : (fault as { cause?: unknown } | null)?.cause;
  if (cause instanceof EgressError) return toolFault(cause.fault, "", fault);
  return String((cause as { code?: unknown } | null)?.code).includes("TIMEOUT")
    ? setup.fault("search.timed-out")
    : setup.fault("search.unreachable");
}
