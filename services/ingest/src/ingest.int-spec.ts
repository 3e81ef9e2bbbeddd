import {
  changeWorkspaceDocuments,
  getDocumentText,
  getEmbeddingState,
  listAcceptedTypes,
  listDocumentCounts,
  listLibraryFolder,
  removeWorkspaceDocument,
  type Principal,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { makeDocx } from "../test/fixtures/make-docx.ts";
import { makeTextPdf } from "../test/fixtures/make-pdf.ts";
import {
  libraryScope,
  startTestIngest,
  textsOf,
  workspaceScope,
  type TestIngest,
} from "../test/test-ingest.ts";

const handbook = `# Handbook

## Leave

Employees have thirty days of paid vacation in each calendar year.

## Fire safety

The assembly point in case of fire is the car park behind the canteen.
`;

const restrictedKey: Principal = {
  kind: "key",
  userId: null,
  role: "admin",
  keyId: 1,
  scopes: ["documents"],
};

describe("an uploaded document", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest();
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  it("becomes searchable, then embedded, and reports its progress", async () => {
    const id = await ingest.upload(1, "handbook.md", handbook);
    await ingest.until(1, id, "embedded");
    const found = await ingest.search(1, "Where is the assembly point in case of fire?");
    expect(found).toMatchObject({ documentCount: 1, dense: true });
    expect(found.passages[0]).toMatchObject({
      documentId: id,
      title: "handbook.md",
      headingPath: ["Handbook", "Fire safety"],
      page: null,
      rectangles: [],
    });
    const passage = found.passages[0]!;
    expect(passage.text).toContain("car park behind the canteen");
    expect(handbook.slice(passage.start, passage.end)).toBe(passage.text);
    expect(passage.score).toBeGreaterThan(0.25);
    const states = ingest.frames.flatMap((frame) =>
      frame.type === "document_state" && frame.document.documentId === id
        ? [frame.document.state]
        : [],
    );
    expect(states).toEqual(expect.arrayContaining(["parsing", "searchable", "embedded"]));
    expect(
      await ingest.client.request(getEmbeddingState, {}, { scope: libraryScope }),
    ).toMatchObject({ hasEmbeddings: true, native: { state: "off" } });
    expect((await ingest.search(2, "assembly point")).passages).toEqual([]);
  });

  it("keeps pages and rectangles of a PDF, and opens at the passage", async () => {
    const id = await ingest.upload(
      1,
      "evacuation.pdf",
      makeTextPdf([
        { title: "Evacuation", lines: ["Leave by the nearest exit."] },
        {
          title: "Wardens",
          lines: [
            "Floor wardens wear yellow jackets and check every room.",
            "They report to the marshal.",
          ],
        },
      ]),
    );
    await ingest.until(1, id, "searchable", "embedding", "embedded");
    const { passages } = await ingest.search(1, "Who wears yellow jackets?", { mode: "text" });
    expect(passages[0]).toMatchObject({ documentId: id, page: 2, headingPath: ["Wardens"] });
    expect(passages[0]!.rectangles[0]).toMatchObject({ page: 2 });
    const at = passages[0]!.start;
    const viewed = await ingest.client.request(
      getDocumentText,
      { slug: "w1", documentId: id, start: 0, markStart: at, markEnd: passages[0]!.end },
      { scope: workspaceScope(1) },
    );
    expect(viewed).toMatchObject({
      title: "evacuation.pdf",
      mime: "application/pdf",
      pages: 2,
      page: 2,
      headingPath: ["Wardens"],
      pageSize: { width: expect.any(Number), height: expect.any(Number) },
    });
    expect(viewed.text.slice(at, passages[0]!.end)).toBe(passages[0]!.text);
    expect(viewed.rectangles.length).toBeGreaterThan(0);
    expect(viewed.originalUrl).toMatch(/^\/api\/blob\/[\w-]+\.[\w-]+$/);
    const foreign = ingest.client.request(
      getDocumentText,
      { slug: "w2", documentId: id },
      { scope: workspaceScope(2) },
    );
    await expect(foreign).rejects.toMatchObject({ kind: "DOCUMENT_NOT_FOUND" });
  });

  it("shows in the library, the workspace and the counts", async () => {
    const id = await ingest.upload(
      null,
      "Über uns.docx",
      await makeDocx([
        { text: "About us", style: "Heading1" },
        { text: "We make bicycle bells in Freiburg." },
      ]),
    );
    await ingest.until(null, id, "parsed");
    const file = (await ingest.tree())
      .flatMap((folder) => folder.items)
      .find((item) => item.id === id)!;
    expect(file).toMatchObject({
      type: "file",
      title: "Über uns.docx",
      docSource: "docx file uploaded by the user.",
      cached: false,
      pinnedWorkspaces: [],
    });
    expect(file.wordCount).toBe(8);
    expect(file.name).toBe(`über-uns.docx-${id}.json`);
    const docpath = `custom-documents/${file.name}`;
    const page = await ingest.client.request(
      listLibraryFolder,
      { folder: "custom-documents", offset: 0, limit: 1 },
      { scope: libraryScope },
    );
    expect(page).toMatchObject({ files: [expect.anything()], exists: true });
    expect(page.total).toBeGreaterThan(1);

    const restricted = (workspaceIds: number[], areNew = false) =>
      ingest.client.request(
        changeWorkspaceDocuments,
        { adds: [docpath], deletes: [], areNew },
        { scope: { ...workspaceScope(2), principal: { ...restrictedKey, workspaceIds } } },
      );
    expect(await restricted([2, 3])).toEqual({
      added: [],
      errors: [{ code: "document.not-in-library", params: { docpath } }],
    });
    const { added, errors } = await ingest.change(2, [docpath, "custom-documents/nothing.json"]);
    expect(added).toEqual([{ documentId: id, docpath }]);
    expect(errors).toEqual([
      { code: "document.not-in-library", params: { docpath: "custom-documents/nothing.json" } },
    ]);
    await ingest.until(2, id, "embedded");
    expect(textsOf((await ingest.search(2, "What is made in Freiburg?")).passages)[0]).toContain(
      "bicycle bells",
    );
    const { documents, next } = await ingest.documents(workspaceScope(2));
    expect(documents).toHaveLength(1);
    expect(next).toBeNull();
    expect(documents[0]).toMatchObject({
      docId: id,
      docpath,
      filename: file.name,
      workspaceId: 2,
      pinned: false,
      watched: false,
    });
    expect(JSON.parse(documents[0]!.metadata)).toMatchObject({ id, title: "Über uns.docx" });
    expect(await ingest.client.request(listDocumentCounts, {}, { scope: libraryScope })).toEqual({
      counts: [
        { workspaceId: 1, documents: 2, pending: 0, total: 2, failed: 0 },
        { workspaceId: 2, documents: 1, pending: 0, total: 1, failed: 0 },
      ],
    });
    // What the key can read anyway, and what it has just uploaded.
    for (const reply of [await restricted([2]), await restricted([3], true)])
      expect(reply.errors).toEqual([]);
    await ingest.change(2, [], [docpath]);
    expect((await ingest.search(2, "Freiburg")).passages).toEqual([]);
    expect(await ingest.state1(null, id)).toMatchObject({ state: "parsed" });
  });

  it("splits a long document window by window and finds its last line", async () => {
    const paragraphs = Array.from(
      { length: 6_000 },
      (_, i) =>
        `Paragraph ${i} tells about inventory item ${i * 7919} which lies on shelf ${i % 97} of the long hall.`,
    );
    const id = await ingest.upload(
      1,
      "inventory.txt",
      `${paragraphs.join("\n\n")}\n\nThe very last secret is called quicksilver.`,
    );
    await ingest.until(1, id, "searchable", "embedding", "embedded");
    const { passages } = await ingest.search(1, "What is the last secret called? quicksilver", {
      mode: "text",
    });
    expect(passages[0]!.text).toContain("quicksilver");
    const [chunks] = await ingest.sql<{ n: number; distinct: number }>(
      `SELECT count(*)::int AS n, count(DISTINCT c.ordinal)::int AS distinct
      FROM ingest.chunk c
      JOIN ingest.workspace_document w ON w.id = c.workspace_document_id
      WHERE w.document_id = $1`,
      [id],
    );
    expect(chunks!.n).toBeGreaterThan(500);
    expect(chunks!.distinct).toBe(chunks!.n);
    await ingest.client.request(
      removeWorkspaceDocument,
      { slug: "w1", documentId: id },
      { scope: workspaceScope(1) },
    );
  });

  it("lists the types it accepts", async () => {
    expect(
      (await ingest.client.request(listAcceptedTypes, {}, { scope: libraryScope })).types,
    ).toMatchObject({ "application/pdf": [".pdf"], "text/plain": expect.arrayContaining([".md"]) });
  });
});
