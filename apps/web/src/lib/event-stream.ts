import { createParser } from "eventsource-parser";
import { authorization, failureOf, watchStatus } from "./api.ts";

export interface StreamEvent {
  /** The `id:` line, null where there is none. */ id: string | null;
  event: string | null;
  data: string;
}

/**
 * Reads one reply as server-sent events, each as soon as its bytes are there. Comments (heartbeats)
 * are dropped.
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
    // already closed or aborted: nothing is left to cancel
    void reader.cancel().catch(() => undefined);
  }
}

/**
 * Milliseconds before attempt `n` (from 0): 1 s doubling to 15 s, with up to a quarter of jitter so
 * that tabs spread.
 */
export const backoff = (attempt: number, random = Math.random): number =>
  Math.min(15_000, 1000 * 2 ** attempt) * (1 + random() / 4);

export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

/**
 * A browser keeps six connections to one host for all its tabs: a tab that nobody looks at lets go
 * of its streams after this long.
 */
const hiddenMs = 30_000;

/**
 * Aborts when the tab has been out of sight for a while, or `signal` does. `done` takes the
 * listener away.
 */
function whileSeen(signal: AbortSignal): { signal: AbortSignal; done: () => void } {
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

/** Resolves when the tab is in sight, at once when it is, or `signal` aborts. */
const seen = (signal: AbortSignal): Promise<void> =>
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
 * Keeps one authorised event stream open until `signal` aborts: a drop is followed by a new
 * connection after a back-off,
 * a tab out of sight connects again when it is looked at. fetch instead of EventSource because the
 * latter cannot carry
 * the session. A refusal (4xx) ends it.
 */
export async function follow(
  url: string,
  listener: { onEvent: (event: StreamEvent) => void; onOpen?: () => void },
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const watch = whileSeen(signal);
    try {
      const response = watchStatus(
        await fetch(url, {
          headers: { Accept: "text/event-stream", "X-Carrel-Stream": "1", ...authorization() },
          signal: watch.signal,
        }),
      );
      if (response.status >= 400 && response.status < 500 && response.status !== 429)
        throw Object.assign(await failureOf(response), { final: true });
      if (!response.ok || !response.body) throw await failureOf(response);
      attempt = 0;
      listener.onOpen?.();
      for await (const event of readEvents(response.body)) listener.onEvent(event);
    } catch (error) {
      if (signal.aborted || (error instanceof Error && "final" in error)) return;
    } finally {
      watch.done();
    }
    if (watch.signal.aborted) await seen(signal);
    else await pause(backoff(attempt), signal);
  }
}
