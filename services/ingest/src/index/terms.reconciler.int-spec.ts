import path from "node:path";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { connect } from "@lancedb/lancedb";
import { startTestIngest, textsOf, type TestIngest } from "../../test/test-ingest.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await startTestIngest({ embedder: false });
});
afterAll(() => ingest?.stop());

const finds = async (question: string): Promise<boolean> =>
  textsOf((await ingest.search(1, question)).passages)
    .join()
    .includes("mast");

it("analyses documents again that an older analysis indexed", async () => {
  const id = await ingest.upload(1, "ship.txt", "The mast-head of the ship was painted red.");
  await ingest.until(1, id, "searchable");
  expect(await finds("masthead")).toBe(true);
  // Terms in memory don't reflect writes from outside Carrel, so it starts with the older ones.
  await ingest.restart(async () => {
    const connection = await connect(path.join(ingest.config.CARREL_HOME, "index"));
    const table = await connection.openTable("text");
    await table.update({ values: { terms: "ship | mast head ship paint red" } });
    table.close();
    connection.close();
  });
  expect(await finds("masthead")).toBe(false);
  expect(await finds("mast-head")).toBe(true);

  const isOutdated = () => ingest.sql(`SELECT has_outdated_terms FROM ingest.workspace_document`);
  expect(await isOutdated()).toEqual([{ has_outdated_terms: false }]);
  await ingest.sql(`UPDATE ingest.workspace_document SET has_outdated_terms = true`);
  await poll(() => finds("masthead")).toBe(true);
  await poll(isOutdated).toEqual([{ has_outdated_terms: false }]);
  expect(await ingest.sql(`SELECT * FROM ingest.index_garbage`)).toEqual([]);
});
