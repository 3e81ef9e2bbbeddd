import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import type { IngestConfig } from "../ingest.config.ts";
import type { IndexDirectory } from "./index-directory.ts";
import type { IndexFolder } from "./index-folder.ts";
import { IndexStore, type WriterLease } from "./index-store.ts";
import type { SearchIndex } from "./search-index.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "carrel-index-store-"));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

/** The store of a service whose write lease is `hold`. */
const openStore = (hold: WriterLease["hold"]): IndexStore =>
  new IndexStore(
    { CARREL_HOME: home } as IngestConfig,
    {
      active: () =>
        Promise.resolve({
          vectorDatabase: "lancedb",
          vectorPlace: "here",
          textPlace: "here",
          settings: null,
        } as Partial<SearchIndex> as SearchIndex),
    } as Partial<IndexDirectory> as IndexDirectory,
    { hold } as Partial<WriterLease> as WriterLease,
    { path: home } as Partial<IndexFolder> as IndexFolder,
  );

// A process has one LanceDB per folder, which writes under the lease of whoever opened it.
it("isn't opened by work that outlives its service, so the next service can write", async () => {
  let isStopped = false;
  const stopped = openStore((work) =>
    isStopped ? Promise.reject(new Error("Driver not Connected")) : work(),
  );
  await stopped.text();
  await stopped.onApplicationShutdown();
  isStopped = true;
  const late = stopped.writing().catch((fault: unknown) => fault);

  const next = openStore((work) => work());
  const { text } = await next.writing();
  await text.upsert(
    [{ id: "1", workspaceId: 1, documentId: "1-1", version: 1, terms: ["harbour"] }],
    { first: false },
  );
  expect(await late).toMatchObject({ code: "request.stopping" });
  await next.onApplicationShutdown();
});
