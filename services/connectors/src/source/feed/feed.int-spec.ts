import { createConnection, getConnection, startRun } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../../test/test-connectors.ts";
import { FeedFixture } from "./feed.fixture.ts";

const slug = "field-notes";

describe("a feed that is imported again", () => {
  const feed = new FeedFixture();
  let instance: TestConnectors;
  let connectionId: string;
  const find = () => instance.request(getConnection, { slug, connectionId });
  const untilFinished = (count: number) =>
    poll(
      async () => {
        const { runs, connection } = await find();
        return [runs.length, connection.run?.state];
      },
      { timeoutMs: 30_000 },
    ).toEqual([count, "finished"]);
  const entry = (n: number) => ({
    id: `urn:${n}`,
    title: `Entry ${n}`,
    content: `<p>Text ${n}</p>`,
  });

  beforeAll(async () => {
    feed.entries = [entry(1), entry(2)];
    instance = await startTestConnectors(feed.listener);
    const { connection } = await instance.request(createConnection, {
      slug,
      connector: "feed",
      settings: { url: `${instance.address}/feed` },
    });
    connectionId = connection.id;
    await untilFinished(1);
  }, 60_000);
  afterAll(() => instance.stop());

  it("isn't read if it hasn't changed, and keeps the entries that it has dropped", async () => {
    await instance.request(startRun, { slug, connectionId });
    await untilFinished(2);
    expect(feed.requests.at(-1)).toHaveProperty("condition");
    expect((await find()).runs[0]).toMatchObject({ found: 0, fetched: 0, fault: null });
    feed.entries = [entry(3), { ...entry(2), content: "<p>Corrected</p>" }];
    await instance.request(startRun, { slug, connectionId });
    await untilFinished(3);
    const { connection, runs } = await find();
    expect(runs[0]).toMatchObject({ fetched: 2, failed: 0, fault: null });
    expect(connection.documents).toBe(3);
    expect(instance.revised).toHaveLength(1);
    expect(instance.registrations.map(({ input }) => input.metadata.title).toSorted()).toEqual([
      "Entry 1",
      "Entry 2",
      "Entry 3",
    ]);
  });
});
