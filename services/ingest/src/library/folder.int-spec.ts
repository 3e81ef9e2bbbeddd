import {
  createFolder,
  findLocalFiles,
  listFolders,
  moveDocuments,
  moveLibraryFiles,
  removeFolder,
  renameFolder,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { LibraryClient } from "../../test/library-client.ts";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

describe("folders of the library", () => {
  let ingest: TestIngest;
  let library: LibraryClient;

  beforeAll(async () => {
    ingest = await startTestIngest();
    library = new LibraryClient(ingest);
  });
  afterAll(async () => {
    await ingest?.stop();
  });

  it("creates nested folders with their parents and replies in the wire format", async () => {
    expect(await library.request(createFolder, { name: "Verträge/2026/Entwürfe" })).toEqual({
      success: true,
      message: null,
    });
    await expect(library.request(createFolder, { name: "Verträge/2026" })).rejects.toMatchObject({
      kind: "CONFLICT",
      message: "Folder by that name already exists",
    });
    await expect(library.request(createFolder, { name: "custom-documents" })).rejects.toMatchObject(
      {
        kind: "CONFLICT",
      },
    );
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
      await expect(library.request(createFolder, { name })).rejects.toMatchObject({
        kind: "BAD_INPUT",
        code: expect.stringMatching(/^folder\./),
      });
    }
    const { folders } = await library.request(listFolders, {});
    expect(folders.map((folder) => folder.name)).toEqual([
      "custom-documents",
      "Verträge",
      "Verträge/2026",
      "Verträge/2026/Entwürfe",
    ]);
  });

  it("creates a folder once for concurrent requests", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => library.request(createFolder, { name: "At once" })),
    );
    expect(outcomes.filter((one) => one.status === "fulfilled")).toHaveLength(1);
    await library.request(removeFolder, { name: "At once" });
  });

  it("moves documents and renames folders with their contents, keeping docpaths in sync and unique", async () => {
    const id = await library.add("report.txt", "A report.");
    expect(
      await library.request(moveDocuments, {
        selection: { documentIds: [id, "00000000-0000-4000-8000-000000000000"] },
        folder: "/Reports/Old/",
      }),
    ).toEqual({ affected: 1, skipped: 1 });
    expect(await library.docpathOf(id)).toBe(`Reports/Old/report.txt-${id}.json`);
    await expect(
      library.request(moveDocuments, { selection: { documentIds: [id] }, folder: ".." }),
    ).rejects.toMatchObject({ kind: "BAD_INPUT" });
    await expect(
      library.request(renameFolder, { from: "Reports", to: "Verträge" }),
    ).rejects.toMatchObject({ kind: "CONFLICT" });
    await expect(
      library.request(renameFolder, { from: "Reports", to: "Reports/Below" }),
    ).rejects.toMatchObject({ kind: "BAD_INPUT" });
    await expect(library.request(renameFolder, { from: "Nothing", to: "x" })).rejects.toMatchObject(
      {
        kind: "NOT_FOUND",
      },
    );
    await expect(
      library.request(renameFolder, { from: "custom-documents", to: "x" }),
    ).rejects.toMatchObject({ kind: "BAD_INPUT" });
    expect(await library.request(renameFolder, { from: "Reports", to: "Archiv/Berichte" })).toEqual(
      {
        success: true,
      },
    );
    expect(await library.docpathOf(id)).toBe(`Archiv/Berichte/Old/report.txt-${id}.json`);
    const names = (await library.request(listFolders, {})).folders.map((folder) => folder.name);
    expect(names).toEqual(
      expect.arrayContaining(["Archiv", "Archiv/Berichte", "Archiv/Berichte/Old"]),
    );
    expect(names.some((name) => name.startsWith("Reports"))).toBe(false);
    expect(
      (
        await library.request(findLocalFiles, {
          docpaths: [await library.docpathOf(id), "no/such.json"],
        })
      ).documents,
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
      await library.add("free.txt", "Free."),
      await library.add("other.txt", "Other."),
      await ingest.upload(1, "held.txt", "Held."),
    ];
    await ingest.until(1, held, "searchable", "embedding", "embedded");
    const from = async (id: string, to: string) => ({ from: await library.docpathOf(id), to });
    const moved = await library.request(moveLibraryFiles, {
      files: [
        await from(free, "Moved/free.json"),
        await from(other, "Moved/free.json"),
        await from(held, "Moved/held.json"),
        { from: "custom-documents/none.json", to: "Moved/none.json" },
        await from(other, "../x.json"),
      ],
    });
    expect(moved).toEqual({ moved: 1, held: 1, failed: 3 });
    expect(await library.docpathOf(free)).toBe("Moved/free.json");
    expect(await library.docpathOf(other)).toMatch(/^custom-documents\//);
    expect(
      await library.request(moveLibraryFiles, { files: [await from(other, "Moved/free.json")] }),
    ).toEqual({ moved: 0, held: 0, failed: 1 });
    // Our own move operation makes a taken name unique instead.
    expect(
      await library.request(moveLibraryFiles, {
        files: [await from(other, "Elsewhere/free.json")],
      }),
    ).toMatchObject({ moved: 1 });
    expect(
      await library.request(moveDocuments, {
        selection: { documentIds: [other, held] },
        folder: "Moved",
      }),
    ).toMatchObject({ affected: 2, skipped: 0 });
    expect([await library.docpathOf(other), await library.docpathOf(held)]).toEqual([
      `Moved/free-${other}.json`,
      `Moved/held.txt-${held}.json`,
    ]);
  });
});
