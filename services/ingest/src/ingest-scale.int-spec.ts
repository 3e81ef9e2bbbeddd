import { embedAgain } from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestIngest, textsOf, workspaceScope, type TestIngest } from "../test/test-ingest.ts";

const note = (n: number) => `Note ${n} is about the keyword quokka${n} and about nothing else.`;

describe("many files at once", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest();
  }, 120_000);
  afterAll(async () => {
    await ingest?.stop();
  }, 60_000);

  it("100 files all succeed or fail with a reason, and a workspace with one file does not wait for them", async () => {
    const broken = (n: number): boolean => n % 20 === 7;
    const file = (n: number): [string, string] =>
      broken(n)
        ? [`broken-${n}.pdf`, "%PDF-1.4 this is no pdf"]
        : n % 10 === 3
          ? [`copy-${n}.txt`, note(3)]
          : [`note-${n}.txt`, note(n)];
    const ids: string[] = [];
    const states = async () =>
      new Map(
        (
          await ingest.sql<{ id: string; state: string; reason: object | null }>(
            `SELECT document_id AS id, state, reason::json AS reason
            FROM ingest.workspace_document
            WHERE workspace_id = 1`,
          )
        ).map((row) => [row.id, row]),
      );
    const waiting = async () =>
      [...(await states()).values()].filter(
        ({ state }) => state === "queued" || state === "indexing",
      ).length;
    for (let n = 0; n < 100; n += 25)
      ids.push(
        ...(await Promise.all(
          Array.from({ length: 25 }, (_, i) => ingest.upload(1, ...file(n + i))),
        )),
      );
    // Whatever the machine's speed, the other workspace's only file is not the last to finish.
    const single = await ingest.upload(
      2,
      "single.txt",
      "The only file of this workspace speaks of a wombat.",
    );
    const left = await waiting();
    await ingest.until(2, single, "searchable", "embedding", "embedded");
    if (left > 30) expect(await waiting()).toBeGreaterThan(0);
    const ended = await waitFor(
      async () => {
        const now = await states();
        return ids.every((id) => ["embedded", "failed"].includes(now.get(id)?.state ?? ""))
          ? now
          : null;
      },
      { timeoutMs: 100_000, intervalMs: 250, what: "all files to be embedded or failed" },
    );
    for (const [n, id] of ids.entries())
      expect([n, ended.get(id)!.state, ended.get(id)!.reason]).toEqual(
        broken(n)
          ? [n, "failed", { code: "file.damaged", params: { what: { code: "file-kind.pdf" } } }]
          : [n, "embedded", null],
      );
    expect(textsOf((await ingest.search(1, "quokka51", { mode: "text" })).passages)[0]).toContain(
      "quokka51 ",
    );
    // Ten files with the same text were embedded once.
    const asked = ingest.fake.requests
      .flatMap((request) => [request.body.input].flat() as string[])
      .filter((text) => text === note(3));
    expect(asked).toHaveLength(1);
  }, 120_000);
});

describe("the limit on waiting documents", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest({ environment: { CARREL_INGEST_WAITING: "2" } });
  }, 120_000);
  afterAll(async () => {
    await ingest?.stop();
  }, 60_000);

  it("refuses the next upload until some have been parsed, and leaves nothing behind", async () => {
    const first = await ingest.upload(1, "first.txt", note(1));
    await ingest.until(1, first, "embedded");
    // Two documents being parsed for as long as the test needs.
    await ingest.sql(`INSERT INTO ingest.document (
        id, docpath, folder, filename, title, url, doc_author, description, doc_source,
        chunk_source, published, mime, bytes, sha256, state, lease_until
      )
      SELECT gen_random_uuid(), 'custom-documents/held-' || n || '.json', 'custom-documents',
        'held.txt', 'held', '', '', '', '', '', '', 'text/plain', 1, repeat('0', 64), 'parsing',
        now() + interval '1 hour'
      FROM generate_series(1, 2) AS n`);
    // Waiting documents are counted once a second.
    const refusal = await waitFor(
      async () =>
        ingest.upload(1, "second.txt", note(2)).then(
          () => null,
          (fault: unknown) => fault,
        ),
      { timeoutMs: 30_000, what: "an upload to be refused" },
    );
    expect(refusal).toMatchObject({ kind: "BUSY", isRetryable: true, retryAfter: 5 });
    const before = (await ingest.sql(`SELECT 1 FROM ingest.document`)).length;
    await expect(ingest.upload(1, "third.txt", note(3))).rejects.toMatchObject({ kind: "BUSY" });
    expect((await ingest.sql(`SELECT 1 FROM ingest.document`)).length).toBe(before);
    await ingest.sql(`DELETE FROM ingest.document WHERE filename = 'held.txt'`);
    const last = await waitFor(
      async () => ingest.upload(1, "fourth.txt", note(4)).catch(() => null),
      { timeoutMs: 30_000, what: "an upload to be taken again" },
    );
    await ingest.until(1, last, "embedded");
  }, 120_000);
});

