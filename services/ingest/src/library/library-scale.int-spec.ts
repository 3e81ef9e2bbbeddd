import {
  addDocuments,
  createFolder,
  listDocumentCounts,
  listDocumentStatuses,
  listFolders,
  listLibrary,
  moveDocuments,
  purgeDocuments,
  removeFolder,
  renameFolder,
  tagDocuments,
  removeWorkspaceDocuments,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { BulkLibrary } from "../../test/bulk-library.ts";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

/** Bulk operations on thousands of documents, inserted directly as rows. */
describe("a large library", () => {
  let ingest: TestIngest;
  let library: BulkLibrary;

  beforeAll(async () => {
    ingest = await startTestIngest();
    library = new BulkLibrary(ingest);
  });
  beforeEach(() => library.untilIdle());
  afterAll(async () => {
    await ingest?.stop();
  });

  it("tags, moves and renames page by page and skips exclusions", async () => {
    await library.insert("Large", 12_000);
    const spared = (
      await library.request(listLibrary, { filter: { folder: "Large/3" }, limit: 5 })
    ).documents.map((document) => document.documentId);
    const selection = {
      filter: { folder: "Large", deep: true },
      except: { documentIds: spared, folders: ["Large/1"] },
    };
    expect(await library.request(tagDocuments, { selection, add: ["all"] })).toEqual({
      affected: 10_795,
      skipped: 0,
    });
    await library.untilIdle();
    expect(await library.total({ tags: ["all"] })).toBe(10_795);
    expect(await library.total({ tags: ["all"], folder: "Large/1" })).toBe(0);
    expect(await library.total({ tags: ["all"], folder: "Large/3" })).toBe(1_195);
    expect(
      await library.request(moveDocuments, {
        selection: { filter: { tags: ["all"] }, except: { folders: ["Large/2"] } },
        folder: "Flat",
      }),
    ).toMatchObject({ affected: 9_595 });
    await library.untilIdle();
    expect([
      await library.total({ folder: "Flat" }),
      await library.total({ folder: "Large", deep: true }),
      await library.total({ folder: "Large/2" }),
    ]).toEqual([9_595, 2_405, 1_200]);
    expect(await library.request(renameFolder, { from: "Large", to: "Small/Ones" })).toEqual({
      success: true,
    });
    await library.untilIdle();
    expect([
      await library.total({ folder: "Small/Ones/2" }),
      await library.total({ folder: "Large", deep: true }),
    ]).toEqual([1_200, 0]);
    expect(await library.count(`document WHERE docpath NOT LIKE folder || '/%'`)).toBe(0);
    // Search still finds the documents at their new location.
    expect(await library.total({ search: "paper odd", folder: "Flat" })).toBe(
      await library.count(`document WHERE folder = 'Flat' AND title LIKE '% odd'`),
    );
  });

  it("runs concurrent changes to the same documents, even on two replicas", async () => {
    await library.insert("Both", 5_500);
    const replica = await ingest.startReplica();
    try {
      const selection = { filter: { folder: "Both", deep: true } };
      await Promise.all([
        ...["one", "two", "three"].map((tag) =>
          library.request(tagDocuments, { selection, add: [tag] }),
        ),
        library.request(moveDocuments, { selection, folder: "Both/together" }),
      ]);
      await library.untilIdle();
      expect(await library.total({ tags: ["one", "two", "three"], folder: "Both/together" })).toBe(
        5_500,
      );
    } finally {
      await replica.kill();
    }
  });

  it("refuses to rename a folder while documents are being moved into it, and skips documents moved elsewhere", async () => {
    await library.insert("Target", 10);
    // A change left behind by a process that is still working on it.
    await ingest.sql(
      `INSERT INTO ingest.library_change (id, change, lease_until)
      VALUES (
        '22222222-2222-4222-8222-222222222222', '{"kind":"move","folder":"Target/Below"}',
        now() + interval '1 hour'
      )`,
    );
    await expect(
      library.request(renameFolder, { from: "Target", to: "Elsewhere" }),
    ).rejects.toMatchObject({ kind: "CONFLICT" });
    await expect(
      library.request(renameFolder, { from: "Target/0", to: "Target/Below/0" }),
    ).rejects.toMatchObject({ kind: "CONFLICT" });
    expect(await library.request(renameFolder, { from: "Target/1", to: "Free" })).toEqual({
      success: true,
    });
    await ingest.sql(`DELETE FROM ingest.library_change`);
    // Recorded for a folder that was renamed, then moved by someone else in the meantime.
    const [{ id } = { id: "" }] = await ingest.sql<{ id: string }>(
      `SELECT id FROM ingest.document WHERE folder = 'Free'`,
    );
    await ingest.sql(
      `WITH change AS (
        INSERT INTO ingest.library_change (id, change, lease_until)
        VALUES (
          '33333333-3333-4333-8333-333333333333',
          '{"kind":"rename","from":"Target","to":"Renamed"}', now() - interval '1 second'
        )
      )
      INSERT INTO ingest.library_change_item
      SELECT '33333333-3333-4333-8333-333333333333', id
      FROM ingest.document
      WHERE id = $1 OR folder LIKE 'Target/%'`,
      [id],
    );
    await library.untilIdle();
    expect([
      await library.total({ folder: "Free" }),
      await library.total({ folder: "Renamed", deep: true }),
      await library.total({ folder: "Target", deep: true }),
    ]).toEqual([1, 9, 0]);
  });

  it("removes thousands of documents from a workspace at once and cleans up in the background", async () => {
    await library.insert("Out", 1_200);
    await library.link("Out", 2);
    expect(
      await library.requestIn(2, removeWorkspaceDocuments, {
        slug: "w2",
        selection: { filter: { folder: "Out", deep: true }, except: { folders: ["Out/0"] } },
      }),
    ).toEqual({ affected: 1_080, skipped: 0 });
    // Counted as soon as the reply arrives, not eventually.
    expect((await library.requestIn(2, listDocumentStatuses, { slug: "w2" })).total).toBe(120);
    expect(
      (await library.request(listDocumentCounts, {})).counts.find((one) => one.workspaceId === 2),
    ).toMatchObject({ total: 120 });
    expect(await library.total({ folder: "Out", deep: true, missingIn: "w2" })).toBe(1_080);
    await poll(async () => [
      await library.countOrphans(),
      await library.count(`removed_link`),
      await library.count(`index_garbage WHERE swept_at IS NULL`),
    ]).toEqual([0, 0, 0]);
    expect(await library.count(`chunk WHERE workspace_id = 2`)).toBe(240);
  });

  it("hides purged documents immediately, however many, and cleans up after a crash", async () => {
    await library.insert("Doomed", 2_500);
    await library.link("Doomed", 1);
    const filter = { folder: "Doomed", deep: true };
    expect(
      await library.request(purgeDocuments, {
        selection: { filter, except: { folders: ["Doomed/9"] } },
      }),
    ).toEqual({ affected: 2_250, skipped: 0 });
    expect([
      await library.total(filter),
      await library.total({ search: "paper", folder: "Doomed/0" }),
      (await library.requestIn(1, listDocumentStatuses, { slug: "w1" })).total,
    ]).toEqual([250, 0, 250]);
    expect(
      (await library.request(listFolders, {})).folders
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
    await library.untilIdle();
    await poll(async () => [
      await library.count(`document WHERE NOT in_library`),
      await library.countOrphans(),
      await library.count(`removed_link`),
    ]).toEqual([0, 0, 0]);
    expect(
      await library.count(
        `document_words s WHERE NOT EXISTS (SELECT 1 FROM ingest.document d WHERE d.id = s.document_id)`,
      ),
    ).toBe(0);
    expect(await library.request(purgeDocuments, { selection: { filter } })).toMatchObject({
      affected: 250,
    });
    expect(await library.total(filter)).toBe(0);
  });

  it("adds thousands of documents to a workspace", async () => {
    await library.insert("In", 5_200);
    expect(
      await library.requestIn(1, addDocuments, {
        slug: "w1",
        selection: { filter: { folder: "In", deep: true, missingIn: "w1" } },
      }),
    ).toEqual({ affected: 5_200, skipped: 0 });
    await library.untilIdle();
    expect(await library.total({ folder: "In", deep: true, missingIn: "w1" })).toBe(0);
    expect(
      await library.requestIn(1, removeWorkspaceDocuments, {
        slug: "w1",
        selection: { filter: { folder: "In", deep: true } },
      }),
    ).toMatchObject({ affected: 5_200 });
  });

  it("returns the same counts with and without a search", async () => {
    await library.insert("Counted", 600);
    const words: [search: string, condition: string][] = [
      ["paper", `"title" LIKE 'Paper%'`],
      ["paper even", `"title" LIKE 'Paper% even'`],
      ["aper 59", `(title LIKE '%59%' OR filename LIKE '%59%')`],
      ["nothing of the kind", "false"],
      ["\\%_", "false"],
      ["599.txt", `"filename" LIKE '%599.txt'`],
    ];
    for (const [search, condition] of words) {
      const [found, inFolder] = [
        await library.count(`document WHERE in_library AND ${condition}`),
        await library.count(`document WHERE folder = 'Counted/9' AND ${condition}`),
      ];
      expect([
        search,
        await library.total({ search }),
        await library.total({ search, folder: "Counted/9" }),
      ]).toEqual([search, found, inFolder]);
      // The last page ends where the count says it does.
      if (found > 0)
        expect(
          (await library.request(listLibrary, { filter: { search }, offset: found - 1, limit: 10 }))
            .documents,
        ).toHaveLength(1);
    }
  });

  it("rejects or ignores folder names that are too long", async () => {
    await library.request(removeFolder, { name: "x".repeat(2_000) });
    await expect(library.request(createFolder, { name: "x".repeat(2_000) })).rejects.toMatchObject({
      kind: "BAD_INPUT",
    });
  });
});
