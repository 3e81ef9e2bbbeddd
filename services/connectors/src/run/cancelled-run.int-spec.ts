import { Readable } from "node:stream";
import {
  cancelRun,
  createConnection,
  getConnection,
  startRun,
  updateConnection,
} from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { z } from "zod";
import { startTestConnectors, type TestConnectors } from "../../test/test-connectors.ts";
import { RunItemsRepository } from "../connection/run-items.repository.ts";
import { RunRepository } from "../connection/run.repository.ts";
import { defineConnector, type AccessList } from "../connector/connector.ts";
import { ConnectorRegistry } from "../registry/connector-registry.ts";
import { RunProgress } from "./run-progress.ts";

/** The source: what it has now. */
const shelf = {
  names: [] as string[],
  mark: "",
  list: "everyone" as AccessList,
  /** Called before it is listed. */
  beforeList: null as (() => Promise<void>) | null,
  /** Called before an item is fetched. */
  before: null as (() => Promise<void> | void) | null,
};
const connector = defineConnector({
  id: "shelf",
  form: {
    label: "Shelf",
    description: "A source whose imports are cancelled",
    fields: [],
    credentialFields: [],
    abilities: { permissions: true, changes: false, discovers: false },
  },
  settings: z.object({ edition: z.number().optional() }),
  credential: z.object({}),
  item: z.object({ name: z.string() }),
  nameOf: () => "Shelf",
  originOf: () => "https://shelf.test",
  open: () =>
    Promise.resolve({
      limits: { parallel: 2, maxDocuments: 100, maxItems: 100 },
      check: () => Promise.resolve(),
      list: async () => {
        await shelf.beforeList?.();
        return {
          items: shelf.names.map((name) => ({
            externalId: name,
            item: { name },
            title: name,
            address: `https://shelf.test/${name}`,
          })),
          next: null,
          mark: shelf.mark,
        };
      },
      fetch: async ({ name }) => {
        await shelf.before?.();
        return {
          kind: "document",
          body: Readable.from([`Text of ${name}`]),
          filename: `${name}.txt`,
          mime: "text/plain",
          source: { kind: "connector", connector: "shelf", reference: name },
          metadata: { title: name },
          access: shelf.list,
        };
      },
      access: (items) => Promise.resolve(items.map(() => shelf.list)),
    }),
});

const slug = "field-notes";
let instance: TestConnectors;
/** Called when a turn of a run is over, before its run goes on. */
let afterTurn: (() => Promise<void>) | null;
/** Settled when a run would have finished that was cancelled. */
let overtaken: PromiseWithResolvers<void>;

const { get } = ConnectorRegistry.prototype;
const { countPending } = RunItemsRepository.prototype;
const { end } = RunRepository.prototype;
beforeAll(async () => {
  ConnectorRegistry.prototype.get = function (id) {
    return id === connector.id ? connector : get.call(this, id);
  };
  RunItemsRepository.prototype.countPending = async function (runId) {
    const counted = await countPending.call(this, runId);
    const call = afterTurn;
    afterTurn = null;
    await call?.();
    return counted;
  };
  RunRepository.prototype.end = async function (...[manager, id, state, fault]) {
    const isEnded = await end.call(this, manager, id, state, fault);
    if (state === "finished" && !isEnded) overtaken.resolve();
    return isEnded;
  };
  instance = await startTestConnectors((_request, response) => response.end(), {
    reconcileMs: 200,
  });
}, 60_000);
afterAll(async () => {
  ConnectorRegistry.prototype.get = get;
  RunItemsRepository.prototype.countPending = countPending;
  RunRepository.prototype.end = end;
  await instance?.stop();
});
beforeEach(() => {
  Object.assign(shelf, {
    names: ["a", "b"],
    mark: "1",
    list: "everyone",
    beforeList: null,
    before: null,
  });
  afterTurn = null;
  overtaken = Promise.withResolvers();
  instance.beforeAccess.call = null;
  instance.purged.length = 0;
});

const read = async (connectionId: string) =>
  (await instance.request(getConnection, { slug, connectionId })).connection;
const untilFinished = (connectionId: string) =>
  poll(async () => (await read(connectionId)).run?.state).toBe("finished");