describe("the same bytes", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest({ embedder: false });
  }, 120_000);
  afterAll(async () => {
    await ingest?.stop();
  }, 60_000);

  it("are parsed once within a day, under any name and in any workspace", async () => {
    const text = `${Array.from({ length: 300 }, (_, n) => `# Part ${n}\n\n${`Line ${n} of the long log speaks of the day on which nothing happened. `.repeat(30)}`).join("\n\n")}\n\nThe very last line names the axolotl.`;
    const first = await ingest.upload(1, "log.md", text);
    await ingest.until(1, first, "searchable");
    // Marks the stored text, to distinguish a copy from a fresh parse.
    await ingest.sql(
      `UPDATE ingest.document_text SET text = replace(text, 'axolotl', 'copied ') WHERE document_id = $1`,
      [first],
    );
    const [again, other] = [
      await ingest.upload(2, "another-name.md", text),
      await ingest.upload(2, "no-markdown.txt", text),
    ];
    for (const id of [again, other]) await ingest.until(2, id, "searchable");
    const end = async (id: string) =>
      (
        await ingest.sql<{ text: string }>(
          `SELECT text FROM ingest.document_text WHERE document_id = $1 ORDER BY start DESC LIMIT 1`,
          [id],
        )
      )[0]!.text;
    expect(await end(again)).toContain("names the copied .");
    // A different extension may need a different parser.
    expect(await end(other)).toContain("names the axolotl.");
    const documents = await ingest.sql<{
      id: string;
      mime: string;
      headings: number;
      word_count: number;
      text_length: number;
    }>(
      `SELECT id, mime, jsonb_array_length(headings) AS headings, word_count, text_length FROM ingest.document`,
    );
    const [of, copy] = [first, again].map((id) => documents.find((one) => one.id === id)!);
    expect(copy).toEqual({ ...of, id: again });
    expect(copy!.headings).toBe(300);
    expect(
      textsOf((await ingest.search(2, "Part 271", { mode: "text" })).passages).join(),
    ).toContain("271 ");
    expect(await ingest.blobKeys()).toHaveLength(1);
  }, 90_000);
});

describe("document splitting", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest();
  }, 120_000);
  afterAll(async () => {
    await ingest?.stop();
  }, 60_000);

  it("follows the settings for documents embedded or re-embedded from then on", async () => {
    const text = Array.from(
      { length: 80 },
      (_, n) =>
        `Sentence number ${n} tells of the day ${n} on which the numbat${n} was seen at the old harbour.`,
    ).join(" ");
    const chunksOf = (id: string) =>
      ingest.sql<{ start: number; end: number }>(
        `SELECT c.start, c."end"
        FROM ingest.chunk c
        JOIN ingest.workspace_document w ON w.id = c.workspace_document_id
          AND w.index_version = c.version
        WHERE w.document_id = $1
        ORDER BY c.ordinal`,
        [id],
      );
    const longest = (chunks: { start: number; end: number }[]): number =>
      Math.max(...chunks.map(({ start, end }) => end - start));
    const first = await ingest.upload(1, "first.txt", text);
    await ingest.until(1, first, "embedded");
    const before = await chunksOf(first);
    expect(longest(before)).toBeGreaterThan(700);
    await ingest.changeSettings({
      ...ingest.withEmbedder,
      text_splitter_chunk_size: "200",
      text_splitter_chunk_overlap: "100",
    });
    const second = await ingest.upload(1, "second.txt", text);
    await ingest.until(1, second, "embedded");
    const after = await chunksOf(second);
    expect(longest(after)).toBeLessThanOrEqual(200);
    // Sentences have about 90 characters, so one fits into the overlap.
    for (const [n, chunk] of after.slice(1).entries()) {
      expect(chunk.start).toBeLessThan(after[n]!.end);
      expect(text.slice(chunk.start)).toMatch(/^Sentence number/);
    }
    expect(await chunksOf(first)).toEqual(before);
    await ingest.client.request(
      embedAgain,
      { slug: "w1", selection: { documentIds: [first] } },
      { scope: workspaceScope(1) },
    );
    await waitFor(async () => (await chunksOf(first)).length === after.length, {
      timeoutMs: 30_000,
      what: "the first document to be split again",
    });
    await ingest.until(1, first, "embedded");
    expect(await chunksOf(first)).toEqual(after);
    // The embedder accepts at most 120 characters, whatever the settings say.
    await ingest.changeSettings({
      ...ingest.withEmbedder,
      EmbeddingModelMaxChunkLength: "120",
      text_splitter_chunk_size: "5000",
    });
    const third = await ingest.upload(1, "third.txt", text);
    await ingest.until(1, third, "embedded");
    expect(longest(await chunksOf(third))).toBeLessThanOrEqual(120);
  }, 90_000);
});
