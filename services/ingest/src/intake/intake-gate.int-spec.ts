import { poll, startFakeS3, type FakeS3 } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

let ingest: TestIngest;
let s3: FakeS3;
beforeAll(async () => {
  s3 = await startFakeS3();
  ingest = await startTestIngest({
    embedder: false,
    environment: {
      S3_BUCKET: "docs",
      S3_ENDPOINT: s3.url,
      S3_ACCESS_KEY_ID: "key",
      S3_SECRET_ACCESS_KEY: "secret",
      CARREL_PARSE_BUFFER_MB: "3",
    },
  });
});
afterAll(async () => {
  await ingest?.stop();
  await s3?.stop();
});

it("leaves long documents unread while others wait to be stored, and doesn't delay small ones", async () => {
  await ingest.sql(
    `CREATE FUNCTION ingest.wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.start > 0 THEN PERFORM pg_advisory_xact_lock_shared(1); END IF;
      RETURN NEW; END $$`,
  );
  await ingest.sql(
    `CREATE TRIGGER wait_for_test BEFORE INSERT ON ingest.document_text FOR EACH ROW EXECUTE FUNCTION ingest.wait_for_test()`,
  );
  const countRead = () =>
    s3.requests.filter(({ method, path }) => method === "GET" && path.includes("original")).length;
  const ids = await ingest.source.transaction(async (manager) => {
    await manager.query(`SELECT pg_advisory_xact_lock(1)`);
    // Each takes 0.6 MB, and then 1.2 MB until it is stored.
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        ingest.upload(1, `long-${n}.txt`, `The ship ${n} sails at noon. `.repeat(24_000)),
      ),
    );
    await poll(countRead).toBeGreaterThan(1);
    const small = await ingest.upload(1, "small.txt", "The ferry sails at one.");
    await ingest.until(1, small, "searchable");
    expect(countRead()).toBeLessThanOrEqual(5 + 1);
    return ids;
  });
  for (const id of ids) await ingest.until(1, id, "searchable");
});