async function create(mirrorPermissions = false): Promise<string> {
  const { connection } = await instance.request(createConnection, {
    slug,
    connector: "shelf",
    settings: {},
    mirrorPermissions,
  });
  await untilFinished(connection.id);
  return connection.id;
}
const start = (connectionId: string) => instance.request(startRun, { slug, connectionId });
const cancel = (connectionId: string) => instance.request(cancelRun, { slug, connectionId });
const column = async (connectionId: string, sql: string) =>
  (
    await instance.sql<{ value: unknown }>(
      `SELECT ${sql} AS value FROM connectors.connection WHERE id = '${connectionId}'`,
    )
  )[0]?.value;

describe("an import that is cancelled or started again meanwhile", () => {
  it("has readers told again that it told of while a check told others", async () => {
    shelf.names = ["a"];
    shelf.list = { emails: ["nobody@example.com"], accounts: [] };
    const id = await create(true);
    const [document] = await instance.sql<{ id: string }>(
      `SELECT document_id AS id FROM connectors.source_item WHERE connection_id = '${id}'`,
    );
    const readers = () => instance.readers.get(document!.id);
    const told = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    const again = Promise.withResolvers<void>();
    shelf.list = "everyone";
    instance.beforeAccess.call = (list) => {
      if (list !== null) return;
      told.resolve();
      return slow.promise;
    };
    await start(id);
    await told.promise;
    await cancel(id);
    shelf.list = { emails: [], accounts: [] };
    await instance.sql(`UPDATE connectors.connection SET access_due_at = now() WHERE id = '${id}'`);
    await poll(() => column(id, "access_checked_at IS NOT NULL")).toBe(true);
    expect(readers()).toEqual([]);
    instance.beforeAccess.call = (list) => (list === null ? undefined : again.promise);
    slow.resolve();
    await poll(readers).toBeNull();
    again.resolve();
    await poll(readers).toEqual([]);
  });

  it("leaves what the next one has listed, though it goes on for a moment", async () => {
    const id = await create();
    shelf.names = ["a"];
    const fetching = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    afterTurn = async () => {
      await cancel(id);
      shelf.names = ["a", "b"];
      shelf.before = () => {
        fetching.resolve();
        return held.promise;
      };
      await start(id);
      await fetching.promise;
    };
    await start(id);
    await overtaken.promise;
    held.resolve();
    await untilFinished(id);
    expect(await read(id)).toMatchObject({ documents: 2, run: { found: 2 } });
    expect(instance.purged).toEqual([]);
  });

  it("doesn't say where changes of other settings begin", async () => {
    const id = await create();
    afterTurn = async () => {
      await cancel(id);
      await instance.request(updateConnection, {
        slug,
        connectionId: id,
        settings: { edition: 2 },
      });
    };
    shelf.mark = "2";
    await start(id);
    await overtaken.promise;
    expect(await column(id, "json_build_array(mark, is_changed)")).toEqual([null, true]);
  });

  it("has its run to itself while another one is asked for", async () => {
    const id = await create();
    const held = Promise.withResolvers<void>();
    shelf.before = () => held.promise;
    const { run } = await start(id);
    // As whoever starts a run, or removes the source.
    await instance.sql("BEGIN");
    await instance.sql(`SELECT FROM connectors.connection WHERE id = '${id}' FOR NO KEY UPDATE`);
    held.resolve();
    const isWaiting = async () => {
      const waiting = await instance.sql(
        "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))",
      );
      return waiting.length > 0;
    };
    await poll(isWaiting).toBe(true);
    const free = await instance.sql(
      `SELECT id FROM connectors.connection_run WHERE id = '${run.id}' FOR UPDATE SKIP LOCKED`,
    );
    await instance.sql("COMMIT");
    expect(free).toEqual([{ id: run.id }]);
    await untilFinished(id);
  });

  it("says that it has started while its source is slow to list", async () => {
    const held = Promise.withResolvers<void>();
    shelf.beforeList = () => held.promise;
    const send = jest.spyOn(RunProgress.prototype, "send");
    const { connection } = await instance.request(createConnection, {
      slug,
      connector: "shelf",
      settings: {},
    });
    const states = () =>
      send.mock.calls.flatMap(([, frame]) =>
        frame.type === "connection_run" ? [frame.run.state] : [],
      );
    await poll(() => states().at(-1)).toBe("running");
    held.resolve();
    await untilFinished(connection.id);
    send.mockRestore();
  });
});
