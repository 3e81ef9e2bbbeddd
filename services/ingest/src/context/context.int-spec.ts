import {
  findPassages,
  listContextTexts,
  listDocumentStatuses,
  listLibraryFolder,
  removeWorkspaceDocument,
  updatePin,
  workspaceDocumentsChanged,
  type Out,
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
const changed: number[] = [];
beforeAll(async () => {
  ingest = await startTestIngest();
  ingest.shared.messaging.broadcast.on(`event:${workspaceDocumentsChanged.name}`, (payload) =>
    changed.push((payload as { workspaceId: number }).workspaceId),
  );
});
afterAll(async () => {
  await ingest?.stop();
});
const embedded = async (
  workspaceId: number,
  filename: string,
  text: string,
): Promise<{ id: string; docpath: string }> => {
  const id = await ingest.upload(workspaceId, filename, text);
  return { id, docpath: (await ingest.until(workspaceId, id, "embedded")).docpath! };
};
const pin = (workspaceId: number, docPath: string, pinStatus: boolean) =>
  ingest.client.request(
    updatePin,
    { slug: `w${workspaceId}`, docPath, pinStatus },
    { scope: workspaceScope(workspaceId) },
  );
type Texts = Out<typeof listContextTexts>["texts"];
/** All texts, and the number of replies they took. */
async function readAll(
  workspaceId: number,
  maximumCharacters: number,
  threadId: number | null = null,
): Promise<{ texts: Texts; replies: number }> {
  const texts: Texts = [];
  let replies = 0;
  for (let after: string | null = null; ;) {
    const reply: Out<typeof listContextTexts> = await ingest.client.request(
      listContextTexts,
      { threadId, maximumCharacters, after },
      { scope: workspaceScope(workspaceId) },
    );
    replies++;
    for (const [n, text] of reply.texts.entries()) {
      const last = texts.at(-1);
      if (n === 0 && last?.documentId === text.documentId) last.text += text.text;
      else texts.push({ ...text });
    }
    if (reply.next === null) return { texts, replies };
    after = reply.next;
  }
}

describe("pinned documents", () => {
  it("are pinned and unpinned, and every list shows it", async () => {
    const [first, second] = [
      await embedded(1, "alpha.txt", "Alpha tells of apricots."),
      await embedded(1, "beta.txt", "Beta tells of blackberries."),
    ];
    changed.length = 0;
    await pin(1, second.docpath, true);
    await pin(1, first.docpath, true);
    await pin(1, second.docpath, true);
    expect((await ingest.documents(workspaceScope(1))).documents.map((d) => d.pinned)).toEqual([
      true,
      true,
    ]);
    expect(
      (
        await ingest.client.request(
          listDocumentStatuses,
          { slug: "w1" },
          { scope: workspaceScope(1) },
        )
      ).documents.map((d) => d.pinned),
    ).toEqual([true, true]);
    const folder = await ingest.client.request(
      listLibraryFolder,
      { folder: "custom-documents", offset: 0, limit: 100 },
      { scope: libraryScope },
    );
    expect(folder.files.map((file) => file.pinnedWorkspaces)).toEqual([[1], [1]]);
    await poll(() => changed).toContain(1);
    expect(
      ingest.frames.some(
        (frame) =>
          frame.type === "document_state" &&
          frame.document.documentId === first.id &&
          frame.document.pinned === true,
      ),
    ).toBe(true);
    // In the order in which they were pinned, not uploaded.
    expect(
      (await readAll(1, 1_000)).texts.map(({ kind, documentId, text }) => [kind, documentId, text]),
    ).toEqual([
      ["pinned", second.id, "Beta tells of blackberries."],
      ["pinned", first.id, "Alpha tells of apricots."],
    ]);
    await pin(1, second.docpath, false);
    expect((await readAll(1, 1_000)).texts.map((text) => text.documentId)).toEqual([first.id]);
    await pin(1, second.docpath, true);
    expect((await readAll(1, 1_000)).texts.map((text) => text.documentId)).toEqual([
      first.id,
      second.id,
    ]);
  });

  it("have the old content or the new one while their source's changes come in", async () => {
    const { id, docpath } = await embedded(5, "tides.txt", "The tide turns at noon.");
    await pin(5, docpath, true);
    await ingest.revise(id, "The tide turns at dusk.", new Date().toISOString());
    const seen = new Set<string>();
    await poll(
      async () => {
        const { texts } = await readAll(5, 1_000);
        seen.add(texts.map(({ text }) => text).join(" | "));
        return [...seen].at(-1);
      },
      { intervalMs: 1 },
    ).toBe("The tide turns at dusk.");
    expect([...seen]).toEqual(["The tide turns at noon.", "The tide turns at dusk."]);
  });

  it("belong to one workspace: a foreign one is treated as unknown", async () => {
    const [document] = (await ingest.documents(workspaceScope(1))).documents;
    for (const docpath of [
      document!.docpath,
      "custom-documents/nothing.json",
      "../../etc/passwd",
      "",
    ])
      await expect(pin(2, docpath, true)).rejects.toMatchObject({
        kind: "DOCUMENT_NOT_FOUND",
        message: "Not Found",
      });
    expect((await readAll(2, 1_000)).texts).toEqual([]);
    expect((await ingest.documents(workspaceScope(1))).documents[0]).toMatchObject({
      pinned: true,
    });
  });

  it("are returned whole over many replies, cut at a character boundary where the window ends", async () => {
    for (const { docpath } of (await ingest.documents(workspaceScope(1))).documents)
      await pin(1, docpath, false);
    const long = Array.from({ length: 60_000 }, (_, n) => `Zeile ${n}: "日本" 😀 Ende.`).join("\n");
    const big = await ingest.upload(1, "long.txt", long);
    const small = await embedded(1, "small.txt", "Nach dem langen Text kommt der kurze. 😀😀");
    const { docpath } = await ingest.until(1, big, "searchable", "embedding", "embedded");
    await pin(1, docpath!, true);
    await pin(1, small.docpath, true);
    const { texts, replies } = await readAll(1, 10_000_000);
    expect(texts.map(({ documentId, text }) => [documentId, text.length])).toEqual([
      [big, long.length],
      [small.id, 42],
    ]);
    expect(texts[0]!.text === long).toBe(true);
    expect(texts[0]).toMatchObject({
      kind: "pinned",
      title: "long.txt",
      mime: "text/plain",
      wordCount: expect.any(Number),
      token_count_estimate: expect.any(Number),
    });
    expect(texts[0]!.token_count_estimate).toBeGreaterThan(100_000);
    expect(replies).toBeGreaterThan(1);
    expect(replies).toBeLessThan(6);
    // A boundary inside a surrogate pair: one character less, and nothing after it.
    const face = long.indexOf("😀") + 1;
    expect((await readAll(1, face)).texts).toEqual([
      expect.objectContaining({ documentId: big, text: long.slice(0, face - 1) }),
    ]);
    expect((await readAll(1, long.length + 10)).texts.map(({ text }) => text.length)).toEqual([
      long.length,
      10,
    ]);
    expect((await readAll(1, 0)).texts).toEqual([]);
    await expect(
      ingest.client.request(
        listContextTexts,
        { threadId: null, maximumCharacters: 10, after: "nonsense" },
        { scope: workspaceScope(1) },
      ),
    ).rejects.toMatchObject({ kind: "BAD_INPUT" });
  });

  it("are excluded from a search before the top results are counted", async () => {
    const text = (n: number): string =>
      `The walnut cabinet of house ${n} holds ${n} walnut boxes. `.repeat(60);
    const pinned = await Promise.all(
      [1, 2, 3].map((n) =>
        embedded(2, `cabinet-${n}.txt`, Array.from({ length: 60 }, () => text(n)).join("\n\n")),
      ),
    );
    const other = await embedded(
      2,
      "other.txt",
      "Somewhere a walnut lies on a table with many other words around it that nobody has asked for.",
    );
    expect(
      (
        await ingest.search(2, "walnut cabinet boxes", { topN: 4, similarityThreshold: 0 })
      ).passages.map((p) => p.documentId),
    ).not.toContain(other.id);
    for (const topN of [1, 4]) {
      const { passages } = await ingest.search(2, "walnut cabinet boxes", {
        topN,
        similarityThreshold: 0,
        excludeDocumentIds: pinned.map((one) => one.id),
      });
      expect(passages.map((p) => p.documentId)).toEqual([other.id]);
    }
    const [, second] = pinned;
    const two = await ingest.search(2, "walnut cabinet boxes", {
      topN: 4,
      similarityThreshold: 0,
      excludeDocumentIds: [pinned[0]!.id, pinned[2]!.id],
    });
    expect(new Set(two.passages.map((p) => p.documentId))).toContain(second!.id);
    expect(
      (
        await ingest.search(2, "walnut", {
          excludeDocumentIds: [...pinned, other].map((one) => one.id),
        })
      ).passages,
    ).toEqual([]);
  });
});

describe("passages of earlier answers", () => {
  it("are available as long as their document is in the workspace", async () => {
    const { id } = await embedded(
      1,
      "kept.md",
      "# Harbour\n\n## Crane\n\nThe harbour crane was painted turquoise in spring.",
    );
    const { id: gone } = await embedded(1, "gone.txt", "The harbour master retired in autumn.");
    const before = (
      await ingest.search(1, "harbour", { topN: 8, similarityThreshold: 0, mode: "text" })
    ).passages.filter((p) => [id, gone].includes(p.documentId));
    expect(before).toHaveLength(2);
    const sources = before.map(({ chunkId, documentId, start, end }) => ({
      id: chunkId,
      documentId,
      start,
      end,
    }));
    const find = (workspaceId: number, more: typeof sources = []) =>
      ingest.client.request(
        findPassages,
        { sources: [...sources, ...more] },
        { scope: workspaceScope(workspaceId) },
      );
    expect((await find(1)).passages).toEqual(
      before.map((passage) => ({ ...passage, score: 0, denseScore: null, textScore: null })),
    );
    expect((await find(2)).passages).toEqual([]);
    await ingest.client.request(
      removeWorkspaceDocument,
      { slug: "w1", documentId: gone, purge: false },
      { scope: workspaceScope(1) },
    );
    // After re-indexing, the chunks differ but the position is the same.
    await ingest.sql(
      `UPDATE ingest.workspace_document SET state = 'queued', version = version + 1 WHERE document_id = $1`,
      [id],
    );
    await poll(() =>
      ingest.sql(
        `SELECT 1 FROM ingest.workspace_document WHERE document_id = $1 AND index_version = 2`,
        [id],
      ),
    ).toHaveLength(1);
    const odd = [
      { id: "not an id", documentId: id, start: 0, end: 9 },
      { id: "beyond", documentId: id, start: 5_000, end: 6_000 },
      { id: "backwards", documentId: id, start: 9, end: 3 },
    ];
    const { passages } = await find(1, odd);
    expect(passages.map((p) => [p.documentId, p.text])).toEqual([
      [id, before.find((p) => p.documentId === id)!.text],
      [id, "# Harbour"],
    ]);
    expect(passages[0]).toMatchObject({
      headingPath: before.find((p) => p.documentId === id)!.headingPath,
      title: "kept.md",
    });
  });
});
