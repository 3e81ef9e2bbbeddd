import {
  findByFileName,
  findUploaded,
  listDocumentStatuses,
  listLibraryFolder,
  readLibraryText,
  writeCursor,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
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
    await ingest.sql(`UPDATE ingest.document SET upload_id = $1 WHERE id = ANY($2::uuid[])`, [
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

  it("shows a key that is restricted to workspaces only the documents in them", async () => {
    const ids = await Promise.all(
      [31, 32].map((workspaceId) => ingest.upload(workspaceId, "of.txt", `Of ${workspaceId}.`)),
    );
    await library.add("of nobody.txt", "Of nobody.", { folder: "Hidden" });
    await poll(() =>
      ingest.sql(`SELECT FROM ingest.document WHERE id = ANY($1::uuid[]) AND state <> 'parsed'`, [
        ids,
      ]),
    ).toEqual([]);
    // Both are in workspace 32, where one is pinned; they have the same name in other folders.
    await ingest.sql(
      `INSERT INTO ingest.workspace_document (workspace_id, document_id, pinned, state)
      VALUES (32, $1, true, 'searchable')`,
      [ids[0]],
    );
    await ingest.sql(
      `UPDATE ingest.document SET folder = 'Part ' || n, docpath = 'Part ' || n || '/same.json'
      FROM unnest($1::uuid[]) WITH ORDINALITY AS part(part_id, n) WHERE id = part_id`,
      [ids],
    );
    const scopeOf = (workspaceIds: number[]): Scope => ({
      principal: { kind: "key", userId: null, role: "admin", scopes: ["read"], workspaceIds },
      workspace: null,
    });
    const see = async (workspaceId: number) => {
      const scope = scopeOf([workspaceId]);
      const [tree, folder, named] = await Promise.all([
        ingest.tree(scope),
        ingest.client.request(
          listLibraryFolder,
          { folder: "Part 2", offset: 0, limit: 10 },
          { scope },
        ),
        ingest.client.request(findByFileName, { name: "same.json" }, { scope }),
      ]);
      const parts = tree.filter(({ name }) => name !== "custom-documents");
      return {
        folders: parts.map(({ name }) => name),
        pinned: parts[0]!.items.map(({ pinnedWorkspaces }) => pinnedWorkspaces),
        part2: [folder.total, folder.files.length, folder.exists],
        named: named.document.id,
      };
    };
    const [first, second] = ids;
    expect(await see(31)).toEqual({
      folders: ["Part 1"],
      pinned: [[]],
      part2: [0, 0, false],
      named: first,
    });
    expect(await see(32)).toMatchObject({
      folders: ["Part 1", "Part 2"],
      pinned: [[32]],
      part2: [1, 1, true],
    });
    await ingest.sql(`DELETE FROM ingest.workspace_document WHERE document_id = $1 AND pinned`, [
      first,
    ]);
    expect(await see(32)).toMatchObject({ folders: ["Part 2"], named: second });
    expect((await ingest.tree(scopeOf([]))).flatMap(({ items }) => items)).toEqual([]);
  });

  it("pages by cursor in every order, whatever is added meanwhile", async () => {
    const ids = await Promise.all(
      [1, 2, 3, 4].map((n) => ingest.upload(41, "Same name.txt", `Same ${n % 2}.`)),
    );
    await poll(() =>
      ingest.sql("SELECT FROM ingest.document WHERE state IN ('queued', 'parsing')"),
    ).toEqual([]);
    type Asked = { sort: "added" | "title" | "bytes"; descending: boolean; cursor?: string };
    const lists = [
      (asked: Asked) => library.page({}, { ...asked, limit: 2 }),
      (asked: Asked) =>
        library.requestIn(41, listDocumentStatuses, { slug: "w41", ...asked, limit: 2 }),
    ];
    for (const list of lists)
      for (const sort of ["added", "title", "bytes"] as const)
        for (const descending of [true, false]) {
          const asked = { sort, descending };
          const found: string[] = [];
          let page = await list(asked);
          const { total } = page;
          for (;;) {
            found.push(...page.documents.map(({ documentId }) => documentId));
            if (page.nextCursor === null) break;
            page = await list({ ...asked, cursor: page.nextCursor });
          }
          expect({ ...asked, found: new Set(found).size }).toEqual({ ...asked, found: total });
          expect(found).toHaveLength(total);
          expect(ids.every((id) => found.includes(id))).toBe(true);
        }
    const first = await library.page({}, { limit: 2 });
    await library.add("meanwhile.txt", "Added meanwhile.");
    const [rest, byOffset] = [
      await library.page({}, { limit: 2, cursor: first.nextCursor! }),
      await library.page({}, { limit: 2, offset: 3 }),
    ];
    expect(rest.documents).toEqual(byOffset.documents);
    for (const list of lists)
      for (const cursor of [first.nextCursor!, writeCursor(["title", true, "\0", 1])])
        await expect(list({ sort: "title", descending: true, cursor })).rejects.toMatchObject({
          code: "request.cursor-invalid",
        });
  });
});
