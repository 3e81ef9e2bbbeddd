import { createConnection } from "@carrel/contracts";
import { isThorough, poll } from "@carrel/testing";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";
import { WebsiteFixture } from "../source/website/website-site.fixture.ts";

const pages = isThorough ? 5_000 : 90;
const kills = isThorough ? 20 : 2;
/** Long enough that a replica is killed in the middle. */
const answerMs = isThorough ? 5 : 40;

describe("a run whose replicas are killed", () => {
  let instance: TestConnectors;

  beforeEach(async () => {
    const site = new WebsiteFixture(pages);
    instance = await startTestConnectors(
      (request, response) => setTimeout(() => site.listener(request, response), answerMs),
      { elsewhere: true },
    );
  });
  afterEach(() => instance.stop(), 60_000);

  it(
    "imports each item once, and goes on where it was",
    async () => {
      let replica = await instance.startReplica();
      await instance.startReplica();
      await instance.request(createConnection, {
        slug: "field-notes",
        connector: "website",
        settings: {
          url: `${instance.address}/docs/tree/0.html`,
          depth: 5,
          maxPages: 5_000,
          sitemap: false,
        },
      });
      for (let kill = 1; kill <= kills; kill += 1) {
        await poll(() => instance.registrations.length, {
          timeoutMs: 120_000,
        }).toBeGreaterThanOrEqual((kill * pages) / (kills + 1));
        await replica.kill();
        replica = await instance.startReplica();
      }
      await poll(
        () =>
          instance.sql(
            `SELECT state, found, fetched, skipped, failed,
            (SELECT count(DISTINCT document_id)::int FROM connectors.source_item) AS documents
          FROM connectors.connection_run`,
          ),
        { timeoutMs: isThorough ? 600_000 : 90_000 },
      ).toEqual([
        {
          state: "finished",
          found: pages,
          fetched: pages,
          skipped: 0,
          failed: 0,
          documents: pages,
        },
      ]);
      const keys = instance.registrations.map(({ context }) => context.idempotencyKey);
      expect(new Set(keys).size).toBe(pages);
    },
    isThorough ? 1_800_000 : 180_000,
  );
});
