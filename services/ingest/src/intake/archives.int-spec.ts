import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { makeZip } from "../../test/fixtures/make-office.ts";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

const find = { mode: "text" as const };

describe("archives, from upload to search", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest({ embedder: false });
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  it("turns each file of an archive into a document, in its folders", async () => {
    const archive = makeZip({
      "log/May/first.md": "# First\n\nThe lantern keeper is Delphine.",
      "log/second.csv": "quay,depth\nnorth,seven",
      "photo.bin": Buffer.from([0, 1, 2]),
    });
    const id = await ingest.upload(1, "Harbour.zip", archive);
    await ingest.until(1, id, "searchable");
    const found = await waitFor(
      async () => (await ingest.search(1, "quay north seven", find)).passages[0] ?? null,
      { what: "the second file to be found" },
    );
    expect(found).toMatchObject({ title: "second.csv", text: "quay: north\ndepth: seven" });
    expect((await ingest.search(1, "lantern keeper", find)).passages[0]).toMatchObject({
      documentId: id,
      title: "first.md",
      headingPath: ["First"],
    });
    const folder = `harbour-${id.slice(0, 8)}`;
    expect(
      await ingest.sql(
        `SELECT folder, title, mime, kind, doc_source AS source FROM ingest.document
        WHERE starts_with(folder, $1) ORDER BY folder`,
        [folder],
      ),
    ).toEqual([
      {
        folder: `${folder}/log`,
        title: "second.csv",
        mime: "text/csv",
        kind: "sheet",
        source: "a csv file uploaded by the user.",
      },
      {
        folder: `${folder}/log/May`,
        title: "first.md",
        mime: "text/markdown",
        kind: "markdown",
        source: "a markdown file uploaded by the user.",
      },
    ]);
    // They share one original.
    expect(await ingest.blobKeys()).toHaveLength(1);
  });

  it("notes on each file only what is about it", async () => {
    const archive = makeZip({
      "a.txt": "Calm.",
      "b.zip": makeZip({ "c.txt": "Fog.", "d.bin": Buffer.from([0, 1, 2]) }),
      "e.txt": "Rain.",
    });
    const id = await ingest.upload(null, "Weather.zip", archive);
    await ingest.until(null, id, "parsed");
    expect(
      await ingest.sql(
        `SELECT title, notes->0->>'code' AS note FROM ingest.document
        WHERE upload_id = $1 ORDER BY title`,
        [id],
      ),
    ).toEqual([
      { title: "a.txt", note: "file-note.members-unread" },
      { title: "c.txt", note: null },
      { title: "e.txt", note: null },
    ]);
  });
});
