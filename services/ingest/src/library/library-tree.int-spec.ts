import { moveDocuments, openLibraryTree, purgeDocuments } from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { BulkLibrary } from "../../test/bulk-library.ts";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

/** Bulk operations on thousands of documents, inserted directly as rows. */
describe("a library of thousands of documents", () => {
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

  describe("the full tree", () => {
    const connections = () =>
      library.count(
        `pg_stat_activity WHERE application_name = 'carrel ingest' AND state LIKE 'idle in transaction%'`,
      );
    const open = async (): Promise<AsyncGenerator<string>> =>
      ingest.shared.messaging.pipes.read((await library.request(openLibraryTree, {})).pipe);
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
      await library.insert("Snapshot", 6_000);
      const texts = await open();
      const first = (await texts.next()).value as string;
      await library.request(moveDocuments, {
        selection: { filter: { folder: "Snapshot/9", deep: true } },
        folder: "Aaa first",
      });
      await library.request(purgeDocuments, {
        selection: { filter: { folder: "Snapshot/8", deep: true } },
      });
      const before = (await rest(texts, first)).filter((folder) =>
        folder.name.startsWith("Snapshot"),
      );
      expect(before.map((folder) => [folder.name, folder.items.length])).toEqual(
        Array.from({ length: 10 }, (_, n) => [`Snapshot/${n}`, 600]),
      );
      await library.untilIdle();
      expect(
        (await rest(await open())).find((folder) => folder.name === "Aaa first")!.items,
      ).toHaveLength(600);
    });

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
    });

    it("serves two readers at once and starts a third when one finishes", async () => {
      const [one, two] = [await open(), await open()];
      await Promise.all([one.next(), two.next()]);
      let isThere = false;
      const three = open().then((texts) => {
        isThere = true;
        return texts;
      });
      // The two idle readers don't block any other request.
      expect(await library.total({ folder: "Snapshot", deep: true })).toBeGreaterThan(0);
      expect(isThere).toBe(false);
      await one.return(undefined);
      expect((await rest(await three)).length).toBeGreaterThan(1);
      await two.return(undefined);
      await waitFor(async () => (await connections()) === 0 || null, {
        what: "the cursors to be closed",
      });
    });

    it("aborts when the process shuts down, without delaying shutdown", async () => {
      const texts = await open();
      await texts.next();
      await ingest.restart();
      await expect(rest(texts)).rejects.toThrow("broke before the end");
    });
  });
});
