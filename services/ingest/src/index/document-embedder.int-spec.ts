import { waitFor, poll } from "@carrel/testing";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";
import { maxEmbeddingJobs } from "./document-embedder.ts";

const queued = "couldn't embed a document in the job that published it, so it was queued";

describe("embedding in the job that publishes", () => {
  let ingest: TestIngest;
  beforeEach(async () => {
    ingest = await startTestIngest({ keepLog: true, reconcileMs: 600_000 });
  });
  afterEach(async () => {
    ingest.fake.behave({});
    await ingest.stop();
  });

  const embedJobs = async (): Promise<number> =>
    Number(await ingest.shared.messaging.connections.commands.get("carrel:ingest-embed:id"));
  const inputs = (): string[] =>
    ingest.fake.requests.flatMap(({ path, body }) =>
      path === "/v1/embeddings" ? (body.input as string[]) : [],
    );
  const countRows = async (condition: string): Promise<number> =>
    (
      await ingest.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM ingest.workspace_document WHERE ${condition}`,
      )
    )[0]!.n;
  /** Jobs that publish hold a row for 20 s, others for three minutes. */
  const heldByPublishing = `state = 'embedding' AND lease_until < now() + interval '25 seconds'`;
  const warnings = async (): Promise<string[]> =>
    (await ingest.logLines()).flatMap(({ msg, err }) => (msg === queued ? [err!.message] : []));

  it("needs no other job and calls the embedder immediately", async () => {
    const id = await ingest.upload(1, "crane.txt", "The harbour crane is turquoise.");
    await ingest.until(1, id, "embedded");
    expect(await embedJobs()).toBe(0);
    expect(inputs()).toEqual(["The harbour crane is turquoise."]);
    expect(await warnings()).toEqual([]);
  });

  it("leaves large documents to the queue", async () => {
    const id = await ingest.upload(1, "large.txt", "A line about the harbour.\n".repeat(6_000));
    await ingest.until(1, id, "embedded");
    expect(await embedJobs()).toBe(1);
  });

  it("leaves places for parsing, and gives a slow embedder only seconds", async () => {
    const answer = Promise.withResolvers<void>();
    ingest.fake.behave({ after: answer.promise });
    const count = maxEmbeddingJobs + 2;
    const ids = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        ingest.upload(1, `report-${n}.txt`, `Report ${n} is about ship ${n}.`),
      ),
    );
    const held: number[] = [];
    await waitFor(async () => {
      held.push(await countRows(heldByPublishing));
      return (await countRows(`searchable_at IS NOT NULL`)) === count;
    });
    expect(Math.max(...held)).toBeGreaterThan(0);
    expect(Math.max(...held)).toBeLessThanOrEqual(maxEmbeddingJobs);
    await poll(async () => new Set(await warnings())).toEqual(
      new Set(["The operation was aborted due to timeout"]),
    );
    // For a minute, jobs that publish leave everything to the queue.
    const late = await ingest.upload(1, "late.txt", "This report was late.");
    await waitFor(async () => (await countRows(`searchable_at IS NOT NULL`)) === count + 1);
    expect(await countRows(`document_id = '${late}' AND ${heldByPublishing}`)).toBe(0);
    ingest.fake.behave({});
    answer.resolve();
    for (const id of [...ids, late]) await ingest.until(1, id, "embedded");
    // The queue's jobs waited for the calls that the publishing jobs had begun.
    expect(inputs()).toHaveLength(count + 1);
  }, 120_000);

  it("stops if another run took the document over while it waited for memory", async () => {
    await ingest.changeSettings({
      ...ingest.withEmbedder,
      text_splitter_chunk_size: "32",
      text_splitter_chunk_overlap: "0",
    });
    const answer = Promise.withResolvers<void>();
    ingest.fake.behave({ after: answer.promise });
    const upload = (name: string, lines: number): Promise<string> =>
      ingest.upload(
        1,
        `${name}.txt`,
        Array.from({ length: lines }, (_, n) => `The ${name} pier, day ${n}.`).join("\n\n"),
      );
    const large = await Promise.all(["north", "east", "south", "west"].map((n) => upload(n, 600)));
    await waitFor(() => ingest.fake.requests.length >= 4);
    const overtaken = await upload("overtaken", 200);
    await ingest.until(1, overtaken, "embedding");
    await ingest.sql(
      `UPDATE ingest.workspace_document SET run = run + 1, lease_until = '2100-01-01' WHERE document_id = $1`,
      [overtaken],
    );
    ingest.fake.behave({});
    answer.resolve();
    for (const id of large) await ingest.until(1, id, "embedded");
    const later = await ingest.upload(1, "later.txt", "Later text.");
    await ingest.until(1, later, "embedded");
    expect((await ingest.state1(1, overtaken))?.state).toBe("embedding");
    expect(inputs()).toContain("Later text.");
    expect(inputs().filter((text) => text.includes("overtaken"))).toEqual([]);
    expect(await warnings()).toEqual([]);
  });

  it("leaves a document to the queue after a fault that isn't the embedder's", async () => {
    await ingest.sql(`ALTER TABLE ingest.embedding_cache RENAME TO away`);
    const id = await ingest.upload(1, "crane.txt", "The harbour crane is turquoise.");
    await poll(() => warnings()).toEqual([expect.stringContaining("embedding_cache")]);
    expect((await ingest.state1(1, id))?.state).toBe("embedding");
    await ingest.sql(`ALTER TABLE ingest.away RENAME TO embedding_cache`);
    await ingest.until(1, id, "embedded");
    expect((await ingest.search(1, "What colour is the harbour crane?")).dense).toBe(true);
  });
});
