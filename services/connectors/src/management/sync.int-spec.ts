import { createConnection, findRun, retryRun, startRun } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";

const slug = "field-notes";
const feed = `<rss version="2.0"><channel><title>News</title>
  <item><guid>1</guid><title>Tides</title><description>High at noon.</description></item>
</channel></rss>`;

let instance: TestConnectors;
beforeAll(async () => {
  instance = await startTestConnectors((_request, response) => {
    response.setHeader("content-type", "application/rss+xml").end(feed);
  });
});
afterAll(() => instance.stop());

it("says whether a run lists its whole source", async () => {
  const { connection } = await instance.request(createConnection, {
    slug,
    connector: "feed",
    settings: { url: `${instance.address}/feed.xml` },
    start: false,
  });
  const request = { slug, connectionId: connection.id };
  const ended = async (operation: typeof startRun | typeof retryRun) => {
    const { run } = await instance.request(operation, request);
    const find = () => instance.request(findRun, { runId: run.id });
    await poll(async () => (await find()).run?.endedAt).toEqual(expect.any(String));
    return find();
  };
  expect(await ended(startRun)).toMatchObject({ isWhole: true, run: { fetched: 1 } });
  expect(await ended(retryRun)).toMatchObject({ isWhole: false, run: { found: 0 } });
});
