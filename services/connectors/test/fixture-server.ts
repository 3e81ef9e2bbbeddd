import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createContentClient, type ContentClient } from "@carrel/egress";
import type { Fetched, ListedItem, Source } from "../src/connector/connector.ts";

/**
 * A vendor's fixture on loopback, with what a connector gets to reach it: the real content client,
 * which may use loopback. `origins` are answered by the fixture too.
 */
export async function startFixtureServer(
  listener: RequestListener,
  { origins = [], timeoutMs = 5_000 }: { origins?: string[]; timeoutMs?: number } = {},
) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const real = createContentClient({ allow: ["127.0.0.1"], timeoutMs });
  const here = (url: string): string => {
    const origin = origins.find((each) => url.startsWith(each));
    return origin === undefined ? url : address + url.slice(origin.length);
  };
  const back = <Reply extends { url: string }>(url: string, reply: Reply): Reply =>
    here(url) === url ? reply : { ...reply, url: reply.url.replace(address, new URL(url).origin) };
  const content: ContentClient = {
    fetch: async (url, init) => back(url, await real.fetch(here(url), init)),
    open: async (url, init) => back(url, await real.open(here(url), init)),
    lookUp: real.lookUp,
  };
  return {
    address,
    context: { content, signal: new AbortController().signal },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type FixtureServer = Awaited<ReturnType<typeof startFixtureServer>>;

/** Lists a source to its end, as a run does. */
export async function listAll<Item>(source: Source<Item>): Promise<ListedItem<Item>[]> {
  const items: ListedItem<Item>[] = [];
  let cursor: string | null = null;
  do {
    const page = await source.list(cursor);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}

/** The text of a fetched document, or what became of the item instead. */
export async function readFetched(fetched: Fetched): Promise<string> {
  if (fetched.kind !== "document")
    return fetched.kind === "skipped" ? fetched.fault.code : fetched.kind;
  const parts: Buffer[] = [];
  for await (const part of fetched.body as AsyncIterable<Buffer>) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("utf8");
}
