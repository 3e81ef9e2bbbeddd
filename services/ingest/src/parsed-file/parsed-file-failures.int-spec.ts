import { waitFor } from "@carrel/testing";
import { afterEach, describe, expect, it } from "@jest/globals";
import { as, parsed } from "../../test/chat-files.ts";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

describe("a file dropped during failures", () => {
  let ingest: TestIngest | undefined;
  afterEach(async () => {
    await ingest?.stop();
    ingest = undefined;
  });

  it("is parsed once by another replica if its process is killed", async () => {
    ingest = await startTestIngest({ elsewhere: true });
    const first = await ingest.startReplica();
    const long = Array.from(
      { length: 40_000 },
      (_, n) => `Line ${n} of a long log tells of event ${n * 7919} at the harbour.`,
    ).join("\n");
    // Its text can't be stored before the kill.
    const lock = ingest.source.createQueryRunner();
    await lock.startTransaction();
    await lock.query("LOCK TABLE ingest.document_text IN ACCESS EXCLUSIVE MODE");
    const { documentId } = await ingest.drop(as(3), 10, "log.txt", long);
    await waitFor(
      async () =>
        (
          await ingest!.sql(`SELECT 1 FROM ingest.document WHERE id = $1 AND state = 'parsing'`, [
            documentId,
          ])
        )[0] ?? null,
      { intervalMs: 2, what: "the file to be at work" },
    );
    const second = ingest.startReplica();
    await first.kill();
    await lock.rollbackTransaction();
    await lock.release();
    expect(
      await ingest.sql(`SELECT 1 FROM ingest.document WHERE id = $1 AND state = 'parsing'`, [
        documentId,
      ]),
    ).toHaveLength(1);
    await second;
    const [file] = await parsed(ingest, as(3), 10, 1);
    expect(file).toMatchObject({ state: "parsed", reason: null });
    const [stored] = await ingest.sql<{ length: number; parts: number }>(
      `SELECT sum("end" - start)::int AS length, count(*)::int AS parts
      FROM ingest.document_text
      WHERE document_id = $1`,
      [documentId],
    );
    expect(stored!.length).toBe(long.length);
    expect(await ingest.sql(`SELECT 1 FROM ingest.parsed_file`)).toHaveLength(1);
  }, 120_000); // starts two processes

  it("is not delayed by a bulk import into the library", async () => {
    ingest = await startTestIngest({ embedder: false });
    const book = Array.from(
      { length: 6_000 },
      (_, n) => `Paragraph ${n} of a book tells of item ${n * 31}.`,
    ).join("\n\n");
    await Promise.all(
      Array.from({ length: 80 }, (_, n) => ingest!.upload(1, `book-${n}.txt`, `${n}\n${book}`)),
    );
    await ingest.drop(as(3), 10, "question.txt", "Only this is asked about.");
    await parsed(ingest, as(3), 10, 1);
    const [open] = await ingest.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM ingest.document WHERE state IN ('queued', 'parsing')`,
    );
    expect(open!.n).toBeGreaterThan(10);
  });

  it("is parsed even if Redis loses all data", async () => {
    ingest = await startTestIngest();
    const dropped = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        ingest!.drop(as(3), 10, `f${n}.txt`, `File ${n}. ${"Text. ".repeat(2_000)}`),
      ),
    );
    await ingest.shared.messaging.connections.commands.flushall();
    await ingest.restart();
    const files = await parsed(ingest, as(3), 10, dropped.length);
    expect(files.every((file) => file.state === "parsed")).toBe(true);
  });
});
