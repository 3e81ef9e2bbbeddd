import {
  changeWorkspaceDocuments,
  getDocumentText,
  removeWorkspaceDocument,
  searchDocumentTexts,
  type DocumentHit,
  type Principal,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  libraryScope,
  startTestIngest,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";

let ingest: TestIngest;
const member: Principal = { kind: "user", userId: 7, role: "default" };
const sentence = "The flow temperature of the heat pump is 48 degrees.";
const report = [
  "# House\n\nThe house was built in 1961 and has nine rooms.",
  `## Heating\n\nIt was rebuilt last year. ${sentence} The boiler remains in the cellar.`,
  `## Garden\n\n${"There are trees, and a pond with fish. ".repeat(40)}`,
].join("\n\n");
let id: string;

beforeAll(async () => {
  ingest = await startTestIngest({ embedder: false });
  ingest.state.members = new Map([[7, [2]]]);
  id = await ingest.upload(1, "report.md", report);
  await ingest.until(1, id, "searchable");
});
afterAll(() => ingest?.stop());

const search = async (
  searchTerm: string,
  principal: Principal = libraryScope.principal,
  preferred?: string,
): Promise<DocumentHit[]> =>
  (
    await ingest.client.request(
      searchDocumentTexts,
      { searchTerm, ...(preferred !== undefined && { preferred }) },
      { scope: { principal, workspace: null } },
    )
  ).hits;

describe("searching inside documents", () => {
  it("finds the sentence with document, workspace, heading and place, and marks it", async () => {
    const [hit, ...others] = await search("flow temperature of the heat pump");
    expect(others).toEqual([]);
    expect(hit).toMatchObject({
      documentId: id,
      title: "report.md",
      workspace: { slug: "w1", name: "w1" },
      page: null,
      excerpt: sentence,
    });
    expect(hit!.headingPath.at(-1)).toBe("Heating");
    const { text } = await ingest.client.request(
      getDocumentText,
      { slug: "w1", documentId: id, start: hit!.start, end: hit!.end },
      { scope: workspaceScope(1) },
    );
    expect(text).toBe(sentence);
    expect(
      hit!.matches.map(({ start, end }) => text.slice(start - hit!.start, end - hit!.start)),
    ).toEqual(["flow temperature of the heat pump"]);
  });

  it("needs all of two words, most of more, and at least three characters", async () => {
    expect(await search("heat volcano")).toEqual([]);
    expect(await search("flow temperature of the heat volcano")).toHaveLength(1);
    expect(await search("volcano eruption of the heat pump")).toEqual([]);
    expect(await search("FLÓW TEMPERATUR")).toHaveLength(1);
    for (const nothing of ["", "  ", "of", "?!…", "' OR 1=1 --", "\\"])
      expect(await search(nothing)).toEqual([]);
  });

  it("finds nothing in workspaces the caller may not use, and names one of those it may", async () => {
    const manager: Principal = { kind: "user", userId: 8, role: "manager" };
    expect(await search("flow temperature", manager)).toHaveLength(1);
    expect(await search("flow temperature", member)).toEqual([]);
    const { docpath } = (
      await ingest.sql<{ docpath: string }>(`SELECT docpath FROM ingest.document WHERE id = $1`, [
        id,
      ])
    )[0]!;
    await ingest.client.request(
      changeWorkspaceDocuments,
      { adds: [docpath], deletes: [] },
      { scope: workspaceScope(2) },
    );
    await ingest.until(2, id, "searchable");
    const slugs = async (...search_: Parameters<typeof search>): Promise<string[]> =>
      (await search(...search_)).map(({ workspace }) => workspace.slug);
    expect(await slugs("flow temperature", member)).toEqual(["w2"]);
    expect(await slugs("flow temperature", member, "w1")).toEqual(["w2"]);
    expect(await slugs("flow temperature", manager, "w2")).toEqual(["w2"]);
    expect(await slugs("flow temperature", manager, "w1")).toEqual(["w1"]);
    ingest.state.members = new Map();
    expect(await search("flow temperature", member)).toEqual([]);
  });

  it("finds no text of a removed document, whatever the index still holds", async () => {
    const removed = await ingest.upload(1, "gone.txt", "The zeppelin hangar burnt down in 1930.");
    await ingest.until(1, removed, "searchable");
    expect(await search("zeppelin hangar")).toHaveLength(1);
    await ingest.client.request(
      removeWorkspaceDocument,
      { slug: "w1", documentId: removed },
      { scope: workspaceScope(1) },
    );
    await poll(() => search("zeppelin hangar")).toEqual([]);
  });

  it("names the page of the words, not of the chunk that begins on the one before", async () => {
    await ingest.sql(
      `INSERT INTO ingest.document_page (document_id, page, start, "end", width, height, runs)
      VALUES ($1, 1, 0, 90, 595, 842, ''), ($1, 2, 90, 5000, 595, 842, '')`,
      [id],
    );
    expect(report.indexOf(sentence)).toBeGreaterThan(90);
    expect((await search("house was built"))[0]!.page).toBe(1);
    expect((await search("flow temperature"))[0]!.page).toBe(2);
  });
});
