import {
  getDocumentText,
  listAcceptedTypes,
  listFolders,
  removeAndUnembed,
  renderReason,
  retryDocument,
} from "@carrel/contracts";
import { quoteSentences } from "@carrel/retrieval";
import { waitFor, poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { makeBrokenFiles } from "../../test/fixtures/broken-files.ts";
import { docxTable, makeDocx } from "../../test/fixtures/make-docx.ts";
import { makeWorkbook } from "../../test/fixtures/make-office.ts";
import { makeScannedPdf, makeTextPdf } from "../../test/fixtures/make-pdf.ts";
import { makePicture, convertPicture } from "../../test/fixtures/make-picture.ts";
import {
  libraryScope,
  startTestIngest,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";

const find = { mode: "text" as const };
const speech = Buffer.concat([
  Buffer.from("RIFF"),
  Buffer.from([36, 0, 0, 0]),
  Buffer.from("WAVEfmt "),
  Buffer.alloc(28),
]);

describe("formats, from upload to search", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest({ embedder: false });
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  it("turns each sheet of a spreadsheet into a document, in a separate folder, in the workspace it was uploaded to", async () => {
    const book = await makeWorkbook(
      {
        Staff: [
          ["Name", "Room"],
          ["Ada", "B12"],
        ],
        "Rent & 2026": [
          ["Month", "Euro"],
          ["May", "about eight hundred"],
        ],
      },
      "xlsx",
    );
    const id = await ingest.upload(1, "Team Book.xlsx", book);
    await ingest.until(1, id, "searchable");
    const found = await waitFor(
      async () =>
        (await ingest.search(1, "eight hundred May", find)).passages.find(
          (passage) => passage.title === "Team Book.xlsx - Sheet:Rent & 2026",
        ) ?? null,
      { what: "the second sheet to be found" },
    );
    expect((await ingest.search(1, "Ada room", find)).passages[0]).toMatchObject({
      documentId: id,
      title: "Team Book.xlsx - Sheet:Staff",
      text: "Name: Ada\nRoom: B12",
    });
    const folder = `team-book.xlsx-${id.slice(0, 8)}`;
    const sheets = await ingest.sql<{ docpath: string }>(
      `SELECT docpath FROM ingest.document WHERE folder = $1 AND state = 'parsed' AND in_library ORDER BY docpath`,
      [folder],
    );
    expect(sheets.map(({ docpath }) => docpath)).toEqual([
      `${folder}/sheet-rent-2026.json`,
      `${folder}/sheet-staff.json`,
    ]);
    const { folders } = await ingest.client.request(listFolders, {}, { scope: libraryScope });
    expect(folders.filter(({ documents }) => documents > 0)).toEqual([
      { name: folder, title: "Team Book.xlsx", documents: 2, failed: 0 },
    ]);
    expect((await ingest.search(2, "eight hundred", find)).passages).toEqual([]);
    expect(await ingest.state1(1, id)).toMatchObject({
      docpath: `${folder}/sheet-staff.json`,
      sheets: [{ documentId: found.documentId, docpath: `${folder}/sheet-rent-2026.json` }],
    });
    // The sheets share one original.
    await ingest.client.request(
      removeAndUnembed,
      { slug: "w1", documentLocation: `${folder}/sheet-staff.json` },
      { scope: workspaceScope(1) },
    );
    expect((await ingest.search(1, "eight hundred", find)).passages[0]).toMatchObject({
      documentId: found.documentId,
    });
    expect(await ingest.blobKeys()).toHaveLength(1);
    await ingest.client.request(
      removeAndUnembed,
      { slug: "w1", documentLocation: `${folder}/sheet-rent-2026.json` },
      { scope: workspaceScope(1) },
    );
    await poll(() => ingest.blobKeys()).toEqual([]);
  });

  it("finds the row of a Word table that a question is about, by the names of its columns", async () => {
    const flats = ["Acorn", "Alder", "Aspen", "Birch", "Cedar", "Hazel", "Maple", "Rowan"];
    const rows = flats.map((flat, n) => [flat, `${40 + n} m²`, `€${600 + n * 30}`]);
    const body = docxTable([["Flat", "Size", "Monthly rent"], ...rows]);
    const id = await ingest.upload(1, "flats.docx", await makeDocx([], { body }));
    await ingest.until(1, id, "searchable");
    const question = "What is the monthly rent of the flat Cedar?";
    const { passages } = await ingest.search(1, question, find);
    expect(passages[0]).toMatchObject({ documentId: id });
    const quotes = quoteSentences({ question, previousQuestion: null, passages, threshold: 0.25 });
    expect(quotes.map(({ text }) => text).join("\n")).toBe(
      "Flat: Cedar\nSize: 44 m²\nMonthly rent: €720",
    );
  });

  it("takes files for what they are, whatever their names claim", async () => {
    const text = Buffer.from("We decided on the blue tiles.");
    const pdf = makeTextPdf([{ lines: ["We decided on the grey tiles."] }]);
    const files = { "a.docx": text, "b.pdf": text, "c.png": text, "d.txt": pdf };
    const uploads = Object.entries(files).map(([name, bytes]) => ingest.upload(1, name, bytes));
    const ids = await Promise.all(uploads);
    await Promise.all(ids.map((id) => ingest.until(1, id, "searchable")));
    const found = await ingest.sql<{ kind: string; doc_source: string }>(
      `SELECT kind, doc_source FROM ingest.document WHERE id = ANY($1) ORDER BY title`,
      [ids],
    );
    expect(found.map(({ kind }) => kind)).toEqual(["text", "text", "text", "pdf"]);
    expect(found[1]!.doc_source).toBe("a text file uploaded by the user.");
  });

  it("keeps a spreadsheet dropped on a chat as one file", async () => {
    const { id } = await ingest.drop(
      workspaceScope(1),
      5,
      "book.ods",
      await makeWorkbook(
        {
          A: [
            ["Key", "Drawer"],
            ["front", "third"],
          ],
          B: [
            ["Key", "Drawer"],
            ["back", "fourth"],
          ],
        },
        "ods",
      ),
    );
    const file = await waitFor(
      async () =>
        (await ingest.files(workspaceScope(1), 5)).find(
          (one) => one.id === id && one.state === "parsed",
        ) ?? null,
      { what: "the file to be read" },
    );
    expect(file).toMatchObject({ title: "book.ods" });
  });

  it("finds a scan by the words in its image, with their positions, and recovers jobs from a lost queue", async () => {
    const size = { width: 800, height: 300 };
    const jpeg = await convertPicture(
      await makePicture(["The spare key hangs", "under the lamp"], size),
      "jpg",
    );
    const scan = makeScannedPdf([
      { jpeg, ...size, text: "Cover page of the manual" },
      { jpeg, ...size },
    ]);
    const id = await ingest.upload(1, "manual.pdf", scan);
    await ingest.until(1, id, "searchable");
    const { passages } = await ingest.search(1, "key under the lamp", find);
    expect(passages[0]).toMatchObject({
      documentId: id,
      // Line spacing depends on the machine's fonts.
      text: expect.stringMatching(
        /^Cover page of the manual\n\nThe spare key hangs\n{1,2}under the lamp$/,
      ),
    });
    expect(passages[0]!.rectangles.map((rectangle) => rectangle.page)).toEqual([1, 2, 2]);
    // The state Redis leaves behind after losing all its data.
    const [second] = await ingest.sql<{
      id: string;
    }>(`INSERT INTO ingest.document (
        id, docpath, folder, filename, title, url, doc_author, description, doc_source,
        chunk_source, published, mime, bytes, sha256, blob_key, state, recognition_pages, updated_at
      )
      SELECT gen_random_uuid(), 'custom-documents/second.json', folder, filename, 'second', url,
        doc_author, description, '', chunk_source, published, mime, bytes, sha256, blob_key,
        'queued', 1, now() - interval '1 minute'
      FROM ingest.document
      WHERE id = '${id}'
      RETURNING id`);
    await ingest.until(null, second!.id, "parsed");
  });

  it("gives the places of recognised words in a picture, with the size they are measured in", async () => {
    const size = { width: 800, height: 300 };
    const picture = await makePicture(["The ladder stands", "behind the boiler"], size);
    const id = await ingest.upload(1, "ladder.png", picture);
    await ingest.until(1, id, "searchable");
    const { passages } = await ingest.search(1, "ladder behind the boiler", find);
    const { start, end } = passages.find((passage) => passage.documentId === id)!;
    const { pageSize, rectangles, mime } = await ingest.client.request(
      getDocumentText,
      { slug: "w1", documentId: id, start, end, markStart: start, markEnd: end },
      { scope: workspaceScope(1) },
    );
    expect(mime).toBe("image/png");
    expect(pageSize!.width / pageSize!.height).toBeCloseTo(size.width / size.height, 1);
    expect(rectangles).toHaveLength(2);
    for (const { x, y, width, height } of rectangles) {
      expect(x + width).toBeLessThan(pageSize!.width);
      expect(y + height).toBeLessThan(pageSize!.height);
    }
  });

  it("fails broken files individually, each with its reason, and leaves nothing behind", async () => {
    // One of each kind; parsing/broken-files.spec.ts has all of them.
    const wanted = new Set([
      "half.docx",
      "head.pdf",
      "locked.xlsx",
      "bomb.docx",
      "laughs.xml",
      "huge.png",
      "noise.csv",
      "blank.pdf",
    ]);
    const files = (await makeBrokenFiles()).filter((file) => wanted.has(file.filename));
    expect(files).toHaveLength(wanted.size);
    const before = (await ingest.blobKeys()).sort();
    const ids = await Promise.all(files.map((file) => ingest.upload(2, file.filename, file.bytes)));
    const well = await ingest.upload(2, "well.txt", "The lighthouse keeper sleeps at noon.");
    await ingest.until(2, well, "searchable");
    const outcomes = await Promise.all(
      ids.map(async (id, i) => ({
        filename: files[i]!.filename,
        reason: renderReason((await ingest.until(2, id, "failed")).reason!),
      })),
    );
    expect(outcomes).toEqual(files.map(({ filename, reason }) => ({ filename, reason })));
    const [left] = await ingest.sql<{ texts: number; pages: number; chunks: number }>(
      `SELECT (
          SELECT count(*)::int FROM ingest.document_text WHERE document_id = ANY($1::uuid[])
        ) AS texts,
        (
          SELECT count(*)::int FROM ingest.document_page WHERE document_id = ANY($1::uuid[])
        ) AS pages,
        (
          SELECT count(*)::int FROM ingest.document
          WHERE id = ANY($1::uuid[]) AND blob_key IS NOT NULL
        ) AS chunks`,
      [ids],
    );
    expect(left).toEqual({ texts: 0, pages: 0, chunks: 0 });
    const { blob_key: kept } = (
      await ingest.sql<{ blob_key: string }>(
        `SELECT blob_key FROM ingest.document WHERE id = '${well}'`,
      )
    )[0]!;
    await poll(async () => (await ingest.blobKeys()).sort()).toEqual([...before, kept].sort());
  });

  it("rejects recordings without a provider, names the missing setting, and keeps the original for a retry", async () => {
    // The provider's key is missing.
    await ingest.changeSettings({ ...ingest.state.settings, WhisperProvider: "openai" });
    const accepted = async () =>
      Object.keys(
        (await ingest.client.request(listAcceptedTypes, {}, { scope: libraryScope })).types,
      );
    const recordings = async () => (await accepted()).filter((type) => /^(audio|video)/.test(type));
    await poll(recordings).toEqual([]);
    expect(await accepted()).toEqual(
      expect.arrayContaining([
        "application/pdf",
        "application/epub+zip",
        "application/mbox",
        "image/png",
        "image/webp",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.oasis.opendocument.text",
      ]),
    );
    const id = await ingest.upload(1, "speech.wav", speech);
    const reason = { code: "file.transcription-not-set-up" };
    expect((await ingest.until(1, id, "failed")).reason).toEqual(reason);
    await ingest.client.request(
      retryDocument,
      { slug: "w1", documentId: id },
      { scope: workspaceScope(1) },
    );
    expect((await ingest.until(1, id, "failed")).reason).toEqual(reason);
  });
});
