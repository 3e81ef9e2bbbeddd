import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  addDocuments,
  createFolder,
  listDocumentCounts,
  listDocumentStatuses,
  listFolders,
  listLibrary,
  moveDocuments,
  openLibraryTree,
  purgeDocuments,
  removeFolder,
  renameFolder,
  tagDocuments,
  takeOutDocuments,
  type Args,
  type Operation,
  type Out,
} from "@carrel/contracts";
import { eventually, waitFor } from "@carrel/testing";
import {
  libraryScope,
  startTestIngest,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";

/** Bulk operations on thousands of documents, inserted directly as rows. */
describe("a large library", () => {
  let ingest: TestIngest;
  const inLibrary = <Op extends Operation>(operation: Op, input: Args<Op>): Promise<Out<Op>> =>
    ingest.client.request(operation, input, { scope: libraryScope });
  const inWorkspace = <Op extends Operation>(
    id: number,
    operation: Op,
    input: Args<Op>,
  ): Promise<Out<Op>> => ingest.client.request(operation, input, { scope: workspaceScope(id) });
  const total = async (filter: Args<typeof listLibrary>["filter"]): Promise<number> =>
    (await inLibrary(listLibrary, { filter, limit: 1 })).total;
  const count = async (from: string, parameters: unknown[] = []): Promise<number> =>
    (await ingest.sql<{ n: number }>(`SELECT count(*)::int AS "n" FROM ${from}`, parameters))[0]!.n;
  const atRest = (): Promise<void> =>
    eventually(
      async () => {
        expect(await ingest.sql(`SELECT 1 FROM "library_change"`)).toEqual([]);
      },
      { timeoutMs: 300_000 },
    );
  /** Inserts documents into folders `<folder>/0` to `<folder>/9`. */
  const insert = async (folder: string, documents: number): Promise<void> => {
    await ingest.sql(
      `INSERT INTO "document" ("id", "docpath", "folder", "filename", "title", "url", "doc_author", "description", "doc_source", "chunk_source", "published", "mime", "bytes", "sha256", "state")
      SELECT gen_random_uuid(), $1 || '/' || n % 10 || '/' || lpad(n::text, 6, '0') || '.json', $1 || '/' || n % 10, n || '.txt', 'Paper ' || n || CASE WHEN n % 2 = 0 THEN ' even' ELSE ' odd' END, '', '', '', '', '', '', 'text/plain', n, '', 'parsed' FROM generate_series(1, $2::int) n`,
      [folder, documents],
    );
  };
  /** Adds everything in a folder to a workspace as searchable, with two chunks each. */
  const link = async (folder: string, workspaceId: number): Promise<void> => {
    await ingest.sql(
      `INSERT INTO "workspace_document" ("workspace_id", "document_id", "state", "index_version", "chunk_count", "searchable_at", "embedded_at") SELECT $2::int, "id", 'embedded', 1, 2, now(), now() FROM "document" WHERE starts_with("folder", $1 || '/')`,
      [folder, workspaceId],
    );
    await ingest.sql(
      `INSERT INTO "chunk" ("id", "workspace_document_id", "workspace_id", "version", "ordinal", "start", "end", "heading_path", "content_hash")
      SELECT gen_random_uuid(), w."id", w."workspace_id", 1, n, n, n + 1, '[]', '\\x00' FROM "workspace_document" w JOIN "document" d ON d."id" = w."document_id", generate_series(0, 1) n WHERE starts_with(d."folder", $1 || '/') AND w."workspace_id" = $2`,
      [folder, workspaceId],
    );
  };
  const orphans = () =>
    count(
      `"chunk" c WHERE NOT EXISTS (SELECT 1 FROM "workspace_document" w WHERE w."id" = c."workspace_document_id")`,
    );

  beforeAll(async () => {
    ingest = await startTestIngest();
  }, 120_000);
  beforeEach(() => atRest(), 600_000);
  afterAll(async () => {
    await ingest?.stop();
  }, 300_000);

  it("tags, moves and renames page by page and skips exclusions", async () => {
    await insert("Large", 12_000);
    const spared = (
      await inLibrary(listLibrary, { filter: { folder: "Large/3" }, limit: 5 })
    ).documents.map((document) => document.documentId);
    const selection = {
      filter: { folder: "Large", deep: true },
      except: { documentIds: spared, folders: ["Large/1"] },
    };
    expect(await inLibrary(tagDocuments, { selection, add: ["all"] })).toEqual({
      affected: 10_795,
      skipped: 0,
      message: null,
    });
    await atRest();
    expect(await total({ tags: ["all"] })).toBe(10_795);
    expect(await total({ tags: ["all"], folder: "Large/1" })).toBe(0);
    expect(await total({ tags: ["all"], folder: "Large/3" })).toBe(1_195);
    expect(
      await inLibrary(moveDocuments, {
        selection: { filter: { tags: ["all"] }, except: { folders: ["Large/2"] } },
        folder: "Flat",
      }),
    ).toMatchObject({ affected: 9_595 });
    await atRest();
    expect([
      await total({ folder: "Flat" }),
      await total({ folder: "Large", deep: true }),
      await total({ folder: "Large/2" }),
    ]).toEqual([9_595, 2_405, 1_200]);
    expect(await inLibrary(renameFolder, { from: "Large", to: "Small/Ones" })).toEqual({
      success: true,
    });
    await atRest();
    expect([
      await total({ folder: "Small/Ones/2" }),
      await total({ folder: "Large", deep: true }),
    ]).toEqual([1_200, 0]);
    expect(await count(`"document" WHERE "docpath" NOT LIKE "folder" || '/%'`)).toBe(0);
    // Search still finds the documents at their new location.
    expect(await total({ search: "paper odd", folder: "Flat" })).toBe(
      await count(`"document" WHERE "folder" = 'Flat' AND "title" LIKE '% odd'`),
    );
  }, 600_000);

  it("runs concurrent changes to the same documents, even on two replicas", async () => {
    await insert("Both", 5_500);
    const replica = await ingest.startReplica();
    try {
      const selection = { filter: { folder: "Both", deep: true } };
      await Promise.all([
        ...["one", "two", "three"].map((tag) => inLibrary(tagDocuments, { selection, add: [tag] })),
        inLibrary(moveDocuments, { selection, folder: "Both/together" }),
      ]);
      await atRest();
      expect(await total({ tags: ["one", "two", "three"], folder: "Both/together" })).toBe(5_500);
    } finally {
      await replica.kill();
    }
  }, 600_000);

  it("refuses to rename a folder while documents are being moved into it, and skips documents moved elsewhere", async () => {
    await insert("Target", 10);
    // A change left behind by a process that is still working on it.
    await ingest.sql(
      `INSERT INTO "library_change" ("id", "change", "lease_until") VALUES ('22222222-2222-4222-8222-222222222222', '{"kind":"move","folder":"Target/Below"}', now() + interval '1 hour')`,
    );
    await expect(
      inLibrary(renameFolder, { from: "Target", to: "Elsewhere" }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(
      inLibrary(renameFolder, { from: "Target/0", to: "Target/Below/0" }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await inLibrary(renameFolder, { from: "Target/1", to: "Free" })).toEqual({
      success: true,
    });
    await ingest.sql(`DELETE FROM "library_change"`);
    // Recorded for a folder that was renamed, then moved by someone else in the meantime.
    const [{ id } = { id: "" }] = await ingest.sql<{ id: string }>(
      `SELECT "id" FROM "document" WHERE "folder" = 'Free'`,
    );
    await ingest.sql(
      `WITH "change" AS (INSERT INTO "library_change" ("id", "change", "lease_until") VALUES ('33333333-3333-4333-8333-333333333333', '{"kind":"rename","from":"Target","to":"Renamed"}', now() - interval '1 second'))
      INSERT INTO "library_change_item" SELECT '33333333-3333-4333-8333-333333333333', "id" FROM "document" WHERE "id" = $1 OR "folder" LIKE 'Target/%'`,
      [id],
    );
    await atRest();
    expect([
      await total({ folder: "Free" }),
      await total({ folder: "Renamed", deep: true }),
      await total({ folder: "Target", deep: true }),
    ]).toEqual([1, 9, 0]);
  }, 600_000);

  it("removes thousands of documents from a workspace at once and cleans up in the background", async () => {
    await insert("Out", 1_200);
    await link("Out", 2);
    expect(
      await inWorkspace(2, takeOutDocuments, {
        slug: "w2",
        selection: { filter: { folder: "Out", deep: true }, except: { folders: ["Out/0"] } },
      }),
    ).toEqual({ affected: 1_080, skipped: 0, message: null });
    // As soon as the reply arrives, not eventually.
    expect((await inWorkspace(2, listDocumentStatuses, { slug: "w2" })).total).toBe(120);
    expect(
      (await inLibrary(listDocumentCounts, {})).counts.find((one) => one.workspaceId === 2),
    ).toMatchObject({ total: 120 });
    expect(await total({ folder: "Out", deep: true, missingIn: "w2" })).toBe(1_080);
    await eventually(
      async () => {
        expect([
          await orphans(),
          await count(`"removed_link"`),
          await count(`"index_garbage" WHERE "swept_at" IS NULL`),
        ]).toEqual([0, 0, 0]);
      },
      { timeoutMs: 300_000 },
    );
    expect(await count(`"chunk" WHERE "workspace_id" = 2`)).toBe(240);
  }, 600_000);

  it("hides purged documents immediately, however many, and cleans up after a crash", async () => {
    await insert("Doomed", 2_500);
    await link("Doomed", 1);
    const filter = { folder: "Doomed", deep: true };
    expect(
      await inLibrary(purgeDocuments, { selection: { filter, except: { folders: ["Doomed/9"] } } }),
    ).toEqual({ affected: 2_250, skipped: 0, message: null });
    expect([
      await total(filter),
      await total({ search: "paper", folder: "Doomed/0" }),
      (await inWorkspace(1, listDocumentStatuses, { slug: "w1" })).total,
    ]).toEqual([250, 0, 250]);
    expect(
      (await inLibrary(listFolders, {})).folders
        .filter((folder) => folder.name.startsWith("Doomed"))
        .map((folder) => [folder.name, folder.documents]),
    ).toEqual([
      ["Doomed", 0],
      ["Doomed/9", 250],
    ]);
    expect(
      (await ingest.tree())
        .filter((folder) => folder.name.startsWith("Doomed"))
        .map((folder) => [folder.name, folder.items.length]),
    ).toEqual([["Doomed/9", 250]]);
    // The next process picks up the remaining work.
    await ingest.restart();
    await atRest();
    await eventually(
      async () => {
        expect([
          await count(`"document" WHERE NOT "in_library"`),
          await orphans(),
          await count(`"removed_link"`),
        ]).toEqual([0, 0, 0]);
      },
      { timeoutMs: 300_000 },
    );
    expect(
      await count(
        `"document_words" s WHERE NOT EXISTS (SELECT 1 FROM "document" d WHERE d."id" = s."document_id")`,
      ),
    ).toBe(0);
    expect(await inLibrary(purgeDocuments, { selection: { filter } })).toMatchObject({
      affected: 250,
    });
    expect(await total(filter)).toBe(0);
  }, 600_000);

  it("adds thousands of documents to a workspace", async () => {
    await insert("In", 5_200);
    expect(
      await inWorkspace(1, addDocuments, {
        slug: "w1",
        selection: { filter: { folder: "In", deep: true, missingIn: "w1" } },
      }),
    ).toEqual({ affected: 5_200, skipped: 0, message: null });
    await atRest();
    expect(await total({ folder: "In", deep: true, missingIn: "w1" })).toBe(0);
    expect(
      await inWorkspace(1, takeOutDocuments, {
        slug: "w1",
        selection: { filter: { folder: "In", deep: true } },
      }),
    ).toMatchObject({ affected: 5_200 });
  }, 600_000);

  it("returns the same counts with and without a search", async () => {
    await insert("Counted", 600);
    const words: [search: string, condition: string][] = [
      ["paper", `"title" LIKE 'Paper%'`],
      ["paper even", `"title" LIKE 'Paper% even'`],
      ["aper 59", `("title" LIKE '%59%' OR "filename" LIKE '%59%')`],
      ["nothing of the kind", "false"],
      ["\\%_", "false"],
      ["599.txt", `"filename" LIKE '%599.txt'`],
    ];
    for (const [search, condition] of words) {
      const [found, inFolder] = [
        await count(`"document" WHERE "in_library" AND ${condition}`),
        await count(`"document" WHERE "folder" = 'Counted/9' AND ${condition}`),
      ];
      expect([
        search,
        await total({ search }),
        await total({ search, folder: "Counted/9" }),
      ]).toEqual([search, found, inFolder]);
      // The last page ends where the count says it does.
      if (found > 0)
        expect(
          (await inLibrary(listLibrary, { filter: { search }, offset: found - 1, limit: 10 }))
            .documents,
        ).toHaveLength(1);
    }
  }, 600_000);

  it("rejects or ignores folder names that are too long", async () => {
    await inLibrary(removeFolder, { name: "x".repeat(2_000) });
    await expect(inLibrary(createFolder, { name: "x".repeat(2_000) })).rejects.toMatchObject({
      code: "BAD_INPUT",
    });
  });

  describe("the full tree", () => {
    const connections = () =>
      count(
        `pg_stat_activity WHERE "application_name" = 'carrel ingest' AND "state" LIKE 'idle in transaction%'`,
      );
    const open = async (): Promise<AsyncGenerator<string>> =>
      ingest.shared.messaging.pipes.read((await inLibrary(openLibraryTree, {})).pipe);
    const rest = async (
      texts: AsyncGenerator<string>,
      text = "",
    ): Promise<{ name: string; items: { id: string }[] }[]> => {
      let all = text;
      for await (const part of texts) all += part;
      return (
        JSON.parse(all) as { localFiles: { items: { name: string; items: { id: string }[] }[] } }
      ).localFiles.items;
    };

    it("is a snapshot of the library, whatever is moved or removed while it is read", async () => {
      await insert("Snapshot", 6_000);
      const texts = await open();
      const first = (await texts.next()).value as string;
      await inLibrary(moveDocuments, {
        selection: { filter: { folder: "Snapshot/9", deep: true } },
        folder: "Aaa first",
      });
      await inLibrary(purgeDocuments, {
        selection: { filter: { folder: "Snapshot/8", deep: true } },
      });
      const before = (await rest(texts, first)).filter((folder) =>
        folder.name.startsWith("Snapshot"),
      );
      expect(before.map((folder) => [folder.name, folder.items.length])).toEqual(
        Array.from({ length: 10 }, (_, n) => [`Snapshot/${n}`, 600]),
      );
      await atRest();
      expect(
        (await rest(await open())).find((folder) => folder.name === "Aaa first")!.items,
      ).toHaveLength(600);
    }, 600_000);

    it("releases its connection at the end and when its reader disconnects", async () => {
      await rest(await open());
      await waitFor(async () => (await connections()) === 0 || null, {
        what: "the cursor to be closed",
      });
      const left = await open();
      await left.next();
      await waitFor(async () => (await connections()) === 1 || null, {
        what: "the cursor to wait for its reader",
      });
      await left.return(undefined);
      await waitFor(async () => (await connections()) === 0 || null, {
        what: "the cursor to be closed",
      });
    }, 300_000);

    it("serves two readers at once and starts a third when one finishes", async () => {
      const [one, two] = [await open(), await open()];
      await Promise.all([one.next(), two.next()]);
      let isThere = false;
      const three = open().then((texts) => {
        isThere = true;
        return texts;
      });
      // The two idle readers don't block any other request.
      expect(await total({ folder: "Snapshot", deep: true })).toBeGreaterThan(0);
      expect(isThere).toBe(false);
      await one.return(undefined);
      expect((await rest(await three)).length).toBeGreaterThan(1);
      await two.return(undefined);
      await waitFor(async () => (await connections()) === 0 || null, {
        what: "the cursors to be closed",
      });
    }, 300_000);

    it("aborts when the process shuts down, without delaying shutdown", async () => {
      const texts = await open();
      await texts.next();
      await ingest.restart();
      await expect(rest(texts)).rejects.toThrow("broke before its end");
    }, 600_000);
  });
});
