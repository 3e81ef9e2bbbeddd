import { poll } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await startTestIngest({ reconcileMs: 600_000 });
  // PostgreSQL's error when its file system is full.
  await ingest.sql(`CREATE FUNCTION ingest.refuse_space() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'could not extend file "base/5/16385": No space left on device'
        USING ERRCODE = '53100';
    END
  $$`);
});
afterAll(async () => {
  await ingest?.stop();
});

const fill = (table: string, when: string): Promise<unknown> =>
  ingest.sql(`CREATE TRIGGER full_disk BEFORE ${when} ON ingest.${table}
    FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_space()`);
const free = (table: string): Promise<unknown> =>
  ingest.sql(`DROP TRIGGER full_disk ON ingest.${table}`);
const waitsForSpace = { state: "queued", reason: { code: "document.waits-for-space" } };

it("a document waits for disk space, however often, and is processed once there is some", async () => {
  await fill("chunk", "INSERT");
  const id = await ingest.upload(1, "tide.txt", "The tide table hangs beside the harbour office.");
  await poll(() => ingest.state1(1, id)).toMatchObject(waitsForSpace);
  // More often than its job has attempts.
  await poll(async () => {
    const [row] = await ingest.sql<{ run: number }>(
      "SELECT run FROM ingest.document WHERE id = $1",
      [id],
    );
    return row!.run;
  }).toBeGreaterThan(3);
  expect(await ingest.state1(1, id)).not.toMatchObject({ state: "failed" });
  await free("chunk");
  await ingest.until(1, id, "embedded");
  expect(await ingest.state1(1, id)).toMatchObject({ reason: null });
});

it("whoever waits for a document learns of a full disk that can't be recorded", async () => {
  await fill("chunk", "INSERT");
  await fill("document", "UPDATE");
  const id = await ingest.upload(1, "quay.txt", "The quay is closed to cars on market days.");
  const document = expect.objectContaining({ documentId: id, ...waitsForSpace }) as object;
  await poll(() => ingest.frames).toContainEqual({ type: "document_state", document });
  await free("chunk");
  await free("document");
  await ingest.until(1, id, "embedded");
});
