import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  addDocuments,
  changeSelection,
  createFolder,
  embedAgain,
  findByFileName,
  findLocalFiles,
  findUploaded,
  getLibraryDocumentText,
  leaveEmbedQueue,
  libraryChanged,
  listDocumentStatuses,
  listFolders,
  listLibrary,
  listLibraryFolder,
  moveDocuments,
  moveLibraryFiles,
  pinDocuments,
  purgeDocuments,
  readLibraryText,
  removeDocument,
  removeDocuments,
  removeFolder,
  renameFolder,
  rereadDocuments,
  searchLocalFiles,
  signOriginal,
  tagDocuments,
  takeOutDocuments,
  type Args,
  type Operation,
  type Out,
} from "@carrel/contracts";
import { eventually } from "@carrel/testing";
import {
  libraryScope,
  startTestIngest,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";

describe("the library", () => {
  let ingest: TestIngest;
  const inLibrary = <Op extends Operation>(operation: Op, input: Args<Op>): Promise<Out<Op>> =>
    ingest.client.request(operation, input, { scope: libraryScope });
  const inWorkspace = <Op extends Operation>(
    id: number,
    operation: Op,
    input: Args<Op>,
  ): Promise<Out<Op>> => ingest.client.request(operation, input, { scope: workspaceScope(id) });
  const page = async (
    filter: Args<typeof listLibrary>["filter"],
    more: Omit<Args<typeof listLibrary>, "filter"> = {},
  ) => inLibrary(listLibrary, { filter, ...more });
  const titles = async (
    filter: Args<typeof listLibrary>["filter"],
    more: Omit<Args<typeof listLibrary>, "filter"> = {},
  ) => (await page(filter, more)).documents.map((document) => document.title);
  const read = async (
    filename: string,
    content: string,
    more: Parameters<TestIngest["upload"]>[3] = {},
  ): Promise<string> => {
    const id = await ingest.upload(null, filename, content, more);
    await ingest.until(null, id, "parsed", "failed");
    return id;
  };
  const docpathOf = async (id: string): Promise<string> =>
    (
      await ingest.sql<{ docpath: string }>(`SELECT "docpath" FROM "document" WHERE "id" = $1`, [
        id,
      ])
    )[0]!.docpath;

  beforeAll(async () => {
    ingest = await startTestIngest();
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  it("creates nested folders with their parents and replies in the wire format", async () => {
    expect(await inLibrary(createFolder, { name: "Verträge/2026/Entwürfe" })).toEqual({
      success: true,
      message: null,
    });
    await expect(inLibrary(createFolder, { name: "Verträge/2026" })).rejects.toMatchObject({
      code: "CONFLICT",
      message: "Folder by that name already exists",
    });
    await expect(inLibrary(createFolder, { name: "custom-documents" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    for (const name of [
      "",
      " / ",
      "a//b",
      "../etc",
      "a/..",
      "\u202e",
      "a/b/c/d/e/f/g/h/i",
      "x".repeat(101),
      Array.from({ length: 8 }, () => "字".repeat(100)).join("/"),
    ]) {
      await expect(inLibrary(createFolder, { name })).rejects.toMatchObject({
        code: "BAD_INPUT",
        message: expect.stringMatching(/^Failed to create folder: /),
      });
    }
    const { folders } = await inLibrary(listFolders, {});
    expect(folders.map((folder) => folder.name)).toEqual([
      "custom-documents",
      "Verträge",
      "Verträge/2026",
      "Verträge/2026/Entwürfe",
    ]);
  });

  it("creates a folder once for concurrent requests", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => inLibrary(createFolder, { name: "At once" })),
    );
    expect(outcomes.filter((one) => one.status === "fulfilled")).toHaveLength(1);
    await inLibrary(removeFolder, { name: "At once" });
  });

  it("finds documents by folder, case- and accent-insensitive words, kind, tag, state and workspace, in pages", async () => {
    const contract = await read("Mietvertrag Müller.md", "# Lease\n\nThe rent is 900 a month.", {
      folder: "Verträge/2026",
    });
    await read("notes.txt", "Some notes.", { folder: "Verträge" });
    await read("table.csv", "a,b\n1,2\n", {
      metadata: { title: "Zahlen 50%_x", docAuthor: "Åsa" },
    });
    const failed = await read("broken.pdf", "%PDF-1.4 not a pdf");
    expect(await titles({ folder: "Verträge" })).toEqual(["notes.txt"]);
    expect(
      await titles({ folder: "Verträge", deep: true }, { sort: "title", descending: false }),
    ).toEqual(["Mietvertrag Müller.md", "notes.txt"]);
    expect(await titles({ search: "MULLER vertrag" })).toEqual(["Mietvertrag Müller.md"]);
    expect(await titles({ search: "asa" })).toEqual(["Zahlen 50%_x"]);
    expect(await titles({ search: "0%_" })).toEqual(["Zahlen 50%_x"]);
    expect(await titles({ search: "%" })).toEqual(["Zahlen 50%_x"]);
    expect(
      await titles({ kinds: ["markdown", "sheet"] }, { sort: "title", descending: false }),
    ).toEqual(["Mietvertrag Müller.md", "Zahlen 50%_x"]);
    const broken = (await page({ state: "failed" })).documents[0]!;
    expect(broken).toMatchObject({
      documentId: failed,
      title: "broken.pdf",
      kind: "pdf",
      state: "failed",
      reason: expect.any(String),
      workspaces: [],
    });
    expect(await page({ state: "ready" }, { limit: 1, offset: 1, sort: "bytes" })).toMatchObject({
      total: 3,
      documents: [expect.anything()],
    });
    expect(
      await inLibrary(addDocuments as Operation, {} as never).catch(
        (error: { code: string }) => error.code,
      ),
    ).toBe("BAD_INPUT");
    expect(
      await inWorkspace(1, addDocuments, { slug: "w1", selection: { documentIds: [contract] } }),
    ).toEqual({ affected: 1, skipped: 0, message: null });
    await ingest.until(1, contract, "searchable", "embedding", "embedded");
    expect(
      await titles({ state: "ready", missingIn: "w1" }, { sort: "title", descending: false }),
    ).toEqual(["notes.txt", "Zahlen 50%_x"]);
    await expect(page({ missingIn: "nobody" })).rejects.toMatchObject({
      code: "WORKSPACE_NOT_FOUND",
    });
    expect((await page({ search: "mietvertrag" })).documents[0]).toMatchObject({
      folder: "Verträge/2026",
      workspaces: [1],
      tags: [],
      hasOriginal: true,
      canWatch: false,
      source: expect.any(String),
    });
    expect(
      await inLibrary(tagDocuments, {
        selection: { filter: { folder: "Verträge", deep: true } },
        add: [" legal ", "Überblick"],
      }),
    ).toMatchObject({ affected: 2 });
    expect(
      await titles({ tags: ["legal", "Überblick"] }, { sort: "title", descending: false }),
    ).toEqual(["Mietvertrag Müller.md", "notes.txt"]);
    expect(
      await inLibrary(tagDocuments, { selection: { documentIds: [contract] }, remove: ["legal"] }),
    ).toMatchObject({ affected: 1 });
    expect(await titles({ tags: ["legal"] })).toEqual(["notes.txt"]);
    expect((await inLibrary(listFolders, {})).tags).toEqual(["legal", "Überblick"]);
    await expect(
      inLibrary(tagDocuments, { selection: { documentIds: [contract] } }),
    ).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect(
      (
        await inWorkspace(1, listDocumentStatuses, {
          slug: "w1",
          search: "MULLER",
          state: "ready",
          sort: "title",
          descending: false,
        })
      ).documents,
    ).toMatchObject([
      {
        documentId: contract,
        kind: "markdown",
        folder: "Verträge/2026",
        tags: ["Überblick"],
        watched: false,
      },
    ]);
    expect(
      (await inWorkspace(1, listDocumentStatuses, { slug: "w1", state: "pinned" })).total,
    ).toBe(0);
    // A selection made in a workspace's list stays within that workspace, even for library
    // operations.
    expect(await titles({ heldIn: "w1", state: "ready" })).toEqual(["Mietvertrag Müller.md"]);
    expect(await titles({ heldIn: "w1", state: "waiting" })).toEqual([]);
    expect(
      await inLibrary(tagDocuments, { selection: { filter: { heldIn: "w1" } }, add: ["held"] }),
    ).toMatchObject({ affected: 1 });
    expect(await titles({ tags: ["held"] })).toEqual(["Mietvertrag Müller.md"]);
    expect(
      await inLibrary(tagDocuments, { selection: { filter: { heldIn: "w1" } }, remove: ["held"] }),
    ).toMatchObject({ affected: 1 });
    const narrowed = async (narrowing: {
      kinds?: string | string[];
      tags?: string | string[];
    }): Promise<number> =>
      (await inWorkspace(1, listDocumentStatuses, { slug: "w1", ...narrowing } as never)).total;
    expect([
      await narrowed({ kinds: "markdown", tags: ["Überblick"] }),
      await narrowed({ kinds: ["pdf", "markdown"] }),
      await narrowed({ kinds: "pdf" }),
      await narrowed({ tags: ["Überblick", "legal"] }),
      await narrowed({ tags: "Überblick" }),
    ]).toEqual([1, 1, 0, 0, 1]);
  });

  it("moves documents and renames folders with their contents, keeping docpaths in sync and unique", async () => {
    const id = await read("report.txt", "A report.");
    expect(
      await inLibrary(moveDocuments, {
        selection: { documentIds: [id, "00000000-0000-4000-8000-000000000000"] },
        folder: "/Reports/Old/",
      }),
    ).toEqual({ affected: 1, skipped: 1, message: "1 document is not in the library any more." });
    expect(await docpathOf(id)).toBe(`Reports/Old/report.txt-${id}.json`);
    await expect(
      inLibrary(moveDocuments, { selection: { documentIds: [id] }, folder: ".." }),
    ).rejects.toMatchObject({ code: "BAD_INPUT" });
    await expect(
      inLibrary(renameFolder, { from: "Reports", to: "Verträge" }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(
      inLibrary(renameFolder, { from: "Reports", to: "Reports/Below" }),
    ).rejects.toMatchObject({ code: "BAD_INPUT" });
    await expect(inLibrary(renameFolder, { from: "Nothing", to: "x" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(
      inLibrary(renameFolder, { from: "custom-documents", to: "x" }),
    ).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect(await inLibrary(renameFolder, { from: "Reports", to: "Archiv/Berichte" })).toEqual({
      success: true,
    });
    expect(await docpathOf(id)).toBe(`Archiv/Berichte/Old/report.txt-${id}.json`);
    const names = (await inLibrary(listFolders, {})).folders.map((folder) => folder.name);
    expect(names).toEqual(
      expect.arrayContaining(["Archiv", "Archiv/Berichte", "Archiv/Berichte/Old"]),
    );
    expect(names.some((name) => name.startsWith("Reports"))).toBe(false);
    expect(
      (await inLibrary(findLocalFiles, { docpaths: [await docpathOf(id), "no/such.json"] }))
        .documents,
    ).toMatchObject([
      {
        name: `report.txt-${id}.json`,
        docpath: `Archiv/Berichte/Old/report.txt-${id}.json`,
        cached: false,
        pinnedWorkspaces: [],
      },
    ]);
  });

  it("moves files like existing clients do: keeps files used by a workspace and counts unknown and taken names", async () => {
    const [free, other, held] = [
      await read("free.txt", "Free."),
      await read("other.txt", "Other."),
      await ingest.upload(1, "held.txt", "Held."),
    ];
    await ingest.until(1, held, "searchable", "embedding", "embedded");
    const from = async (id: string, to: string) => ({ from: await docpathOf(id), to });
    const moved = await inLibrary(moveLibraryFiles, {
      files: [
        await from(free, "Moved/free.json"),
        await from(other, "Moved/free.json"),
        await from(held, "Moved/held.json"),
        { from: "custom-documents/none.json", to: "Moved/none.json" },
        await from(other, "../x.json"),
      ],
    });
    expect(moved).toEqual({ moved: 1, held: 1, failed: 3 });
    expect(await docpathOf(free)).toBe("Moved/free.json");
    expect(await docpathOf(other)).toMatch(/^custom-documents\//);
    expect(
      await inLibrary(moveLibraryFiles, { files: [await from(other, "Moved/free.json")] }),
    ).toEqual({ moved: 0, held: 0, failed: 1 });
    // Our own move operation makes a taken name unique instead.
    expect(
      await inLibrary(moveLibraryFiles, { files: [await from(other, "Elsewhere/free.json")] }),
    ).toMatchObject({ moved: 1 });
    expect(
      await inLibrary(moveDocuments, {
        selection: { documentIds: [other, held] },
        folder: "Moved",
      }),
    ).toMatchObject({ affected: 2, skipped: 0 });
    expect([await docpathOf(other), await docpathOf(held)]).toEqual([
      `Moved/free-${other}.json`,
      `Moved/held.txt-${held}.json`,
    ]);
  });

  it("searches names and texts for existing clients and signs originals", async () => {
    const id = await read(
      "astronomy.txt",
      "The barycentre of Pluto and Charon lies outside of both.",
    );
    expect((await inLibrary(searchLocalFiles, { q: "ASTRONOMY" })).results).toMatchObject([
      { name: "custom-documents", type: "folder", items: [{ id, type: "file" }] },
    ]);
    expect(
      (await inLibrary(searchLocalFiles, { q: "Barycentre of pluto" })).results[0]!.items,
    ).toHaveLength(1);
    expect(await inLibrary(searchLocalFiles, { q: "100%_" })).toEqual({ results: [] });
    expect(await inLibrary(searchLocalFiles, { q: " " })).toEqual({ results: [] });
    expect((await inLibrary(signOriginal, { documentId: id })).url).toMatch(
      /^\/api\/blob\/[\w-]+\.[\w-]+$/,
    );
    await expect(
      inLibrary(signOriginal, { documentId: "00000000-0000-4000-8000-000000000000" }),
    ).rejects.toMatchObject({ code: "DOCUMENT_NOT_FOUND" });
    // A range can be read even if no workspace contains the document; source code comes with line
    // numbers.
    expect(
      await inLibrary(getLibraryDocumentText, { documentId: id, start: 4, end: 14 }),
    ).toMatchObject({
      text: expect.stringMatching(/^.{10}$/),
      start: 4,
      end: 14,
      lines: null,
      originalUrl: expect.stringMatching(/^\/api\/blob\//),
    });
    await expect(
      inLibrary(getLibraryDocumentText, { documentId: "00000000-0000-4000-8000-000000000000" }),
    ).rejects.toMatchObject({ code: "DOCUMENT_NOT_FOUND" });
    const code = await read(
      "tariff.ts",
      "const day = 1;\nconst night = 2;\n\nexport const sum = day + night;\n",
    );
    expect(
      await inLibrary(getLibraryDocumentText, { documentId: code, markStart: 15, markEnd: 50 }),
    ).toMatchObject({ lines: { first: 2, last: 4 }, page: null });
    expect((await inLibrary(getLibraryDocumentText, { documentId: code })).lines).toBeNull();
  });

  it("adds, pins, re-embeds and removes what a filter finds in the workspace", async () => {
    const ids = await Promise.all(
      ["alpha", "beta", "gamma"].map((name) =>
        read(`${name}.txt`, `The ${name} particle decays slowly.`, { folder: "Physics" }),
      ),
    );
    const selection = { filter: { folder: "Physics", deep: true } };
    expect(
      await inWorkspace(2, addDocuments, {
        slug: "w2",
        selection: { filter: { ...selection.filter, missingIn: "w2" } },
      }),
    ).toEqual({ affected: 3, skipped: 0, message: null });
    for (const id of ids) await ingest.until(2, id, "embedded");
    expect(
      await inWorkspace(2, addDocuments, { slug: "w2", selection: { documentIds: ids } }),
    ).toMatchObject({
      affected: 0,
      skipped: 3,
      message: expect.stringContaining("in the workspace already"),
    });
    // The selection never reaches another workspace's documents.
    expect(await inWorkspace(1, pinDocuments, { slug: "w1", selection, pinned: true })).toEqual({
      affected: 0,
      skipped: 0,
      message: null,
    });
    expect(
      await inWorkspace(2, pinDocuments, { slug: "w2", selection, pinned: true }),
    ).toMatchObject({ affected: 3 });
    expect(
      (await inWorkspace(2, listDocumentStatuses, { slug: "w2", state: "pinned" })).total,
    ).toBe(3);
    expect(
      await inWorkspace(2, embedAgain, { slug: "w2", selection: { documentIds: [ids[0]!] } }),
    ).toMatchObject({ affected: 1 });
    expect(
      (await ingest.search(2, "Which alpha particle decays?")).passages.map(
        (passage) => passage.documentId,
      ),
    ).toContain(ids[0]);
    await ingest.until(2, ids[0]!, "embedded");
    expect(
      await inWorkspace(2, takeOutDocuments, {
        slug: "w2",
        selection: { filter: { search: "alpha" } },
      }),
    ).toMatchObject({ affected: 1, skipped: 0 });
    expect(
      (await ingest.search(2, "Which alpha particle decays?")).passages.map(
        (passage) => passage.documentId,
      ),
    ).not.toContain(ids[0]);
    expect(await ingest.state1(2, ids[0]!)).toBeNull();
    expect(await ingest.state1(null, ids[0]!)).toMatchObject({ state: "parsed" });
  });

  it("purges immediately from the library, workspaces and search", async () => {
    const id = await ingest.upload(1, "secret.txt", "The zanzibar protocol is confidential.", {
      folder: "Secret/Deep",
    });
    await ingest.until(1, id, "embedded");
    const location = await docpathOf(id);
    expect(
      await inLibrary(purgeDocuments, { selection: { filter: { folder: "Secret", deep: true } } }),
    ).toEqual({ affected: 1, skipped: 0, message: null });
    expect((await ingest.search(1, "zanzibar protocol")).passages).toEqual([]);
    expect(await page({ search: "secret" })).toEqual({ documents: [], total: 0 });
    expect((await inLibrary(findLocalFiles, { docpaths: [location] })).documents).toEqual([]);
    expect(ingest.frames).toContainEqual({
      type: "document_removed",
      documentId: id,
      docpath: null,
    });
    await eventually(async () => {
      expect(
        await ingest.sql(
          `SELECT 1 FROM "chunk" c WHERE NOT EXISTS (SELECT 1 FROM "workspace_document" w WHERE w."id" = c."workspace_document_id")`,
        ),
      ).toEqual([]);
    });
    expect(await inLibrary(purgeDocuments, { selection: { documentIds: [id] } })).toEqual({
      affected: 0,
      skipped: 1,
      message: "1 document is not in the library any more.",
    });
  });

  it("removes by docpath and folder as on the wire, ignoring unknown names and the uploads folder", async () => {
    const [one, two, three] = [
      await read("one.txt", "One.", { folder: "Gone" }),
      await read("two.txt", "Two.", { folder: "Gone/Below" }),
      await read("three.txt", "Three."),
    ];
    await inLibrary(removeDocument, { name: await docpathOf(three) });
    await inLibrary(removeDocument, { name: "no/such.json" });
    await inLibrary(removeDocuments, { names: ["no/such.json", "../../etc/passwd"] });
    await inLibrary(removeFolder, { name: "custom-documents" });
    await inLibrary(removeFolder, { name: "No such" });
    await inLibrary(removeFolder, { name: "Gone" });
    for (const id of [one, two, three]) expect(await ingest.state1(null, id)).toBeNull();
    expect((await page({ folder: "custom-documents" })).total).toBeGreaterThan(0);
    expect(
      (await inLibrary(listFolders, {})).folders.some((folder) => folder.name.startsWith("Gone")),
    ).toBe(false);
  });

  it("reads the whole tree, uploads first, including empty folders", async () => {
    await inLibrary(createFolder, { name: "Aaa empty" });
    await read("in a folder.txt", "Something.", { folder: "Zzz" });
    const tree = await ingest.tree();
    const folders = tree.map((folder) => folder.name);
    expect(folders).toEqual([
      "custom-documents",
      ...folders.filter((folder) => folder !== "custom-documents").toSorted(),
    ]);
    expect(folders).toEqual(expect.arrayContaining(["Aaa empty", "Archiv/Berichte/Old", "Zzz"]));
    // Each folder and each parsed document appears exactly once.
    expect(new Set(folders).size).toBe(folders.length);
    const ids = tree.flatMap((folder) => folder.items.map((file) => file.id));
    expect(ids.toSorted()).toEqual(
      (
        await ingest.sql<{ id: string }>(
          `SELECT "id" FROM "document" WHERE "state" = 'parsed' AND "in_library" ORDER BY "id"`,
        )
      ).map((row) => row.id),
    );
    for (const { items } of tree)
      expect(items.map((file) => file.name)).toEqual(
        items
          .map((file) => file.name)
          .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      );
    expect(
      await inLibrary(listLibraryFolder, { folder: "Aaa empty", offset: 0, limit: 10 }),
    ).toEqual({ files: [], total: 0, exists: true });
    expect(
      await inLibrary(listLibraryFolder, { folder: "None", offset: 0, limit: 10 }),
    ).toMatchObject({ exists: false });
  });

  it("returns uploads with their texts, sheet by sheet, and finds one by its file name", async () => {
    const long = `${"A long text with a smile \u{1f600}. ".repeat(6_000)}The end.`;
    const id = await read("long.txt", long, {
      prefix: "raw-",
      metadata: { published: "1/1/2026" },
    });
    const { documents, next } = await inLibrary(findUploaded, { documentId: id });
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
      const part: Out<typeof readLibraryText> = await inLibrary(readLibraryText, {
        documentId: id,
        start,
      });
      text += part.text;
      start = part.next;
    }
    expect(text.trim()).toBe(long.trim());
    expect(
      (await inLibrary(findByFileName, { name: `raw-long-${id}.json` })).document,
    ).toMatchObject({ id });
    expect((await inLibrary(findByFileName, { name: "none.json" })).document).toBeNull();
    const sheet = await read("two.csv", "a,b\n1,2\n");
    await ingest.sql(`UPDATE "document" SET "upload_id" = $1 WHERE "id" = ANY($2::uuid[])`, [
      sheet,
      [sheet, id],
    ]);
    expect(
      (await inLibrary(findUploaded, { documentId: sheet })).documents.map(
        (document) => document.id,
      ),
    ).toEqual([sheet, id]);
    expect(
      await inLibrary(readLibraryText, {
        documentId: "00000000-0000-4000-8000-000000000000",
        start: 0,
      }),
    ).toEqual({ text: "", next: null });
  });

  it("removes only waiting documents from the queue", async () => {
    const id = await read("waits.txt", "It waits.");
    await ingest.sql(
      `INSERT INTO "workspace_document" ("workspace_id", "document_id", "state", "last_updated_at") VALUES (1, $1, 'queued', now() + interval '1 hour')`,
      [id],
    );
    expect(
      await inWorkspace(1, leaveEmbedQueue, { slug: "w1", filename: await docpathOf(id) }),
    ).toEqual({ success: true });
    expect(await ingest.state1(1, id)).toBeNull();
    expect(
      await inWorkspace(1, leaveEmbedQueue, { slug: "w1", filename: await docpathOf(id) }),
    ).toEqual({ success: false });
    await expect(inWorkspace(1, leaveEmbedQueue, { slug: "w1" })).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: "Missing filename",
    });
  });

  it("re-reads failed documents whose originals are kept", async () => {
    const id = await read("again.txt", "It can be read.");
    await ingest.sql(
      `UPDATE "document" SET "state" = 'failed', "reason" = 'A processing error occurred.' WHERE "id" = $1`,
      [id],
    );
    const broken = await read("broken-again.pdf", "%PDF-1.4 no");
    expect(
      await inLibrary(rereadDocuments, { selection: { documentIds: [id, broken] } }),
    ).toMatchObject({ affected: 1, skipped: 1 });
    await ingest.until(null, id, "parsed");
  });

  it("resumes a change whose process was killed and changes only the selected documents", async () => {
    await ingest.sql(`INSERT INTO "document" ("id", "docpath", "folder", "filename", "title", "url", "doc_author", "description", "doc_source", "chunk_source", "published", "mime", "bytes", "sha256", "state")
      SELECT gen_random_uuid(), 'Bulk/' || n || '.json', 'Bulk', n || '.txt', n || '.txt', '', '', '', '', '', '', 'text/plain', 1, '', 'parsed' FROM generate_series(1, 1200) n`);
    const notices: unknown[] = [];
    const stop = ingest.shared.messaging.broadcast.on(`event:${libraryChanged.name}`, (payload) =>
      notices.push(payload),
    );
    // A change left behind by a process that died right after recording it.
    const [{ n } = { n: 0 }] = await ingest.sql<{
      n: number;
    }>(`WITH "change" AS (INSERT INTO "library_change" ("id", "change", "lease_until") VALUES ('11111111-1111-4111-8111-111111111111', '{"kind":"move","folder":"Bulk moved"}', now() - interval '1 second')),
        "noted" AS (INSERT INTO "library_change_item" SELECT '11111111-1111-4111-8111-111111111111', "id" FROM "document" WHERE "folder" = 'Bulk' AND "docpath" < 'Bulk/9' RETURNING 1) SELECT count(*)::int AS "n" FROM "noted"`);
    await eventually(
      async () => {
        expect((await page({ folder: "Bulk moved" })).total).toBe(n);
      },
      { timeoutMs: 60_000 },
    );
    expect((await page({ folder: "Bulk" })).total).toBe(1200 - n);
    await eventually(async () => {
      expect(await ingest.sql(`SELECT 1 FROM "library_change"`)).toEqual([]);
    });
    await eventually(() => {
      expect(notices.length).toBeGreaterThan(0);
      return Promise.resolve();
    });
    stop();
    expect(changeSelection.name).toBe("library.change");
    expect(
      await inLibrary(purgeDocuments, {
        selection: { filter: { search: "txt", folder: "Bulk moved" } },
      }),
    ).toMatchObject({ affected: n });
    await eventually(
      async () => {
        expect((await page({ folder: "Bulk moved" })).total).toBe(0);
      },
      { timeoutMs: 60_000 },
    );
  });
});
