import { randomUUID } from "node:crypto";
import { createDataSource } from "@carrel/database";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { DataSource } from "typeorm";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";
import type { ListedItem } from "../connector/connector.ts";
import { AccessRepository, type AccessItem } from "./access.repository.ts";
import { ConnectionRun } from "./connection-run.entity.ts";
import { Connection } from "./connection.entity.ts";
import { ConnectionRepository } from "./connection.repository.ts";
import { DocumentItemRepository } from "./document-item.repository.ts";
import { ItemRepository } from "./item.repository.ts";
import { RunItemsRepository } from "./run-items.repository.ts";
import { SourceItem } from "./source-item.entity.ts";

const listed = (externalId: string): ListedItem => ({
  externalId,
  item: {},
  title: externalId,
  address: externalId,
});

describe("the items of a source, changed by several at once,", () => {
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
  /** Holds the first lock, begins the change, and takes the second one once that waits. */
  const interrupt = async (first: string, change: () => Promise<unknown>, second: string) => {
    const holder = source.createQueryRunner();
    await holder.startTransaction();
    try {
      await holder.query(first, [run.connectionId]);
      const changing = change();
      await poll(waiting).toBe(1);
      await holder.query(`${second} NOWAIT`, [run.connectionId]);
      await holder.commitTransaction();
      await changing;
    } finally {
      if (holder.isTransactionActive) await holder.rollbackTransaction();
      await holder.release();
    }
  };
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

  const locking = (key: string) =>
    `SELECT FROM connectors.source_item WHERE connection_id = $1 AND key = '${key}' FOR UPDATE`;
  const other = { emails: [], accounts: [] };
  it.each<[string, (told: AccessItem[]) => Promise<unknown>]>([
    ["telling", (told) => new AccessRepository(source).beginTelling(run.connectionId, told)],
    [
      "having told",
      (told) =>
        new AccessRepository(source).saveAudience(
          {
            connection: { id: run.connectionId } as Connection,
            mayAsk: true,
            version: 1,
            until: "",
          },
          told,
          "?",
          null,
        ),
    ],
    [
      "other lists",
      (told) =>
        new AccessRepository(source).saveLists(
          run.connectionId,
          told.map((item) => ({ ...item, now: other })),
        ),
    ],
    [
      "a refusal",
      () =>
        new AccessRepository(source).noteRefusal({
          connection: { id: run.connectionId } as Connection,
          mayAsk: true,
          version: 1,
          until: "",
        }),
    ],
    [
      "other settings",
      () =>
        source.transaction((manager) =>
          new ConnectionRepository(source).changeSettings(run.connectionId, {}, manager),
        ),
    ],
    [
      "another run",
      () =>
        source.transaction(async (manager) => {
          // As PostgreSQL may well read them, too.
          await manager.query("SET LOCAL enable_indexscan = off");
          await manager.query("SET LOCAL enable_bitmapscan = off");
          await new RunItemsRepository(source).requeue(
            manager,
            { ...run, id: randomUUID() },
            "known",
          );
        }),
    ],
  ])("are locked by their keys before %s", async (_, change) => {
    // Stored in the other order.
    for (const key of ["b", "a"]) await items.saveListed(run, [listed(key)], 10);
    const told: AccessItem[] = [];
    for (const key of ["b", "a"])
      told.push({ key, item: {}, documentId: await fetched(key), access: other, audience: null });
    await source.query("UPDATE connectors.source_item SET access = $2 WHERE connection_id = $1", [
      run.connectionId,
      JSON.stringify(other),
    ]);
    await source.query(
      `UPDATE connectors.connection SET access_refused_since = now() - interval '2 days'
      WHERE id = $1`,
      [run.connectionId],
    );
    await interrupt(locking("a"), () => change(told), locking("b"));
  });

  it("are no longer locked while a check is planned for them", async () => {
    await items.saveListed(run, [listed("a")], 10);
    const documentId = await fetched("a");
    const outcome = {
      state: "unchanged" as const,
      // Somebody else has told of other readers meanwhile.
      allowed: { access: other, audience: "7", known: null, telling: "?" },
    };
    const connection = "SELECT FROM connectors.connection WHERE id = $1 FOR NO KEY UPDATE";
    const { manager } = source;
    const place = {
      item: await manager.findOneByOrFail(SourceItem, { documentId }),
      connection: await manager.findOneByOrFail(Connection, { id: run.connectionId }),
    };
    const record = () => new DocumentItemRepository(source).record(place, outcome);
    await interrupt(connection, record, locking("a"));
    run = await startAnother();
    await items.saveListed(run, [listed("a")], 10);
    await source.query("UPDATE connectors.source_item SET access = NULL, audience = NULL");
    const finish = () => items.finish(run, [{ key: "a", outcome }]);
    const runs = "SELECT FROM connectors.connection_run WHERE connection_id = $1 FOR UPDATE";
    await interrupt(connection, finish, runs);
    expect(
      await source.query(
        "SELECT access_due_at <= now() AS due FROM connectors.connection WHERE id = $1",
        [run.connectionId],
      ),
    ).toEqual([{ due: true }]);
  });
});
