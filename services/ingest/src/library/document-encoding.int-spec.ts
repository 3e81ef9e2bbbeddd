import {
  changeEncoding,
  documentEncodings,
  listDocumentStatuses,
  listLibrary,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { makeZip } from "../../test/fixtures/make-office.ts";
import {
  libraryScope,
  startTestIngest,
  textsOf,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";
import { encodingNamed } from "../parsing/text-encodings.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await startTestIngest();
});
afterAll(async () => {
  await ingest?.stop();
});

/** "Смотритель маяка живёт на острове Вьюн." in Windows-1251. */
const keeper = Buffer.from(
  "d1eceef2f0e8f2e5ebfc20ece0ffeae020e6e8e2b8f220ede020eef1f2f0eee2e520c2fcfeed2e",
  "hex",
);
const guessed = (encoding: string): object[] => [
  { code: "file-note.encoding-guessed", params: { encoding } },
];

async function read(documentId: string) {
  const { documents } = await ingest.client.request(
    listDocumentStatuses,
    { slug: "w1" },
    { scope: workspaceScope(1) },
  );
  const library = await ingest.client.request(listLibrary, {}, { scope: libraryScope });
  return {
    row: documents.find((each) => each.documentId === documentId),
    inLibrary: library.documents.find((each) => each.documentId === documentId),
  };
}

describe("a document in another encoding than UTF-8", () => {
  it("says how it was read, and is read again in the one that a person chooses", async () => {
    const id = await ingest.upload(1, "keeper.txt", keeper);
    await ingest.until(1, id, "embedded");
    const before = await read(id);
    expect(before.row?.notes).toEqual(guessed("Windows-1251"));
    expect(before.inLibrary?.notes).toEqual(guessed("Windows-1251"));

    for (const [encoding, word] of [
      ["KOI8-R", "яЛНРПХРЕКЭ"],
      ["Windows-1251", "Смотритель"],
    ] as const) {
      expect(
        await ingest.client.request(
          changeEncoding,
          { documentId: id, encoding },
          { scope: libraryScope },
        ),
      ).toEqual({ success: true });
      await ingest.until(1, id, "embedded");
      const { row } = await read(id);
      expect(row?.notes).toEqual(guessed(encoding));
      expect(row?.docpath).toBe(before.row?.docpath);
      const { passages } = await ingest.search(1, word);
      expect(textsOf(passages).join(" ")).toContain(word);
    }
    const [stored] = await ingest.sql<{ text: string }>(
      `SELECT string_agg(text, '' ORDER BY start) AS text
      FROM ingest.document_text WHERE document_id = $1`,
      [id],
    );
    expect(stored?.text).toBe("Смотритель маяка живёт на острове Вьюн.");
  });

  it("keeps nothing of a longer text from before", async () => {
    // Two bytes per character in one reading, one in the other.
    const id = await ingest.upload(null, "long.txt", Buffer.alloc(40_000, keeper));
    await ingest.until(null, id, "parsed");
    const length = async (): Promise<number> => {
      const [row] = await ingest.sql<{ n: number }>(
        `SELECT sum(length(text))::int AS n FROM ingest.document_text WHERE document_id = $1`,
        [id],
      );
      return row!.n;
    };
    expect(await length()).toBe(40_000);
    await ingest.client.request(
      changeEncoding,
      { documentId: id, encoding: "UTF-16LE" },
      { scope: libraryScope },
    );
    await ingest.until(null, id, "parsed");
    expect(await length()).toBe(20_000);
  });

  it("shows no passages of a long document at the places of its old text", async () => {
    const id = await ingest.upload(1, "book.txt", Buffer.alloc(440_000, keeper));
    await ingest.until(1, id, "embedded");
    const find = async (words: string): Promise<string[]> => {
      const { passages } = await ingest.search(1, words);
      return textsOf(passages.filter((passage) => passage.documentId === id));
    };
    expect((await find("Смотритель")).join(" ")).toContain("Смотритель");
    await ingest.sql(`CREATE FUNCTION ingest.hold() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'held'; END $$`);
    await ingest.sql(`CREATE TRIGGER hold BEFORE UPDATE ON ingest.workspace_document
      FOR EACH ROW WHEN (NEW.state = 'indexing') EXECUTE FUNCTION ingest.hold()`);
    try {
      await ingest.client.request(
        changeEncoding,
        { documentId: id, encoding: "UTF-16LE" },
        { scope: libraryScope },
      );
      await poll(() =>
        ingest.sql(`SELECT state, version FROM ingest.document WHERE id = $1`, [id]),
      ).toEqual([{ state: "parsed", version: 2 }]);
      expect(await find("Смотритель")).toEqual([]);
    } finally {
      await ingest.sql(`DROP FUNCTION ingest.hold() CASCADE`);
    }
  }, 60_000);

  it("says nothing about a document in UTF-8", async () => {
    const id = await ingest.upload(1, "plain.txt", "Die Möwe fährt.");
    await ingest.until(1, id, "embedded");
    expect((await read(id)).row?.notes).toBeUndefined();
  });

  it("keeps its original when the chosen encoding is wrong", async () => {
    const xml = Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="koi8-r"?><note>'),
      keeper,
      Buffer.from("</note>"),
    ]);
    const id = await ingest.upload(1, "keeper.xml", xml);
    await ingest.until(1, id, "embedded");
    for (const [encoding, state] of [
      ["UTF-16LE", "failed"],
      ["Windows-1251", "embedded"],
    ] as const) {
      await ingest.client.request(
        changeEncoding,
        { documentId: id, encoding },
        { scope: libraryScope },
      );
      await ingest.until(1, id, state);
    }
    expect(textsOf((await ingest.search(1, "Смотритель")).passages).join(" ")).toContain("маяка");
  });

  it("can't be changed in an archive, whose other files it has nothing to do with", async () => {
    const archive = makeZip({ "keeper.txt": keeper, "plain.txt": "The lantern is lit." });
    const id = await ingest.upload(null, "Lights.zip", archive);
    await ingest.until(null, id, "parsed");
    const rows = await ingest.sql<{ id: string; notes: unknown }>(
      `SELECT id, notes FROM ingest.document WHERE upload_id = $1`,
      [id],
    );
    expect(rows.map(({ notes }) => notes)).toEqual([null, null]);
    for (const row of rows)
      await expect(
        ingest.client.request(
          changeEncoding,
          { documentId: row.id, encoding: "KOI8-R" },
          { scope: libraryScope },
        ),
      ).rejects.toMatchObject({ code: "file.encoding-of-part" });
  });

  it("can't be read again without its original", async () => {
    const id = await ingest.upload(1, "gone.txt", keeper);
    await ingest.until(1, id, "embedded");
    await ingest.sql(`UPDATE ingest.document SET blob_key = NULL WHERE id = $1`, [id]);
    await expect(
      ingest.client.request(
        changeEncoding,
        { documentId: id, encoding: "KOI8-R" },
        { scope: libraryScope },
      ),
    ).rejects.toMatchObject({ code: "file.original-gone" });
  });
});

it("every encoding that can be chosen can be read", () => {
  for (const encoding of documentEncodings) expect(encodingNamed(encoding)?.name).toBe(encoding);
});
