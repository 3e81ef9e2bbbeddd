import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestIngest, textsOf, type TestIngest } from "../../test/test-ingest.ts";

const subjects = ["lighthouse", "bakery", "orchard", "quarry", "railway", "museum", "brewery"];
const people = ["Ilse Varga", "Tamsin Orrery", "Lysander Moot", "Perpetua Lund", "Ottoline Farr"];
/** Forty files of different subjects, which share most of their everyday words. */
const files = Array.from({ length: 40 }, (_, n) => {
  const [subject, person] = [subjects[n % subjects.length]!, people[n % people.length]!];
  return [
    `The ${subject} on island ${n} was built by ${person} in ${1850 + n} for the people of the town.`,
    `Every spring the keeper of the ${subject} writes a report about the repairs of the year.`,
    `The report of the ${subject} for ${person} is kept in drawer ${n} of the town hall.`,
  ].join(" ");
});
const sentenceOf = (n: number): string => files[n]!.split(". ")[0]!;

describe("a search while a batch is being embedded", () => {
  let ingest: TestIngest;
  beforeAll(async () => {
    ingest = await startTestIngest();
    // A call embeds as many documents as it can: short calls embed the first ten, then none ends.
    for (const [n, text] of files.slice(0, 10).entries())
      await ingest.until(1, await ingest.upload(1, `file-${n}.txt`, text), "embedded");
    ingest.fake.behave({ embeddingDelayMs: 60_000 });
    const ids = await Promise.all(
      files.slice(10).map((text, n) => ingest.upload(1, `file-${n + 10}.txt`, text)),
    );
    await Promise.all(ids.map((id) => ingest.until(1, id, "searchable", "embedding")));
    // The questions themselves are embedded at once.
    ingest.fake.behave({});
  }, 120_000);
  afterAll(() => ingest?.stop());

  it("finds a sentence of a file without vectors first, and one of a file with vectors", async () => {
    const [counts] = await ingest.sql<{ embedded: number; others: number }>(
      `SELECT count(*) FILTER (WHERE embedded_model IS NOT NULL)::int AS embedded,
        count(*) FILTER (WHERE embedded_model IS NULL)::int AS others
      FROM ingest.workspace_document`,
    );
    expect(counts).toEqual({ embedded: 10, others: 30 });
    const wrong: number[] = [];
    for (const n of files.keys()) {
      const { passages, dense } = await ingest.search(1, sentenceOf(n));
      expect(dense).toBe(true);
      if (textsOf(passages)[0] !== files[n]) wrong.push(n);
    }
    expect(wrong).toEqual([]);
  }, 60_000);
});
