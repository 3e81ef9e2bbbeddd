import { createParser } from "eventsource-parser";
import { authorization, failureOf, watchStatus } from "./api.ts";
import { onBack } from "./connection.ts";

export interface StreamEvent {
  /** The `id:` line, or null. */
  id: string | null;
  event: string | null;
  data: string;
}

/**
 * Parses a response as server-sent events and yields each as soon as its bytes arrive. Comments
 * (heartbeats) are dropped.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const waiting: StreamEvent[] = [];
  const parser = createParser({
    onEvent: (message) =>
      waiting.push({ id: message.id ?? null, event: message.event ?? null, data: message.data }),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      parser.feed(done ? decoder.decode() : decoder.decode(value, { stream: true }));
      yield* waiting.splice(0);
      if (done) return;
    }
  } finally {
    // Already closed or aborted: nothing left to cancel.
    void reader.cancel().catch(() => undefined);
  }
}

/**
 * Milliseconds before attempt `n` (from 0): 1 s doubling to 15 s, plus up to a quarter of jitter so
 * that tabs don't reconnect at once.
 */
export const backoff = (attempt: number, random = Math.random): number =>
  Math.min(15_000, 1000 * 2 ** attempt) * (1 + random() / 4);

/** Waits before another attempt; ends early when the server is back, or when `signal` aborts. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      removeListener();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    const removeListener = onBack(end);
    signal.addEventListener("abort", end);
  });

/**
 * Browsers allow six connections per host across all tabs, so a hidden tab closes its streams after
 * this long.
 */
const hiddenMs = 30_000;

/**
 * Aborts once the tab has been hidden for `hiddenMs`, or when `signal` does. `done` removes the
 * listener.
 */
function whileVisible(signal: AbortSignal): { signal: AbortSignal; done: () => void } {
  const hidden = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") timer = setTimeout(() => hidden.abort(), hiddenMs);
  };
  document.addEventListener("visibilitychange", look);
  look();
  return {
    signal: AbortSignal.any([signal, hidden.signal]),
    done: () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    },
  };
}

/** Resolves once the tab is visible or `signal` aborts. */
const untilVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (document.visibilityState === "hidden" && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
    look();
  });

/**
 * Keeps one authenticated event stream open until `signal` aborts. Dropped connections reconnect
 * with backoff, hidden tabs once they are visible again. Uses fetch because EventSource can't send
 * the session token. A 4xx other than 429 ends it. If `url` is a function, it is called for each
 * connection.
 */
export async function follow(
  url: string | (() => string),
  listener: {
    onEvent: (event: StreamEvent) => void;
    onOpen?: (headers: Headers) => void;
    /** The connection broke or couldn't be opened. */
    onDrop?: () => void;
  },
  signal: AbortSignal,
): Promise<void> {
  // oxlint-disable-next-line no-useless-assignment -- read after a fetch that fails
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const watch = whileVisible(signal);
    try {
      const response = watchStatus(
        await fetch(typeof url === "string" ? url : url(), {
          headers: { Accept: "text/event-stream", "X-Carrel-Stream": "1", ...authorization() },
          signal: watch.signal,
        }),
      );
      if (response.status >= 400 && response.status < 500 && response.status !== 429)
        throw Object.assign(await failureOf(response), { final: true });
      if (!response.ok || !response.body) throw await failureOf(response);
      attempt = 0;
      listener.onOpen?.(response.headers);
      for await (const event of readEvents(response.body)) listener.onEvent(event);
    } catch (error) {
      if (signal.aborted || (error instanceof Error && "final" in error)) return;
    } finally {
      watch.done();
    }
    if (watch.signal.aborted) await untilVisible(signal);
    else {
      if (!signal.aborted) listener.onDrop?.();
      await pause(backoff(attempt), signal);
    }
  }
}
