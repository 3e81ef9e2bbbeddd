import {
  addDocuments,
  createFolder,
  getLibraryDocumentText,
  listDocumentStatuses,
  listFolders,
  listLibraryFolder,
  searchLocalFiles,
  signOriginal,
  tagDocuments,
  type Operation,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { LibraryClient } from "../../test/library-client.ts";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

describe("the library", () => {
  let ingest: TestIngest;
  let library: LibraryClient;

  beforeAll(async () => {
    ingest = await startTestIngest();
    library = new LibraryClient(ingest);
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  it("finds documents by folder, case- and accent-insensitive words, kind, tag, state and workspace, in pages", async () => {
    const contract = await library.add(
      "Mietvertrag Müller.md",
      "# Lease\n\nThe rent is 900 a month.",
      {
        folder: "Verträge/2026",
      },
    );
    await library.add("notes.txt", "Some notes.", { folder: "Verträge" });
    await library.add("table.csv", "a,b\n1,2\n", {
      metadata: { title: "Zahlen 50%_x", docAuthor: "Åsa" },
    });
    const failed = await library.add("broken.pdf", "%PDF-1.4 not a pdf");
    expect(await library.titles({ folder: "Verträge" })).toEqual(["notes.txt"]);
    expect(
      await library.titles(
        { folder: "Verträge", deep: true },
        { sort: "title", descending: false },
      ),
    ).toEqual(["Mietvertrag Müller.md", "notes.txt"]);
    expect(await library.titles({ search: "MULLER vertrag" })).toEqual(["Mietvertrag Müller.md"]);
    expect(await library.titles({ search: "asa" })).toEqual(["Zahlen 50%_x"]);
    expect(await library.titles({ search: "0%_" })).toEqual(["Zahlen 50%_x"]);
    expect(await library.titles({ search: "%" })).toEqual(["Zahlen 50%_x"]);
    expect(
      await library.titles({ kinds: ["markdown", "sheet"] }, { sort: "title", descending: false }),
    ).toEqual(["Mietvertrag Müller.md", "Zahlen 50%_x"]);
    const broken = (await library.page({ state: "failed" })).documents[0]!;
    expect(broken).toMatchObject({
      documentId: failed,
      title: "broken.pdf",
      kind: "pdf",
      state: "failed",
      reason: { code: "file.damaged", params: { what: { code: "file-kind.pdf" } } },
      workspaces: [],
    });
    // A replica of a version before reasons had codes still writes them as text.
    await ingest.sql("UPDATE ingest.document SET reason = $2 WHERE id = $1", [
      failed,
      "The PDF is damaged.",
    ]);
    expect((await library.page({ state: "failed" })).documents[0]!.reason).toBe(
      "The PDF is damaged.",
    );
    expect(
      await library.page({ state: "ready" }, { limit: 1, offset: 1, sort: "bytes" }),
    ).toMatchObject({
      total: 3,
      documents: [expect.anything()],
    });
    expect(
      await library
        .request(addDocuments as Operation, {} as never)
        .catch((error: { kind: string }) => error.kind),
    ).toBe("BAD_INPUT");
    expect(
      await library.requestIn(1, addDocuments, {
        slug: "w1",
        selection: { documentIds: [contract] },
      }),
    ).toEqual({ affected: 1, skipped: 0 });
    await ingest.until(1, contract, "searchable", "embedding", "embedded");
    expect(
      await library.titles(
        { state: "ready", missingIn: "w1" },
        { sort: "title", descending: false },
      ),
    ).toEqual(["notes.txt", "Zahlen 50%_x"]);
    await expect(library.page({ missingIn: "nobody" })).rejects.toMatchObject({
      kind: "WORKSPACE_NOT_FOUND",
    });
    expect((await library.page({ search: "mietvertrag" })).documents[0]).toMatchObject({
      folder: "Verträge/2026",
      workspaces: [1],
      tags: [],
      hasOriginal: true,
      canWatch: false,
      source: expect.any(String),
    });
    expect(
      await library.request(tagDocuments, {
        selection: { filter: { folder: "Verträge", deep: true } },
        add: [" legal ", "Überblick"],
      }),
    ).toMatchObject({ affected: 2 });
    expect(
      await library.titles({ tags: ["legal", "Überblick"] }, { sort: "title", descending: false }),
    ).toEqual(["Mietvertrag Müller.md", "notes.txt"]);
    expect(
      await library.request(tagDocuments, {
        selection: { documentIds: [contract] },
        remove: ["legal"],
      }),
    ).toMatchObject({ affected: 1 });
    expect(await library.titles({ tags: ["legal"] })).toEqual(["notes.txt"]);
    expect((await library.request(listFolders, {})).tags).toEqual(["legal", "Überblick"]);
    await expect(
      library.request(tagDocuments, { selection: { documentIds: [contract] } }),
    ).rejects.toMatchObject({ kind: "BAD_INPUT" });
    expect(
      (
        await library.requestIn(1, listDocumentStatuses, {
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
      (await library.requestIn(1, listDocumentStatuses, { slug: "w1", state: "pinned" })).total,
    ).toBe(0);
    // A selection made in a workspace's list stays within that workspace, even for library
    // operations.
    expect(await library.titles({ heldIn: "w1", state: "ready" })).toEqual([
      "Mietvertrag Müller.md",
    ]);
    expect(await library.titles({ heldIn: "w1", state: "waiting" })).toEqual([]);
    expect(
      await library.request(tagDocuments, {
        selection: { filter: { heldIn: "w1" } },
        add: ["held"],
      }),
    ).toMatchObject({ affected: 1 });
    expect(await library.titles({ tags: ["held"] })).toEqual(["Mietvertrag Müller.md"]);
    expect(
      await library.request(tagDocuments, {
        selection: { filter: { heldIn: "w1" } },
        remove: ["held"],
      }),
    ).toMatchObject({ affected: 1 });
    const narrowed = async (narrowing: {
      kinds?: string | string[];
      tags?: string | string[];
    }): Promise<number> =>
      (await library.requestIn(1, listDocumentStatuses, { slug: "w1", ...narrowing } as never))
        .total;
    expect([
      await narrowed({ kinds: "markdown", tags: ["Überblick"] }),
      await narrowed({ kinds: ["pdf", "markdown"] }),
      await narrowed({ kinds: "pdf" }),
      await narrowed({ tags: ["Überblick", "legal"] }),
      await narrowed({ tags: "Überblick" }),
    ]).toEqual([1, 1, 0, 0, 1]);
  });

  it("searches names and texts for existing clients and signs originals", async () => {
    const id = await library.add(
      "astronomy.txt",
      "The barycentre of Pluto and Charon lies outside of both.",
    );
    expect((await library.request(searchLocalFiles, { q: "ASTRONOMY" })).results).toMatchObject([
      { name: "custom-documents", type: "folder", items: [{ id, type: "file" }] },
    ]);
    expect(
      (await library.request(searchLocalFiles, { q: "Barycentre of pluto" })).results[0]!.items,
    ).toHaveLength(1);
    expect(await library.request(searchLocalFiles, { q: "100%_" })).toEqual({ results: [] });
    expect(await library.request(searchLocalFiles, { q: " " })).toEqual({ results: [] });
    expect((await library.request(signOriginal, { documentId: id })).url).toMatch(
      /^\/api\/blob\/[\w-]+\.[\w-]+$/,
    );
    await expect(
      library.request(signOriginal, { documentId: "00000000-0000-4000-8000-000000000000" }),
    ).rejects.toMatchObject({ kind: "DOCUMENT_NOT_FOUND" });
    // A range can be read even if no workspace contains the document; source code comes with line
    // numbers.
    expect(
      await library.request(getLibraryDocumentText, { documentId: id, start: 4, end: 14 }),
    ).toMatchObject({
      text: expect.stringMatching(/^.{10}$/),
      start: 4,
      end: 14,
      lines: null,
      originalUrl: expect.stringMatching(/^\/api\/blob\//),
    });
    await expect(
      library.request(getLibraryDocumentText, {
        documentId: "00000000-0000-4000-8000-000000000000",
      }),
    ).rejects.toMatchObject({ kind: "DOCUMENT_NOT_FOUND" });
    const code = await library.add(
      "tariff.ts",
      "const day = 1;\nconst night = 2;\n\nexport const sum = day + night;\n",
    );
    expect(
      await library.request(getLibraryDocumentText, {
        documentId: code,
        markStart: 15,
        markEnd: 50,
      }),
    ).toMatchObject({ lines: { first: 2, last: 4 }, page: null });
    expect((await library.request(getLibraryDocumentText, { documentId: code })).lines).toBeNull();
  });

  it("reads the whole tree, uploads first, including empty folders", async () => {
    await library.request(createFolder, { name: "Archiv/Berichte/Old" });
    await library.request(createFolder, { name: "Aaa empty" });
    await library.add("in a folder.txt", "Something.", { folder: "Zzz" });
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
          `SELECT id FROM ingest.document WHERE state = 'parsed' AND in_library ORDER BY id`,
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
      await library.request(listLibraryFolder, { folder: "Aaa empty", offset: 0, limit: 10 }),
    ).toEqual({ files: [], total: 0, exists: true });
    expect(
      await library.request(listLibraryFolder, { folder: "None", offset: 0, limit: 10 }),
    ).toMatchObject({ exists: false });
  });
});
