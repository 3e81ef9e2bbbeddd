import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { convertPicture, makePicture } from "../../test/fixtures/make-picture.ts";
import { makeRawPdf, paintText, pictureObject } from "../../test/fixtures/make-raw-pdf.ts";
import { startTestIngest, textsOf, type TestIngest } from "../../test/test-ingest.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await startTestIngest();
});
afterAll(async () => {
  await ingest?.stop();
});

const size = { width: 900, height: 600 };
const due = { code: "file-note.pictures-due", params: { count: 1 } };
const unread = { code: "file-note.pictures-unread", params: { count: 1 } };

const grant = ["Granted to the Osprey", "on the ninth of May"];

/** A page with its own text, and a picture of other words below. */
async function makeTariff(port: string, shown: string[] = grant): Promise<Buffer> {
  const picture = await makePicture(shown, size);
  const jpeg = await convertPicture(picture, "jpg");
  const lines = Array.from({ length: 8 }, (_, i) => ({
    x: 60,
    y: 800 - i * 14,
    text: `Line ${i} of the tariff of ${port} names the dues of trawlers.`,
  }));
  return makeRawPdf({
    content: `q 400 0 0 266 60 300 cm /I Do Q\n${paintText(lines)}`,
    resources: "/XObject << /I 10 0 R >>",
    objects: [pictureObject(jpeg, size.width, size.height)],
  });
}

interface Row {
  state: string;
  version: number;
  due: number | null;
  notes: object[] | null;
  text: string;
}
async function readRow(id: string): Promise<Row> {
  const [row] = await ingest.sql<Row>(
    `SELECT state, version, pictures_due AS due, notes, (
      SELECT string_agg(text, '' ORDER BY start) FROM ingest.document_text WHERE document_id = id
    ) AS text
    FROM ingest.document WHERE id = $1`,
    [id],
  );
  return row!;
}
/** Once the pictures of this version are read or given up, and the document is indexed again. */
const untilSettled = async (id: string, version: number): Promise<Row> => {
  const row = await waitFor(
    async () => {
      const now = await readRow(id);
      return now.due === 0 && now.version >= version ? now : null;
    },
    { timeoutMs: 50_000, what: `the pictures of ${id} to be read` },
  );
  await ingest.until(1, id, "embedded");
  return row;
};
const find = async (words: string): Promise<{ ids: string[]; text: string }> => {
  const { passages } = await ingest.search(1, words);
  return {
    ids: passages.map((passage) => passage.documentId),
    text: textsOf(passages).join(" ").replace(/\s+/g, " "),
  };
};

describe("a document with text of its own and a picture of text", () => {
  it("is found by its own text first, and by the picture's later", async () => {
    const id = await ingest.upload(1, "tariff.pdf", await makeTariff("Skarnholm"));
    await ingest.until(1, id, "searchable", "embedding", "embedded");
    expect((await find("tariff of Skarnholm")).ids).toContain(id);

    const row = await untilSettled(id, 2);
    expect(row).toMatchObject({ state: "parsed", version: 2, notes: null });
    expect(row.text).toMatch(/Line 7 of the tariff[^]*Granted to the Osprey/);
    const found = await find("Osprey granted in May");
    expect(found.ids).toContain(id);
    expect(found.text).toContain("Granted to the Osprey on the ninth of May");

    const notes = ingest.frames.flatMap((frame) =>
      frame.type === "document_state" && frame.document.documentId === id
        ? [[frame.document.state, frame.document.notes?.[0]]]
        : [],
    );
    expect(notes).toContainEqual(["searchable", due]);
    expect(notes.at(-1)).toEqual(["embedded", undefined]);

    // A file with the same bytes gets the whole text at once.
    const twin = await ingest.upload(1, "tariff.pdf", await makeTariff("Skarnholm"));
    await ingest.until(1, twin, "embedded");
    expect(await readRow(twin)).toEqual({ ...row, version: 1, due: null });
  }, 90_000);

  it("keeps its text if recognition fails", async () => {
    await ingest.sql(`CREATE FUNCTION ingest.refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'refused'; END $$`);
    await ingest.sql(`CREATE TRIGGER refuse BEFORE UPDATE ON ingest.document
      FOR EACH ROW WHEN (NEW.version > OLD.version) EXECUTE FUNCTION ingest.refuse()`);
    try {
      const id = await ingest.upload(1, "dues.pdf", await makeTariff("Vinterhavn"));
      const row = await untilSettled(id, 1);
      expect(row).toMatchObject({ state: "parsed", version: 1, notes: [unread] });
      expect(row.text).toContain("tariff of Vinterhavn");
      expect((await find("tariff of Vinterhavn")).ids).toContain(id);
    } finally {
      await ingest.sql(`DROP FUNCTION ingest.refuse() CASCADE`);
    }
  }, 90_000);

  it("keeps its text if that of its pictures is refused each time", async () => {
    await ingest.sql(`CREATE FUNCTION ingest.refuse_text() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE 'refused'; END $$`);
    await ingest.sql(`CREATE TRIGGER refuse_text BEFORE INSERT ON ingest.document_text
      FOR EACH ROW WHEN (NEW.text LIKE '%Gannet%') EXECUTE FUNCTION ingest.refuse_text()`);
    try {
      const shown = ["Granted to the Gannet", "on the tenth of May"];
      const id = await ingest.upload(1, "toll.pdf", await makeTariff("Sommerhavn", shown));
      const row = await untilSettled(id, 1);
      expect(row).toMatchObject({ state: "parsed", version: 4, notes: [unread] });
      expect(row.text).toContain("tariff of Sommerhavn");
      expect((await find("tariff of Sommerhavn")).ids).toContain(id);
    } finally {
      await ingest.sql(`DROP FUNCTION ingest.refuse_text() CASCADE`);
    }
  }, 90_000);

  it("isn't indexed again if the picture has no words after all", async () => {
    const signs = ["||| / | /// | // |||", "/ || /// | || / |||"];
    const id = await ingest.upload(1, "signs.pdf", await makeTariff("Kjelleroy", signs));
    const row = await untilSettled(id, 1);
    expect(row.text).toContain("tariff of Kjelleroy");
    expect(row.text).not.toMatch(/Line 7.*\n[^]*\p{L}{3}/u);
    expect(row).toMatchObject({ version: 1, notes: null });
  }, 90_000);

  it.each([
    ["before", `pictures_due = 1, updated_at = now() - interval '5 minutes'`],
    [
      "while",
      `pictures_due = 1, state = 'parsing', version = version + 1, lease_until = now() - interval '1 second'`,
    ],
  ])(
    "is read in full when a process dies %s its text is replaced",
    async (when, change) => {
      const id = await ingest.upload(1, "port.pdf", await makeTariff(`Osterby ${when}`));
      const { version } = await untilSettled(id, 2);
      await ingest.sql(`DELETE FROM ingest.document_text WHERE document_id = $1`, [id]);
      await ingest.sql(`UPDATE ingest.document SET ${change} WHERE id = $1`, [id]);
      const row = await untilSettled(id, version + 1);
      expect(row).toMatchObject({ state: "parsed", notes: null });
      expect(row.text).toMatch(/Osterby[^]*Granted to the Osprey/);
    },
    90_000,
  );
});

it("a document without pictures isn't marked", async () => {
  const id = await ingest.upload(1, "plain.txt", "The harbour closes at noon.");
  await ingest.until(1, id, "embedded");
  expect(await readRow(id)).toMatchObject({ due: null, notes: null });
});
