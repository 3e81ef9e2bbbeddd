import path from "node:path";
import { waitFor } from "@carrel/testing";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { connect } from "@lancedb/lancedb";
import { startTestIngest, type TestIngest } from "../../test/test-ingest.ts";

const count = 8;
const divided = "couldn't store documents in one transaction, so each is stored in its own";

let ingest: TestIngest;
beforeEach(async () => {
  ingest = await startTestIngest({ keepLog: true });
});
afterEach(async () => {
  await ingest.stop();
});

/** Uploads files that are all ready to be stored before the first one can be. */
async function uploadTogether(): Promise<string[]> {
  const first = await ingest.upload(1, "first.txt", "The first report.");
  await ingest.until(1, first, "embedded");
  return ingest.source.transaction(async (manager) => {
    await manager.query(`LOCK TABLE ingest.document_text IN EXCLUSIVE MODE`);
    const ids = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        ingest.upload(1, `report-${n}.txt`, `Report ${n} is about ship ${n}.`),
      ),
    );
    const index = await connect(path.join(ingest.config.CARREL_HOME, "index"));
    await waitFor(async () => {
      const table = await index.openTable("text");
      return (await table.countRows()) === count + 1;
    });
    return ids;
  });
}

const transactionsOf = (ids: string[]): Promise<{ n: number }[]> =>
  ingest.sql(
    `SELECT count(*)::int AS n FROM ingest.document WHERE id = ANY($1::uuid[]) GROUP BY xmin::text`,
    [ids],
  );

it("stores documents that are ready together in one transaction", async () => {
  const ids = await uploadTogether();
  for (const id of ids) await ingest.until(1, id, "embedded");
  expect((await transactionsOf(ids)).length).toBeLessThan(count);
  expect((await ingest.logLines()).map(({ msg }) => msg)).not.toContain(divided);
});

it("stores each in its own transaction if that fails, and logs why", async () => {
  await ingest.sql(
    `CREATE FUNCTION ingest.refuse_groups() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(DISTINCT document_id) FROM added) > 1 THEN RAISE EXCEPTION 'no groups'; END IF;
      RETURN NULL; END $$`,
  );
  await ingest.sql(
    `CREATE TRIGGER refuse_groups AFTER INSERT ON ingest.document_text
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ingest.refuse_groups()`,
  );
  const ids = await uploadTogether();
  for (const id of ids) await ingest.until(1, id, "embedded");
  expect(await transactionsOf(ids)).toHaveLength(count);
  expect(await ingest.logLines()).toContainEqual(
    expect.objectContaining({
      msg: divided,
      err: expect.objectContaining({ message: "no groups" }),
    }),
  );
});

it("doesn't let a long document delay others while it is stored", async () => {
  await ingest.sql(
    `CREATE FUNCTION ingest.wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.start > 0 THEN PERFORM pg_advisory_xact_lock_shared(1); END IF;
      RETURN NEW; END $$`,
  );
  await ingest.sql(
    `CREATE TRIGGER wait_for_test BEFORE INSERT ON ingest.document_text FOR EACH ROW EXECUTE FUNCTION ingest.wait_for_test()`,
  );
  const waiters = async (): Promise<{ pid: number }[]> =>
    ingest.sql(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
  const long = await ingest.source.transaction(async (manager) => {
    await manager.query(`SELECT pg_advisory_xact_lock(1)`);
    const id = await ingest.upload(1, "long.txt", "The ship sails at noon. ".repeat(20_000));
    const waiting = await waitFor(async () => {
      const found = await waiters();
      return found.length > 0 && found;
    });
    const short = await ingest.upload(1, "short.txt", "The ferry sails at one.");
    await ingest.until(1, short, "embedded");
    // Otherwise, it would have been embedded once the statement had reached its time limit.
    expect(await waiters()).toEqual(waiting);
    return id;
  });
  await ingest.until(1, long, "embedded");
});
