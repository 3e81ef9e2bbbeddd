import { randomUUID } from "node:crypto";
import { createDataSource } from "@carrel/database";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { DataSource } from "typeorm";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";
import type { ListedItem } from "../connector/connector.ts";
import { ConnectionRun } from "./connection-run.entity.ts";
import { Connection } from "./connection.entity.ts";
import { ConnectionRepository } from "./connection.repository.ts";
import { DocumentItemRepository } from "./document-item.repository.ts";
import { ItemListRepository } from "./item-list.repository.ts";
import { ItemRepository } from "./item.repository.ts";
import { RunItemsRepository } from "./run-items.repository.ts";
import { SourceItem } from "./source-item.entity.ts";

const listed = (externalId: string): ListedItem => ({
  externalId,
  item: {},
  title: externalId,
  address: externalId,
});

describe("the items of a source", () => {
  let instance: TestConnectors;
  let source: DataSource;
  let items: ItemRepository;
  let run: { id: string; connectionId: string };

  beforeAll(async () => {
    instance = await startTestConnectors((_request, response) => response.end());
    source = createDataSource(
      instance.databaseUrl,
      { schema: "connectors", entities: [Connection, ConnectionRun, SourceItem], migrations: [] },
      { poolSize: 5 },
    );
    await source.initialize();
    items = new ItemRepository(source);
  });
  beforeEach(async () => {
    run = { id: randomUUID(), connectionId: randomUUID() };
    await source.query(
      `INSERT INTO connectors.connection (id, connector, scope, name, settings)
      VALUES ($1, 'website', '{}', 'Site', '{}')`,
      [run.connectionId],
    );
    // Paused, so that no turn of the service itself begins.
    await source.query(
      `INSERT INTO connectors.connection_run (id, connection_id, state) VALUES ($1, $2, 'paused')`,
      [run.id, run.connectionId],
    );
  });
  afterAll(async () => {
    await source.destroy();
    await instance.stop();
  });

  const waiting = () =>
    source
      .query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      .then(([row]) => row!.count);

  it("can be listed again while they are finished", async () => {
    await items.saveListed(run, ["a", "b"].map(listed), 10);
    const holder = source.createQueryRunner();
    await holder.startTransaction();
    await holder.query("SELECT 1 FROM connectors.connection_run WHERE id = $1 FOR UPDATE", [
      run.id,
    ]);
    const listing = items.saveListed(run, ["b", "a", "c"].map(listed), 10);
    await poll(waiting).toBe(1);
    const finishing = items.finish(run, [{ key: "a", outcome: { state: "unchanged" } }]);
    await poll(waiting).toBe(2);
    await holder.commitTransaction();
    await holder.release();
    expect((await Promise.allSettled([listing, finishing])).map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
    ]);
    expect(
      await source.query("SELECT found, unchanged FROM connectors.connection_run WHERE id = $1", [
        run.id,
      ]),
    ).toEqual([{ found: 3, unchanged: 1 }]);
  });

  it("are finished together, each once, with what became of it", async () => {
    await items.saveListed(run, ["a", "b", "c", "d"].map(listed), 10);
    const documentId = randomUUID();
    const allowed = { access: { emails: ["ada@example.com"], accounts: [] }, audience: "7" };
    const fault = { code: "source.item-empty" as const };
    const finished = [
      { key: "b", outcome: { state: "skipped" as const, fault } },
      {
        key: "a",
        outcome: {
          state: "fetched" as const,
          documentId,
          title: "A \0 title",
          version: "v1",
          sha256: "0123",
          bytes: 12,
          allowed: { ...allowed, known: null, telling: null },
        },
      },
      { key: "c", outcome: { state: "unchanged" as const, version: "v2" } },
    ];
    expect(await items.finish(run, finished)).toEqual([true, true, true]);
    expect(await items.finish(run, finished)).toEqual([false, false, false]);
    const rows = await source.manager.find(SourceItem, {
      where: { connectionId: run.connectionId },
      order: { key: "ASC" },
    });
    expect(rows).toMatchObject([
      {
        state: "fetched",
        documentId,
        title: "A  title",
        version: "v1",
        sha256: "0123",
        bytes: 12,
        fault: null,
        ...allowed,
      },
      { state: "skipped", fault, documentId: null, access: null, audience: null },
      { state: "unchanged", version: "v2", title: "c", fault: null },
      { state: "pending" },
    ]);
    expect(
      await source.query(
        `SELECT found, fetched, unchanged, skipped, failed, bytes::int
        FROM connectors.connection_run WHERE id = $1`,
        [run.id],
      ),
    ).toEqual([{ found: 4, fetched: 1, unchanged: 1, skipped: 1, failed: 0, bytes: 12 }]);
  });

  it("aren't recorded once their run has ended, after which its source's rules may change", async () => {
    await items.saveListed(run, [listed("a")], 10);
    await source.query(
      "UPDATE connectors.connection_run SET state = 'cancelled', ended_at = now() WHERE id = $1",
      [run.id],
    );
    const outcome = { state: "unchanged" as const, version: "v1" };
    expect(await items.finish(run, [{ key: "a", outcome }])).toEqual([false]);
    expect(
      await source.manager.findBy(SourceItem, { connectionId: run.connectionId }),
    ).toMatchObject([{ state: "pending", version: null }]);
  });

  /** Records a document for an item of the run; returns its id. */
  const fetched = async (key: string): Promise<string> => {
    const documentId = randomUUID();
    const allowed = { access: null, audience: null, known: null, telling: null };
    const document = { documentId, title: key, version: "v1", sha256: "0123", bytes: 1, allowed };
    await items.finish(run, [{ key, outcome: { state: "fetched", ...document } }]);
    return documentId;
  };

  /** Ends the run and starts one that is paused as well. */
  const startAnother = async (): Promise<typeof run> => {
    const next = { ...run, id: randomUUID() };
    await source.query(
      "UPDATE connectors.connection_run SET state = 'finished', ended_at = now() WHERE id = $1",
      [run.id],
    );
    await source.query(
      `INSERT INTO connectors.connection_run (id, connection_id, state) VALUES ($1, $2, 'paused')`,
      [next.id, next.connectionId],
    );
    return next;
  };

  const readRun = async () =>
    (
      await source.query<object[]>(
        "SELECT found, is_cut AS cut FROM connectors.connection_run WHERE id = $1",
        [run.id],
      )
    )[0];

  it("say that there are more if part of the source couldn't be listed", async () => {
    await items.saveListed(run, [listed("a")], 3, { from: null, next: "1", isPartial: true });
    await items.saveListed(run, [listed("b")], 3, { from: "1", next: null });
    expect(await readRun()).toEqual({ found: 2, cut: true });
  });

  it("leave their text to the address that they moved to", async () => {
    await items.saveListed(run, ["old", "new"].map(listed), 10);
    const [old, next] = ["old", "new"].map((key) => ({ ...run, runId: run.id, key }));
    expect(await items.claimFingerprint(old!, "text")).toBeNull();
    expect(await items.claimFingerprint(next!, "text")).toBe("old");
    await source.query(
      "UPDATE connectors.source_item SET document_id = gen_random_uuid() WHERE key = 'old'",
    );
    const fault = { code: "source.moved" as const, params: { address: "new" } };
    await items.finish(run, [{ key: "old", outcome: { state: "failed", fault } }]);
    expect(await items.claimFingerprint(next!, "text")).toBeNull();
  });

  it("are listed by their run, whose reasons are counted once for everyone", async () => {
    const skipped = (id: string): ListedItem => ({
      ...listed(id),
      skip: { code: "source.binary" },
    });
    await items.saveListed(run, ["a", "b"].map(skipped), 10);
    const list = new ItemListRepository(source);
    const open = { ...run, endedAt: null };
    const reasons = [{ fault: { code: "source.binary" }, count: 2 }];
    expect(await list.listReasons(open, 5)).toEqual(reasons);
    await items.saveListed(run, [skipped("c")], 10);
    expect(await list.listReasons(open, 5)).toEqual(reasons);
    expect(await list.listReasons({ ...open, endedAt: new Date() }, 5)).toMatchObject([
      { count: 3 },
    ]);

    await source.query(
      `INSERT INTO connectors.source_item (connection_id, key, run_id, item, title, address, state)
      SELECT $1, n, gen_random_uuid(), '{}', '', '', 'gone' FROM generate_series(1, 5000) AS n`,
      [run.connectionId],
    );
    await source.query("ANALYZE connectors.source_item");
    const plan = await source.query<{ "QUERY PLAN": string }[]>(
      `EXPLAIN SELECT * FROM connectors.source_item
      WHERE connection_id = $1 AND run_id = $2 AND ordinal > 0 ORDER BY ordinal LIMIT 51`,
      [run.connectionId, run.id],
    );
    expect(plan.map((row) => row["QUERY PLAN"]).join()).toContain("source_item_run ");
  });

  it("are recorded up to a limit, which those that are known don't use up", async () => {
    await items.saveListed(run, ["a", "b"].map(listed), 3);
    await items.saveListed(run, ["a", "b", "c"].map(listed), 3);
    expect(await readRun()).toEqual({ found: 3, cut: false });
    await items.saveListed(run, ["a", "d"].map(listed), 3);
    expect(await readRun()).toEqual({ found: 3, cut: true });
  });

  it("are kept after a listing that couldn't tell of their kind, unlike all others", async () => {
    const wiki = { ...listed("w"), item: { kind: "wiki", slug: "w" } };
    await items.saveListed(run, [listed("a"), listed("b"), wiki], 10);
    const next = await startAnother();
    const leftOut = { kind: "wiki" };
    await items.saveListed(next, [listed("b")], 10, { from: null, next: null, leftOut });
    await new RunItemsRepository(source).settleGone(next, true);
    expect(
      await source.query(
        "SELECT key, state FROM connectors.source_item WHERE connection_id = $1 ORDER BY key",
        [run.connectionId],
      ),
    ).toEqual([
      { key: "a", state: "gone" },
      { key: "b", state: "pending" },
      { key: "w", state: "pending" },
    ]);
  });

  it("are fetched anew by the run that has them due if ingest couldn't read them", async () => {
    await items.saveListed(run, ["a", "b"].map(listed), 10);
    const ofA = await fetched("a");
    const ofB = await fetched("b");
    const next = await startAnother();
    await items.saveListed(next, ["a", "b"].map(listed), 10);
    await source.query("UPDATE connectors.source_item SET attempts = 1 WHERE key = 'b'");
    const documents = new DocumentItemRepository(source);
    const fault = { code: "document.unreadable" };
    expect(await documents.markUnread(ofA, "0123", fault)).toBe(true);
    // What a run is busy with may be recorded again, so that is repeated.
    expect(await documents.markUnread(ofB, "0123", fault)).toBe(false);
    expect(
      await source.query(
        "SELECT state, version, sha256 FROM connectors.source_item WHERE connection_id = $1",
        [run.connectionId],
      ),
    ).toEqual([1, 2].map(() => ({ state: "pending", version: null, sha256: null })));
  });

  it("aren't begun by a turn that is no longer the run's", async () => {
    await items.saveListed(run, [listed("a")], 3);
    await source.query(
      "UPDATE connectors.connection_run SET state = 'running', turn = 2 WHERE id = $1",
      [run.id],
    );
    expect(await items.claim({ ...run, turn: 1 }, 5, [])).toEqual([]);
    expect(await items.claim({ ...run, turn: 2 }, 5, [])).toMatchObject([
      { key: "a", attempts: 1 },
    ]);
  });

  it("of imports before the last upgrade don't keep their secrets", async () => {
    await source.query(
      `INSERT INTO connectors.import (
        id, connector, sealed_settings, scope, embed, metadata, state, created_at
      )
      VALUES ($1, 'link', 'sealed', '{}', true, '{}', 'listing', now() - interval '2 days')`,
      [randomUUID()],
    );
    await new ConnectionRepository(source).deleteOld();
    expect(await source.query("SELECT 1 FROM connectors.import")).toEqual([]);
  });
});
