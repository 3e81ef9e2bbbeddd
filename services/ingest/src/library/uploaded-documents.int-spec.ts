import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { findByFileName, findUploaded, readLibraryText, type Out } from "@carrel/contracts";
import { LibraryClient } from "../../test/library-client.ts";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

describe("the library after an upload", () => {
  let ingest: TestIngest;
  let library: LibraryClient;

  beforeAll(async () => {
    ingest = await startTestIngest();
    library = new LibraryClient(ingest);
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  it("returns uploads with their texts, sheet by sheet, and finds one by its file name", async () => {
    const long = `${"A long text with a smile \u{1f600}. ".repeat(6_000)}The end.`;
    const id = await library.add("long.txt", long, {
      prefix: "raw-",
      metadata: { published: "1/1/2026" },
    });
    const { documents, next } = await library.request(findUploaded, { documentId: id });
    expect({ documents, next }).toEqual({
      next: null,
      documents: [
        expect.objectContaining({
          id,
          title: "long.txt",
          published: "1/1/2026",
          location: `custom-documents/raw-long-${id}.json`,
          isDirectUpload: false,
        }),
      ],
    });
    let text = "";
    for (let start: number | null = 0; start !== null;) {
      const part: Out<typeof readLibraryText> = await library.request(readLibraryText, {
        documentId: id,
        start,
      });
      text += part.text;
      start = part.next;
    }
    expect(text.trim()).toBe(long.trim());
    expect(
      (await library.request(findByFileName, { name: `raw-long-${id}.json` })).document,
    ).toMatchObject({ id });
    await expect(library.request(findByFileName, { name: "none.json" })).rejects.toMatchObject({
      kind: "DOCUMENT_NOT_FOUND",
    });
    const sheet = await library.add("two.csv", "a,b\n1,2\n");
    await ingest.sql(`UPDATE document SET upload_id = $1 WHERE id = ANY($2::uuid[])`, [
      sheet,
      [sheet, id],
    ]);
    expect(
      (await library.request(findUploaded, { documentId: sheet })).documents.map(
        (document) => document.id,
      ),
    ).toEqual([sheet, id]);
    expect(
      await library.request(readLibraryText, {
        documentId: "00000000-0000-4000-8000-000000000000",
        start: 0,
      }),
    ).toEqual({ text: "", next: null });
  });
});
