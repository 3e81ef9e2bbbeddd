import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { QueryObserver } from "@tanstack/react-query";
import { queryClient } from "../../../lib/query-client.ts";
import { documentKeys } from "../../../lib/query-keys.ts";
import { refreshDocumentLists, refreshSoon } from "./refresh.ts";

/** A list on a server that takes this long to reply with what it had when asked. */
const replyMs = 400;
const server = { documents: 0, requests: 0, aborted: 0 };
const list = {
  queryKey: documentKeys.inWorkspace("heat-pump-retrofit"),
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<number> => {
    const { documents } = server;
    server.requests += 1;
    signal.addEventListener("abort", () => (server.aborted += 1));
    return new Promise((resolve) => setTimeout(() => resolve(documents), replyMs));
  },
};

let startedAt = Date.now();

describe("refreshing lists", () => {
  let stop: () => void;
  beforeEach(async () => {
    // Each test starts long after the previous one.
    jest.useFakeTimers({ now: (startedAt += 1_000_000) });
    queryClient.clear();
    Object.assign(server, { documents: 0, requests: 0, aborted: 0 });
    stop = new QueryObserver(queryClient, list).subscribe(() => undefined);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(server.requests).toBe(1);
  });
  afterEach(() => {
    stop();
    jest.useRealTimers();
  });
  const shown = (): number | undefined => queryClient.getQueryData<number>(list.queryKey);

  it("asks rarely while many documents change, aborts nothing, and is right in the end", async () => {
    for (let n = 0; n < 100; n += 1) {
      server.documents += 1;
      // The change stream and the end of an upload both report it.
      refreshSoon(list.queryKey);
      refreshDocumentLists();
      await jest.advanceTimersByTimeAsync(100);
    }
    await jest.advanceTimersByTimeAsync(3_000);
    expect(shown()).toBe(100);
    expect(server.requests).toBeLessThan(10);
    expect(server.aborted).toBe(0);
  });

  it("shows a single change at once, and one that comes during a request after it", async () => {
    server.documents = 1;
    refreshSoon(list.queryKey);
    await jest.advanceTimersByTimeAsync(30 + replyMs);
    expect([shown(), server.requests]).toEqual([1, 2]);
    await jest.advanceTimersByTimeAsync(10_000);
    refreshSoon(list.queryKey);
    await jest.advanceTimersByTimeAsync(100);
    server.documents = 2;
    refreshSoon(list.queryKey);
    await jest.advanceTimersByTimeAsync(3_000);
    expect([shown(), server.requests, server.aborted]).toEqual([2, 4, 0]);
  });
});
