import { CarrelError, type Fault } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import { expect, it } from "@jest/globals";
import { z } from "zod";
import type { HostTurnRepository } from "../connection/host-turn.repository.ts";
import type { FinishedItem, ItemRepository } from "../connection/item.repository.ts";
import type { SourceItem } from "../connection/source-item.entity.ts";
import type { StaleRepository } from "../connection/stale.repository.ts";
import {
  ItemBusyError,
  type Connector,
  type Fetched,
  type Source,
} from "../connector/connector.ts";
import { FetchPlaces } from "./fetch-places.ts";
import type { ItemImporter } from "./item-importer.ts";
import { RunTurn } from "./run-turn.ts";

type Parts = ConstructorParameters<typeof RunTurn>[0];
type Due = Pick<SourceItem, "key" | "attempts" | "item" | "documentId" | "version">;

/** A turn that fetches these items; `finished` is what became of them. */
function startTurn(due: Due[], source: object, more: Partial<Parts> = {}) {
  const finished: FinishedItem[] = [];
  const postponed: [string, number, boolean][] = [];
  const items: Partial<ItemRepository> = {
    claim: () => Promise.resolve(due.splice(0) as SourceItem[]),
    release: () => Promise.resolve(),
    saveListed: () => Promise.resolve(),
    postpone: ({ key }, delayMs, isAttempt) => {
      postponed.push([key, delayMs, isAttempt]);
      return Promise.resolve();
    },
    finish: (_run, done: readonly FinishedItem[]) => {
      finished.push(...done);
      return Promise.resolve(done.map(() => true));
    },
  };
  const turn = new RunTurn({
    run: { id: "run", connectionId: "large", fetched: 0, unchanged: 0, cursor: null, since: null },
    connection: { id: "large", mirrorPermissions: false },
    connector: { item: z.object({}) } as unknown as Connector,
    source: { limits: { parallel: 4, maxDocuments: 10, maxItems: 10 }, ...source } as Source,
    signal: new AbortController().signal,
    host: "host",
    hosts: {} as HostTurnRepository,
    items: items as ItemRepository,
    stale: {} as StaleRepository,
    importer: {
      import: (fetched: Fetched) =>
        Promise.resolve(
          fetched.kind === "skipped"
            ? { state: "skipped", fault: fetched.fault }
            : { state: "unchanged" },
        ),
    } as unknown as ItemImporter,
    places: new FetchPlaces(1),
    listings: new FetchPlaces(1),
    listWhole: () => Promise.resolve(),
    onProgress: () => undefined,
    ...more,
  } as unknown as Parts);
  return { turn, running: turn.run(), finished, postponed };
}

it("holds no place that another source could use while it waits", async () => {
  const done: string[] = [];
  const due = [{ key: "a", attempts: 1, item: {}, documentId: null, version: null }];
  const archive = Promise.withResolvers<void>();
  const [places, listings] = [new FetchPlaces(1), new FetchPlaces(1)];
  const source = {
    list: () => {
      done.push("list");
      return Promise.resolve({ items: [], next: null });
    },
    prepare: () => {
      done.push("prepare");
      return archive.promise;
    },
    fetch: () => {
      done.push("fetch");
      return Promise.resolve({ kind: "unchanged" });
    },
  };
  const listed = Promise.withResolvers<void>();
  const listing = listings.run("other", () => listed.promise);
  const { running } = startTurn(due, source, { places, listings });
  await new Promise(setImmediate);
  // Its archive is being downloaded, and somebody else lists.
  expect(done).toEqual(["prepare"]);
  await places.run("other", () => Promise.resolve(done.push("other")));
  archive.resolve();
  listed.resolve();
  await Promise.all([running, listing]);
  expect(done.slice(0, 2)).toEqual(["prepare", "other"]);
  expect(done.slice(2).sort()).toEqual(["fetch", "list"]);
});

const archived: Fault = { code: "source.archived", params: { storage: "GLACIER" } };
const unreadable = new CarrelError("source.file-unreadable");
const tooLarge = { code: "egress.page-too-large", params: { megabytes: 1 } } as const;
it.each([
  ["is archived", archived, () => Promise.resolve({ kind: "skipped", fault: archived })],
  ["can't be read", unreadable.toFault(), () => Promise.reject(unreadable)],
  // Its size isn't known before it has been read that far.
  ["is too large", tooLarge, () => Promise.reject(new EgressError("too-large", tooLarge))],
])("keeps the document of what %s by now", async (_, fault, fetch) => {
  const item = { attempts: 1, item: {}, version: null };
  const due = [
    { ...item, key: "document", documentId: "d" },
    { ...item, key: "new", documentId: null },
  ];
  const list = () => Promise.resolve({ items: [], next: null });
  const { running, finished } = startTurn(due, { list, fetch });
  await running;
  expect(Object.fromEntries(finished.map(({ key, outcome }) => [key, outcome]))).toEqual({
    document: { state: "failed", fault },
    new: { state: "skipped", fault },
  });
});

it("lets others go on while a server that isn't the source's is busy", async () => {
  const item = { item: {}, documentId: null, version: null };
  const busy = new ItemBusyError("slow.example", 60);
  const due = [
    { ...item, key: "first", attempts: 1 },
    { ...item, key: "last", attempts: 3 },
  ];
  const { turn, running, finished, postponed } = startTurn(due, {
    list: () => Promise.resolve({ items: [], next: null }),
    fetch: () => Promise.reject(busy),
  });
  await running;
  expect([turn.waitMs, turn.isSourceBusy]).toEqual([null, false]);
  expect(postponed).toEqual([["first", 60_000, true]]);
  expect(finished).toEqual([{ key: "last", outcome: { state: "failed", fault: busy.toFault() } }]);
});

it.each([
  [false, { kind: "wiki" }],
  [true, undefined],
])("notes what a listing left out unless the settings changed (%s)", async (isChanged, noted) => {
  const listings: Parameters<ItemRepository["saveListed"]>[3][] = [];
  const source: Partial<Source> = {
    limits: { parallel: 1, maxDocuments: 10, maxItems: 10 },
    list: () => Promise.resolve({ items: [], next: null, leftOut: { kind: "wiki" } }),
  };
  const items: Partial<ItemRepository> = {
    claim: () => Promise.resolve([]),
    release: () => Promise.resolve(),
    saveListed: (_run, _items, _max, listing) => {
      listings.push(listing);
      return Promise.resolve();
    },
  };
  await new RunTurn({
    run: { id: "run", connectionId: "wiki", fetched: 0, unchanged: 0, cursor: null, since: null },
    connection: { id: "wiki", isChanged },
    source,
    signal: new AbortController().signal,
    items,
    listings: new FetchPlaces(1),
    onProgress: () => undefined,
  } as unknown as ConstructorParameters<typeof RunTurn>[0]).run();
  expect(listings.map((listing) => listing?.leftOut)).toEqual([noted]);
});
