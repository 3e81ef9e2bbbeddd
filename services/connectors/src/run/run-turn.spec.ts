import { expect, it } from "@jest/globals";
import { z } from "zod";
import type { HostTurnRepository } from "../connection/host-turn.repository.ts";
import type { FinishedItem, ItemRepository } from "../connection/item.repository.ts";
import type { SourceItem } from "../connection/source-item.entity.ts";
import type { StaleRepository } from "../connection/stale.repository.ts";
import type { Connector, Source } from "../connector/connector.ts";
import { FetchPlaces } from "./fetch-places.ts";
import type { ItemImporter } from "./item-importer.ts";
import { RunTurn } from "./run-turn.ts";

it("holds no place that another source could use while it waits", async () => {
  const done: string[] = [];
  const due = [{ key: "a", attempts: 1, item: {}, documentId: null, version: null }];
  const archive = Promise.withResolvers<void>();
  const [places, listings] = [new FetchPlaces(1), new FetchPlaces(1)];
  const source = {
    limits: { parallel: 4, maxDocuments: 10, maxItems: 10 },
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
  } as unknown as Source;
  const items: Partial<ItemRepository> = {
    claim: () => Promise.resolve(due.splice(0) as unknown as SourceItem[]),
    release: () => Promise.resolve(),
    saveListed: () => Promise.resolve(),
    finish: (_run, finished: readonly FinishedItem[]) => Promise.resolve(finished.map(() => true)),
  };
  const turn = new RunTurn({
    run: { id: "run", connectionId: "large", fetched: 0, unchanged: 0, cursor: null, since: null },
    connection: { id: "large", mirrorPermissions: false },
    connector: { item: z.object({}) } as unknown as Connector,
    source,
    signal: new AbortController().signal,
    host: "host",
    hosts: {} as HostTurnRepository,
    items: items as ItemRepository,
    stale: {} as StaleRepository,
    importer: {
      import: () => Promise.resolve({ state: "unchanged" }),
    } as unknown as ItemImporter,
    places,
    listings,
    listWhole: () => Promise.resolve(),
    onProgress: () => undefined,
  } as unknown as ConstructorParameters<typeof RunTurn>[0]);

  const listed = Promise.withResolvers<void>();
  const listing = listings.run("other", () => listed.promise);
  const running = turn.run();
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
