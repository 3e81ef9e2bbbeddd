import { testDatabase, type TestDatabase, poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { DataSource } from "typeorm";
import { queryEarlyRows } from "./statement-batches.ts";

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await testDatabase();
  dataSource = await new DataSource({
    type: "postgres",
    url: database.url,
    poolSize: 2,
  }).initialize();
  await dataSource.query("CREATE TABLE note (id int PRIMARY KEY, text text)");
  // Called at the commit, which waits until the test has released the lock.
  await dataSource.query(`CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_xact_lock_shared(7);
    IF NEW.text = 'refused' THEN RAISE EXCEPTION 'refused'; END IF;
    RETURN NULL; END $$`);
  await dataSource.query(`CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON note
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold_commit()`);
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

const insert = (id: number, text: string) =>
  queryEarlyRows<{ id: number }>(
    dataSource,
    "insert note",
    "INSERT INTO note VALUES ($1, $2) RETURNING id",
    [id, text],
  );
const texts = async (): Promise<string[]> =>
  (await dataSource.query<{ text: string }[]>("SELECT text FROM note ORDER BY id")).map(
    ({ text }) => text,
  );

describe("queryEarlyRows", () => {
  it("returns rows before the commit, and says when it is durable", async () => {
    const runner = dataSource.createQueryRunner();
    await runner.query("SELECT pg_advisory_lock(7)");
    const { rows, committed } = await insert(1, "kept");
    expect(rows).toEqual([{ id: 1 }]);
    let isCommitted = false;
    const noted = committed.then(() => {
      isCommitted = true;
    });
    expect(await runner.query("SELECT * FROM note")).toEqual([]);
    expect(isCommitted).toBe(false);
    await runner.query("SELECT pg_advisory_unlock(7)");
    await runner.release();
    await noted;
    expect(await texts()).toEqual(["kept"]);
  });

  it("rejects when the commit fails, without losing the pool's connections", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { rows, committed } = await insert(2, "refused");
      expect(rows).toEqual([{ id: 2 }]);
      await expect(committed).rejects.toThrow("refused");
    }
    expect(await texts()).toEqual(["kept"]);
  });

  it("rejects when the statement fails", async () => {
    await expect(insert(1, "again")).rejects.toMatchObject({ code: "23505" });
    const { rows } = await queryEarlyRows(dataSource, "none", "SELECT 1 WHERE false", []);
    expect(rows).toEqual([]);
  });

  it("rejects when the connection breaks before the commit", async () => {
    const runner = dataSource.createQueryRunner();
    await runner.query("SELECT pg_advisory_lock(7)");
    const { committed } = await insert(3, "lost");
    const lost = expect(committed).rejects.toThrow();
    await poll(() =>
      runner.query(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
      ),
    ).toHaveLength(1);
    await lost;
    await runner.query("SELECT pg_advisory_unlock(7)");
    await runner.release();
    expect(await texts()).toEqual(["kept"]);
  });
});
