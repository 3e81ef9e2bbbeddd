import type { ServerResponse } from "node:http";
import { poll } from "@carrel/testing";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";

describe("an import whose replica is killed", () => {
  let connectors: TestConnectors;
  /** Unanswered requests to the site, oldest first. */
  let held: ServerResponse[];
  const answerHeld = (): void => {
    for (const response of held.splice(0))
      response.setHeader("content-type", "text/plain").end("Low tide at nine.");
  };
  const states = () =>
    connectors.sql<{ state: string; sealed: boolean; items: string[] | null }>(
      `SELECT r.state, c.sealed_credential IS NOT NULL AS sealed,
        (SELECT array_agg(i.state ORDER BY ordinal) FROM connectors.source_item i WHERE run_id = r.id) AS items
      FROM connectors.connection_run r JOIN connectors.connection c ON c.id = r.connection_id`,
    );

  beforeEach(async () => {
    held = [];
    connectors = await startTestConnectors((_request, response) => held.push(response), {
      elsewhere: true,
    });
  });
  afterEach(() => connectors.stop(), 60_000);

  it("continues in another one, and the caller gets its document", async () => {
    const first = await connectors.startReplica();
    const answer = connectors.fetch(`${connectors.address}/tides`, {
      headers: { authorization: "Bearer of-the-site" },
    });
    await poll(() => held).toHaveLength(1);
    expect(await states()).toEqual([{ state: "running", sealed: true, items: ["pending"] }]);
    await first.kill();
    held = [];

    await connectors.startReplica();
    await poll(() => held, { timeoutMs: 30_000 }).toHaveLength(1);
    expect(held[0]!.req.headers.authorization).toBe("Bearer of-the-site");
    answerHeld();
    const { documentId } = await answer;
    expect(documentId).toMatch(/^[0-9a-f-]{36}$/);
    expect(
      new Set(connectors.registrations.map(({ context }) => context.idempotencyKey)).size,
    ).toBe(1);
    expect(await states()).toEqual([{ state: "finished", sealed: true, items: ["fetched"] }]);
  }, 90_000);

  it("continues from PostgreSQL alone when Redis lost everything as well", async () => {
    const first = await connectors.startReplica();
    // Whether this request survives as well is messaging's concern.
    connectors.fetch(`${connectors.address}/tides`).catch(() => undefined);
    await poll(() => held).toHaveLength(1);
    await first.kill();
    await connectors.redis.flush();
    held = [];

    await connectors.startReplica();
    await poll(() => held, { timeoutMs: 30_000 }).toHaveLength(1);
    answerHeld();
    await poll(() => states()).toEqual([{ state: "finished", sealed: true, items: ["fetched"] }]);
    expect(connectors.registrations).toHaveLength(1);
  }, 90_000);

  it("fails when every process that fetches it is killed", async () => {
    // Whether this request survives as well is messaging's concern.
    connectors.fetch(`${connectors.address}/tides`).catch(() => undefined);
    for (let run = 1; run <= 5; run++) {
      const replica = await connectors.startReplica();
      await poll(() => held).toHaveLength(1);
      await replica.kill();
      held = [];
      // Otherwise the next replica would wait until the job counts as stalled.
      await connectors.redis.flush();
    }
    await connectors.startReplica();
    await poll(() => states()).toEqual([{ state: "finished", sealed: false, items: ["failed"] }]);
    expect(await connectors.sql("SELECT fault FROM connectors.source_item")).toEqual([
      { fault: { code: "source.interrupted", params: { runs: 5 } } },
    ]);
    expect(held).toEqual([]);
  }, 90_000);
});
